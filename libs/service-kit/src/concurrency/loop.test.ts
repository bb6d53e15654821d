import { setTimeout as delay } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
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
        // Longer than a timer of 1 ms takes to run.
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

test('the pause doubles up to its limit while runs find nothing, and starts over after a run that found something or failed', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const outcomes = [false, false, false, false, true, false, undefined, false, 'fails', false, false];
  const startedAtMs: number[] = [];
  const begunMs = Date.now();
  const stop = startLoop(
    {
      name: 'a loop',
      everyMs: 1_000,
      idleMs: 5_000,
      async run() {
        startedAtMs.push(Date.now() - begunMs);
        const outcome = outcomes[startedAtMs.length - 1];
        if (typeof outcome === 'string') throw new Error(outcome);
        return outcome;
      },
    },
    logger,
  );
  while (startedAtMs.length < outcomes.length) await vi.advanceTimersByTimeAsync(1_000);
  await stop();
  const pauses = startedAtMs.map((atMs, n) => (atMs - (startedAtMs[n - 1] ?? 0)) / 1_000);
  expect(pauses).toEqual([1, 2, 4, 5, 5, 1, 2, 1, 2, 1, 2]);
});
