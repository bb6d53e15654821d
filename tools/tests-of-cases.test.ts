import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { filesOfCases, testsOfCases } from './tests-of-cases.ts';

const root = path.resolve(import.meta.dirname, '..');

test.each(['services/commerce/test/reopening', './services/commerce/test/reopening.cases.ts', 'Reopening'])(
  'npm test -- %s runs the test file that imports these cases',
  (word) => expect(testsOfCases(root, [word])).toEqual(['services/commerce/test/purchase.int.test.ts']),
);

test('a word that no path contains adds no test file', () => {
  expect(testsOfCases(root, ['sold out'])).toEqual([]);
});

test.each(filesOfCases(root))('$file says first where it runs', ({ file, runsIn }) => {
  const [first] = readFileSync(path.join(root, file), 'utf8').split('\n');
  expect(runsIn.map((name) => `// Runs in \`${path.basename(name)}\`, on its servers.`)).toEqual([first]);
});
