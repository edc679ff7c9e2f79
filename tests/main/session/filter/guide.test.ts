import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseFilter } from '../../../../src/main/session/filter/filter';

const guide = readFileSync(resolve(__dirname, '../../../../docs/guide/filter.md'), 'utf8');
const [examples = ''] = /(?: {4}.*\n)+/.exec(guide) ?? [];

describe('the guide gives an example that is a filter:', () => {
  test.each(examples.trim().split(/\n\s*/))('%s', (expression) => {
    expect(parseFilter(expression)).toHaveProperty('filter');
  });
});

test('the guide shows the message that a mistake gets', () => {
  const [, expression = '', message] = /--filter '(.*)'\n +(.*)\n/.exec(guide) ?? [];
  expect(parseFilter(expression)).toMatchObject({ error: { message } });
});
