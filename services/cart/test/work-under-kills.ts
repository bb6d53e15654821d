import { setImmediate as endOfTurn } from 'node:timers/promises';
import type { ServiceProcess } from '@event-commerce/test-kit';
import { expect } from 'vitest';

/** How many jobs of a batch are done before its kill. */
const DONE_BEFORE = 10;

/** Sends a request to the replica with this number, or to any replica. */
type Send = <T>(request: () => Promise<T>, replica?: number) => Promise<T>;

interface Work<Job> {
  jobs: readonly Job[];
  workers: number;
  kills: number;
  /** A kill waits until this many requests that may be at its replica are in flight. */
  cutOffAmong: number;
  /** Whether a request that failed with `error` got no answer. */
  isCutOff: (error: unknown) => boolean;
  work: (job: Job, worker: number, send: Send) => Promise<void>;
}

interface UnderWay {
  replica: number | undefined;
  ended: Promise<{ isCutOff: boolean }>;
}

/**
 * Workers do `jobs` while two replicas are killed and restarted in turn. Each kill has its own batch of the jobs: a
 * restart takes as long as many jobs, and the next kill would find nothing left to do. If the machine pauses, a kill
 * may come after all requests are answered, but this must not happen to all kills.
 */
export async function workUnderKills<Job>(replicas: readonly ServiceProcess[], work: Work<Job>): Promise<void> {
  const underWay = new Set<UnderWay>();
  const send: Send = async (request, replica) => {
    const sent = request();
    const ended = sent.then(
      () => ({ isCutOff: false }),
      (error: unknown) => ({ isCutOff: work.isCutOff(error) }),
    );
    const one = { replica, ended };
    underWay.add(one);
    return await sent.finally(() => underWay.delete(one));
  };
  const perhapsAt = (killed: number) =>
    [...underWay].filter(({ replica }) => replica === undefined || replica === killed);

  let cutOff = 0;
  const kill = async (killed: number, isDue: () => boolean): Promise<void> => {
    const isMet = async () => {
      // Responses that this process has not read yet count as answered.
      await endOfTurn();
      return isDue() && perhapsAt(killed).length >= work.cutOffAmong;
    };
    await expect.poll(isMet, { interval: 1, timeout: 30_000 }).toBe(true);
    const met = perhapsAt(killed);
    await replicas[killed]?.kill9();
    await replicas[killed]?.restart();
    const ends = await Promise.all(met.map(({ ended }) => ended));
    cutOff += ends.filter(({ isCutOff }) => isCutOff).length;
  };

  const size = Math.ceil(work.jobs.length / (work.kills + 1));
  for (let n = 0; n <= work.kills; n++) {
    const queue = work.jobs.slice(n * size, (n + 1) * size);
    let done = 0;
    const worker = async (_: unknown, number: number) => {
      for (let job = queue.shift(); job !== undefined; job = queue.shift()) {
        await work.work(job, number, send);
        done += 1;
      }
    };
    const workers = Array.from({ length: work.workers }, worker);
    await Promise.all([...workers, ...(n < work.kills ? [kill(n % 2, () => done > DONE_BEFORE)] : [])]);
  }
  expect(cutOff, 'requests that a kill cut off').toBeGreaterThan(0);
}
