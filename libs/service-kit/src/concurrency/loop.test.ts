import { setTimeout as delay } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { createLogger } from '../process/logger.ts';
import { startLoop } from './loop.ts';

const logger = createLogger({ service: 'test', level: 'silent' });

test('runs follow each other, also after one that failed, and never overlap', async () => {
  let [running, runs, mostAtOnce] = [0, 0, 0];
  const stop = startLoop(
    {
      name: 'a loop',
      everyMs: 1,
      async run() {
        running += 1;
        runs += 1;
        mostAtOnce = Math.max(mostAtOnce, running);
        // Longer than it takes until a timer of 1 ms has run.
        for (let turns = 0; turns < 2; turns++) await delay(1);
        running -= 1;
        throw new Error('broken');
      },
    },
    logger,
  );
  await vi.waitFor(() => expect(runs).toBeGreaterThan(3));
  await stop();
  expect([running, mostAtOnce]).toEqual([0, 1]);
});

test('the first run can begin sooner than the others; stopping the loop tells the run in progress, and waits for it', async () => {
  let ended = false;
  const began = Promise.withResolvers<void>();
  const stop = startLoop(
    {
      name: 'a loop',
      everyMs: 600_000,
      firstAfterMs: 0,
      async run(stopped) {
        began.resolve();
        await new Promise((resolve) => stopped.addEventListener('abort', resolve));
        await Promise.resolve();
        ended = true;
      },
    },
    logger,
  );
  await began.promise;
  await stop();
  expect(ended).toBe(true);
});
