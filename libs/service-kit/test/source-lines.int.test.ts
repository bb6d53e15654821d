import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { bundleOf, DIST } from '../src/process/dist.ts';
import { inSources } from '../src/process/source-lines.ts';

/** A stack's frame at the first place of `text` in a bundle. */
function frameAt(bundle: string, text: string): string {
  const before = readFileSync(bundle, 'utf8').split(text)[0]?.split('\n') ?? [];
  return `Error: no\n    at f (file://${bundle}:${before.length}:${(before.at(-1)?.length ?? 0) + 1})`;
}

test('a stack in a bundle names the file and the line of the source', () => {
  const root = path.dirname(DIST);
  const source = readFileSync(path.join(root, 'services/pricing/src/service.ts'), 'utf8').split('\n');
  const line = source.findIndex((text) => text.includes('describeUnreadable(snapshots.unreadable)')) + 1;
  expect(inSources(frameAt(bundleOf('pricing'), 'describeUnreadable(snapshots.unreadable)'))).toMatch(
    new RegExp(`^Error: no\n    at f \\(${root}/services/pricing/src/service\\.ts:${line}:\\d+\\)$`),
  );
});

test('frames of Node, of sources and of files that are gone stay as they are', () => {
  const stack = `Error: no
    at node:internal/process/task_queues:105:5
    at f (${import.meta.filename}:1:1)
    at g (file://${DIST}/gone.js:1:1)
    at h (/other/folder/pricing.js:1:1)`;
  expect(inSources(stack)).toBe(stack);
});
