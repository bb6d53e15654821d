import { statSync } from 'node:fs';
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
