import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { corpusPath } from '../../support/corpus';
import { concat, hex, sizeUpdate } from '../../support/encode';
import { APPENDIX_C } from './appendix-c';
import { Context } from './context';

describe('RFC 7541 Appendix C', () => {
  it.each(APPENDIX_C)('$section', ({ maxSize, steps }) => {
    const context = new Context();
    // The RFC's table of 256 octets is a limit that both sides know beforehand; here the encoder says so.
    context.decode(sizeUpdate(maxSize));
    for (const { block, fields, table, size } of steps) {
      expect(context.decode(hex(block))).toEqual(fields);
      expect(context.error).toBeUndefined();
      expect(context.table).toEqual({ fields: table, size });
    }
  });
});

interface RfcSeries {
  name: string;
  max_table_size: number;
  steps: { wire: string; headers: [string, string][]; dynamic_table: [string, string][] }[];
}

const rfc = corpusPath('hpack', 'rfc7541', 'appendix_c.json');

describe.skipIf(rfc === undefined)('Appendix C as others wrote it down', () => {
  const all = rfc === undefined ? [] : (JSON.parse(readFileSync(rfc, 'utf8')) as { series: RfcSeries[] }).series;

  it.each(all)('$name', ({ max_table_size, steps }) => {
    const context = new Context();
    context.decode(sizeUpdate(max_table_size));
    for (const { wire, headers, dynamic_table } of steps) {
      expect(context.decode(hex(wire))).toEqual(headers);
      expect(context.table.fields).toEqual(dynamic_table);
    }
  });
});

interface NettyFile {
  max_header_table_size?: number;
  header_blocks: {
    max_header_table_size?: number;
    headers: Record<string, string>[];
    encoded: string[];
    dynamic_table: Record<string, string>[];
    table_size: number;
  }[];
}

const netty = corpusPath('hpack', 'netty');

describe.skipIf(netty === undefined)("Netty's vectors", () => {
  const files = netty === undefined ? [] : readdirSync(netty).filter((name) => name.endsWith('.json'));

  it.each(files)('%s', (file) => {
    const vector = JSON.parse(readFileSync(join(netty!, file), 'utf8')) as NettyFile;
    const context = new Context();
    if (vector.max_header_table_size !== undefined) context.decode(sizeUpdate(vector.max_header_table_size));
    for (const block of vector.header_blocks) {
      if (block.max_header_table_size !== undefined) context.decoder.setLimit(block.max_header_table_size);
      expect(context.decode(concat(...block.encoded.map(hex)))).toEqual(pairs(block.headers));
      expect(context.error).toBeUndefined();
      expect(context.table).toEqual({ fields: pairs(block.dynamic_table), size: block.table_size });
    }
  });
});

/** `[{ name: value }, …]`, one field an object; Netty writes several under one name as an array. */
function pairs(fields: readonly Record<string, string>[]): [string, string][] {
  return fields.flatMap((field) => Object.entries(field));
}
