import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import peggy from 'peggy';
import { expect, test } from 'vitest';

const folder = resolve(__dirname, '../../../../src/main/session/filter');

const BANNER = `// Made from grammar.peggy by: npx vitest run tests/main/session/filter/generated.test.ts --update
// biome-ignore-all lint: generated
// biome-ignore-all format: generated
// biome-ignore-all assist: generated
`;

/** After a change of the grammar, run this test with --update: it then writes the parser instead of comparing it. */
test('the parser in the sources is the one that its grammar gives', async () => {
  const grammar = readFileSync(join(folder, 'grammar.peggy'), 'utf8');
  const parser = peggy.generate(grammar, { output: 'source', format: 'es' });
  await expect(BANNER + parser).toMatchFileSnapshot(join(folder, 'grammar.js'));
});
