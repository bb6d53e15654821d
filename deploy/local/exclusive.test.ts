import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { exclusively, tryLock } from './exclusive.ts';

test.skipIf(process.platform !== 'linux')('callers run one at a time', async () => {
  let working = 0;
  let most = 0;
  const path = `/exclusive-test-${process.pid}`;
  await Promise.all(
    Array.from({ length: 8 }, () =>
      exclusively(path, async () => {
        working += 1;
        most = Math.max(most, working);
        await new Promise(setImmediate);
        working -= 1;
      }),
    ),
  );
  expect(most).toBe(1);
});

test.skipIf(process.platform !== 'linux')('a lock is released when its process exits or is killed', async () => {
  const path = `/exclusive-test-killed-${process.pid}`;
  const code = `
    const { tryLock } = await import(${JSON.stringify(join(import.meta.dirname, 'exclusive.ts'))});
    await tryLock(${JSON.stringify(path)});
    console.log('locked');
    setInterval(() => undefined, 1000);
  `;
  const holder = spawn(process.execPath, ['--input-type=module', '--eval', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(holder.stdout, 'data');
  expect(await tryLock(path)).toBeUndefined();
  let entered = false;
  const waiting = exclusively(path, async () => {
    entered = true;
  });
  await new Promise(setImmediate);
  expect(entered).toBe(false);
  holder.kill('SIGKILL');
  await waiting;
  expect(entered).toBe(true);
});
