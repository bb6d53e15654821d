import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** A file of tests that run in the test files that import it, on their servers. Paths are below the root. */
interface Cases {
  file: string;
  runsIn: string[];
}

/** All files of tests that run in other files. */
export function filesOfCases(root: string): Cases[] {
  const found = globSync('*/**/*.cases.ts', { cwd: root, exclude: ['**/node_modules', '.data'] });
  return found.toSorted().map((file) => {
    const tests = globSync(path.join(path.dirname(file), '*.test.ts'), { cwd: root });
    const imported = `'./${path.basename(file)}'`;
    return { file, runsIn: tests.filter((test) => readFileSync(path.join(root, test), 'utf8').includes(imported)) };
  });
}

/** The test files that run the cases whose path contains one of `words`: vitest finds only its own files by a word. */
export function testsOfCases(root: string, words: readonly string[]): string[] {
  const parts = words.map((word) => path.relative(root, path.resolve(root, word)).toLowerCase());
  const meant = filesOfCases(root).filter(({ file }) => parts.some((part) => file.toLowerCase().includes(part)));
  return [...new Set(meant.flatMap(({ runsIn }) => runsIn))];
}
