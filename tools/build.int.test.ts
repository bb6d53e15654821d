import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { DIST } from '@event-commerce/service-kit/dist';
import { expect, test } from 'vitest';
import { build } from './build.ts';

const builtAt = () =>
  [DIST, path.join(DIST, 'console'), path.join(DIST, 'guide')].map(
    (folder) => statSync(path.join(folder, 'built-from')).mtimeMs,
  );

test('an up-to-date build is not repeated', async () => {
  const before = builtAt();
  await build();
  expect(builtAt()).toEqual(before);
});

test('the bundles are ASCII: Node keeps the text of others at two bytes a character', async () => {
  await build();
  const bundles = readdirSync(DIST).filter((name) => name.endsWith('.js'));
  expect(bundles).toContain('gateway.js');
  expect(bundles.filter((name) => /[\u0080-\uffff]/.test(readFileSync(path.join(DIST, name), 'utf8')))).toEqual([]);
});
