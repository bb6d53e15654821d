import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { KINDS, type Measurement } from './snapshot-memory.fixture.ts';

test.each(Object.keys(KINDS))(
  'the memory of adjustments of %s is estimated within a third, hardly more while they are replaced, and released with them',
  async (kind) => {
    // A thread has a heap of its own, so garbage of other tests is not measured.
    const worker = new Worker(new URL('snapshot-memory.fixture.ts', import.meta.url), { workerData: kind });
    const [{ estimated, measured, replaced, afterwards }] = (await once(worker, 'message')) as [Measurement];
    expect(estimated / measured).toBeGreaterThan(2 / 3);
    expect(estimated / measured).toBeLessThan(3 / 2);
    expect(replaced / measured).toBeLessThan(3 / 2);
    expect(afterwards).toBe(0);
  },
);
