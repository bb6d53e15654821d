import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { tenantOf } from '@event-commerce/contracts';
import { type Connection, Schema } from 'mongoose';
import { beforeAll, expect, inject, onTestFinished, test } from 'vitest';
import { newDatabase } from '../../test-kit/src/new-database.ts';
import { createLogger, type JobDocument, jobPaths, jobsOn, type JobState, leaseOn, startLoop } from '../src/index.ts';

type Counting = { upTo: number };
type Counted = { steps: number };

let connection: Connection;
beforeAll(async () => {
  const database = await newDatabase(inject('mongoUrl'));
  connection = database.connection;
  return database.drop;
});

const tenant = tenantOf({ companyId: 'acme', environment: 'live' });
const logger = createLogger({ service: 'test', level: 'silent' });

/** Replicas that count to a number, each with a collection of jobs that they share. */
function counters() {
  const collection = `jobs_${randomUUID()}`;
  const schema = new Schema<JobDocument<Counting, Counted, number>>(jobPaths, { collection, versionKey: false });
  const model = connection.model<JobDocument<Counting, Counted, number>>(collection, schema);
  return {
    documents: model.collection,
    replica: (onStep: (job: JobState<Counting, Counted>) => Promise<void> = async () => undefined) => {
      const jobs = jobsOn<Counting, Counted, number>({
        name: 'counting',
        model,
        relay: { publish: () => undefined },
        async step(job) {
          await onStep(job);
          const { input, place, progress } = job;
          const [at, steps] = [Number(place) + 1, progress.steps + 1];
          return at > input.upTo
            ? { result: at - 1, progress: { steps } }
            : { place: String(at), progress: { steps }, afterMs: 10 };
        },
        keptMs: 60_000,
        clock: () => new Date(),
        logger,
      });
      const stop = startLoop(jobs.loop, logger);
      onTestFinished(stop);
      return { ...jobs, stop };
    },
  };
}

test('a job does its steps one after the other, ends with a result, and then no longer has its input', async () => {
  const { replica, documents } = counters();
  const one = replica();
  await one.start('job_1', tenant, { input: { upTo: 3 }, progress: { steps: 0 } });
  // A repeated request starts nothing.
  await one.start('job_1', tenant, { input: { upTo: 9 }, progress: { steps: 0 } });
  expect(await one.settled(tenant, 'job_1', 10_000)).toMatchObject({
    status: 'done',
    result: 3,
    progress: { steps: 4 },
  });
  expect(await documents.findOne({ _id: 'job_1' as never })).not.toHaveProperty('input');
  expect(await one.find(tenantOf({ companyId: 'other', environment: 'live' }), 'job_1')).toBeUndefined();
});

test('a step that fails is repeated, and the job continues', async () => {
  let failures = 0;
  const { replica } = counters();
  const one = replica(async ({ place }) => {
    if (place === '1' && failures++ < 1) throw new Error('not now');
  });
  await one.start('job_1', tenant, { input: { upTo: 2 }, progress: { steps: 0 } });
  expect(await one.settled(tenant, 'job_1', 10_000)).toMatchObject({ result: 2, progress: { steps: 3 } });
});

test('a replica that stops leaves its jobs to another, which continues where it stopped', async () => {
  const { replica } = counters();
  const seen: string[] = [];
  const first = replica(async ({ place }) => void seen.push(`first ${place}`));
  await first.start('job_1', tenant, { input: { upTo: 50 }, progress: { steps: 0 } });
  await expect.poll(() => seen.length).toBeGreaterThan(2);
  await first.stop();
  const done = seen.length;
  const second = replica(async ({ place }) => void seen.push(`second ${place}`));
  expect(await second.settled(tenant, 'job_1', 10_000)).toMatchObject({ result: 50, progress: { steps: 51 } });
  expect(seen.slice(done).every((one) => one.startsWith('second'))).toBe(true);
});

test('one of several replicas holds a lease; another gets it once it has seen no renewal for a while', async () => {
  const leases = connection.collection<{ _id: string; holder: string; beat: number }>(`leases_${randomUUID()}`);
  const options = { creates: true, lapsesAfterMs: 300 };
  const [one, other] = [leaseOn(leases, 'work', options), leaseOn(leases, 'work', options)];
  const beganMs = performance.now();
  let heldAtMs = beganMs;
  while (performance.now() - beganMs < 600) {
    heldAtMs = performance.now();
    expect([await one.holds(), await other.holds()]).toEqual([true, false]);
    await delay(50);
  }
  await expect.poll(other.holds, { interval: 50 }).toBe(true);
  // Its holder need not ask for a part of that time after a renewal.
  expect(performance.now() - heldAtMs).toBeGreaterThan(0.7 * options.lapsesAfterMs);
  expect([await one.holds(), await other.holds()]).toEqual([false, true]);
});
