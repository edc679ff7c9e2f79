import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { HpackDecoder } from '../../../src/core/hpack/decoder';
import { HeaderStore } from '../../../src/core/hpack/header-store';
import { corpusPath } from '../../support/corpus';

interface Story {
  cases: { wire?: string; headers: Record<string, string>[]; header_table_size?: number | null }[];
}

const root = corpusPath('hpack', 'http2jp');

describe.skipIf(root === undefined)('HPACK stories made by other encoders', () => {
  const encoders = root === undefined ? [] : readdirSync(root, { withFileTypes: true }).filter((e) => e.isDirectory());
  it.each(encoders.map((e) => e.name).filter((name) => name !== 'raw-data'))('decodes every block of %s', (encoder) => {
    const folder = join(root!, encoder);
    for (const file of readdirSync(folder)) {
      const story = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Story;
      const store = new HeaderStore();
      const decoder = new HpackDecoder(store);
      for (const [index, { wire, headers, header_table_size }] of story.cases.entries()) {
        if (typeof header_table_size === 'number') decoder.setLimit(header_table_size);
        const block = Buffer.from(wire!, 'hex');
        const list = decoder.decode(block, 0, block.length);
        expect(decoder.error, `${encoder}/${file} case ${index}`).toBeUndefined();
        const decoded = [];
        for (let i = 0; i < store.listLength(list); i++) {
          const field = store.fieldOf(list, i);
          decoded.push({ [store.name(field)]: Buffer.from(store.valueOctets(field)).toString('utf8') });
        }
        expect(decoded, `${encoder}/${file} case ${index}`).toEqual(headers);
      }
    }
  });
});
