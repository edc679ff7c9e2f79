import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { describeFrame } from '../../../src/core/http2/fields';
import type { Field } from '../../../src/shared/fields';
import { corpusPath } from '../../support/corpus';
import { hex } from '../../support/octets';

interface Case {
  wire: string;
  description: string;
  frame: { length: number; type: number; flags: number; stream_identifier: number; frame_payload: Payload } | null;
}

interface Payload {
  window_size_increment?: number;
  error_code?: number;
  last_stream_id?: number;
  promised_stream_id?: number;
  stream_dependency?: number;
  weight?: number;
  padding_length?: number | null;
  settings?: [number, number][];
}

const folder = corpusPath('frames', 'http2jp');

/** Frames in hex with what they say, written by others. */
describe.skipIf(folder === undefined)('the http2jp frames (skipped without the corpus)', () => {
  const kinds =
    folder === undefined ? [] : readdirSync(folder).filter((name) => !name.includes('.') && name !== 'error');
  const cases = kinds.flatMap((kind) =>
    readdirSync(join(folder!, kind)).map((file) => [kind, file, read(join(folder!, kind, file))] as const),
  );

  it.each(cases)('%s/%s has the values that the corpus gives', (_kind, _file, { wire, frame }) => {
    const octets = hex(wire);
    const fields = values(describeFrame(octets));
    expect(fields.get('header.length')).toBe(frame!.length);
    expect(fields.get('header.type')).toBe(frame!.type);
    expect(fields.get('header.flags')).toBe(frame!.flags);
    expect(fields.get('header.stream')).toBe(frame!.stream_identifier);
    const payload = frame!.frame_payload;
    const same = (id: string, value: number | null | undefined): void => {
      if (value !== undefined && value !== null) expect(fields.get(id), id).toBe(value);
    };
    same('increment', payload.window_size_increment);
    same('errorCode', payload.error_code);
    same('lastStream', payload.last_stream_id);
    same('promised', payload.promised_stream_id);
    same('priority.dependency', payload.stream_dependency);
    same('padLength', payload.padding_length);
    payload.settings?.forEach(([id, value], i) => {
      same(`setting.${i}.id`, id);
      same(`setting.${i}.value`, value);
    });
  });

  const errors = folder === undefined ? [] : readdirSync(join(folder, 'error')).map((file) => [file] as const);

  it.each(errors)('error/%s is described to its last octet', (file) => {
    const octets = hex(read(join(folder!, 'error', file)).wire);
    expect(describeFrame(octets).at(-1)?.end).toBe(octets.length);
  });
});

function read(path: string): Case {
  return JSON.parse(readFileSync(path, 'utf8')) as Case;
}

function values(fields: readonly Field[], into = new Map<string, string | number>()): Map<string, string | number> {
  for (const field of fields) {
    into.set(field.id, field.value);
    if (field.children) values(field.children, into);
  }
  return into;
}
