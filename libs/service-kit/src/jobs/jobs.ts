import { setTimeout as delay } from 'node:timers/promises';
import type { Tenant } from '@event-commerce/contracts';
import { type OutboxEntry, outboxIndex, outboxPath, type Relay, type WithOutbox } from '@event-commerce/outbox';
import { type IndexDefinition, type IndexOptions, type Model, Schema } from 'mongoose';
import { IDLE_MS, type Loop } from '../concurrency/loop.ts';
import { isDuplicateKey } from '../mongo/mongo.ts';
import type { Logger } from '../process/logger.ts';
import { type Lease, type LeaseDocument, leaseOn, NOBODY, RENEW_EVERY_MS } from './lease.ts';

/** How often a replica looks for jobs that another one has left, while there are any. */
const LOOK_EVERY_MS = 1_000;
const AT_ONCE = 4;
const LISTED_MAX = 1_000;
const POLL_EVERY_MS = 100;
const AGAIN_AFTER_MS = 500;
const AGAIN_AFTER_MAX_MS = 60_000;

/** Work that takes longer than a request, in steps. Whichever replica holds it continues from its last step. */
export interface JobDocument<Input, Progress, Result> extends LeaseDocument, WithOutbox {
  companyId: Tenant;
  status: 'running' | 'done';
  /** What it works on; removed when the job is done. */
  input?: Input;
  /** Where the next step begins; empty before the first. */
  place: string;
  /** What it has done so far. */
  progress: Progress;
  /** Once it is done. */
  result?: Result;
  created: Date;
  /** When the database deletes it, once it is done. */
  purgeAt?: Date;
}

/** What the next step starts from. */
export interface JobState<Input, Progress> {
  id: string;
  tenant: Tenant;
  input: Input;
  place: string;
  progress: Progress;
}

/** Where the next step begins, after a pause if there is nothing to do yet; or the result, with the event about it. */
export type JobStep<Progress, Result> =
  | { place: string; progress: Progress; afterMs?: number }
  | { result: Result; progress: Progress; entry?: OutboxEntry };

const required = { required: true } as const;

/** The schema paths of jobs. */
export const jobPaths = {
  _id: String,
  companyId: { type: String, ...required },
  status: { type: String, ...required },
  input: Schema.Types.Mixed,
  place: { type: String, default: '' },
  progress: { type: Schema.Types.Mixed, ...required },
  result: Schema.Types.Mixed,
  holder: { type: String, default: NOBODY },
  beat: { type: Number, ...required },
  created: { type: Date, ...required },
  purgeAt: Date,
  outbox: outboxPath,
};

/** The arguments of `schema.index` for jobs, one call each. */
export const jobIndexes: [IndexDefinition, IndexOptions][] = [
  [{ status: 1 }, { partialFilterExpression: { status: 'running' } }],
  [{ purgeAt: 1 }, { expireAfterSeconds: 0 }],
  outboxIndex,
];

/**
 * The jobs of one kind. A step does a bounded piece of the work and must be safe to repeat: after a kill, the next
 * holder does the last one again. One that fails is repeated, later each time.
 */
export function jobsOn<Input, Progress, Result>({
  name,
  model,
  relay,
  step,
  keptMs,
  clock,
  logger,
}: {
  name: string;
  model: Model<JobDocument<Input, Progress, Result>>;
  relay: Pick<Relay<JobDocument<Input, Progress, Result>>, 'publish'>;
  step: (job: JobState<Input, Progress>) => Promise<JobStep<Progress, Result>>;
  /** For how long a job can be read once it is done. */
  keptMs: number;
  clock: () => Date;
  logger: Logger;
}) {
  type Job = JobDocument<Input, Progress, Result>;
  const { db, collection } = model;
  const jobs = db.collection<JobDocument<unknown, unknown, unknown>>(collection.name);
  const jobLeases = db.collection<LeaseDocument>(collection.name);
  const leases = new Map<string, Lease>();
  const underWay = new Map<string, Promise<void>>();
  let wake = (): void => undefined;

  const save = async ({ mine }: Lease, next: JobStep<Progress, Result>): Promise<Job | null> => {
    const { progress } = next;
    const purgeAt = new Date(clock().getTime() + keptMs);
    const saved = await jobs.findOneAndUpdate(
      { ...mine, status: 'running' },
      'result' in next
        ? {
            $set: { status: 'done', progress, result: next.result, holder: NOBODY, purgeAt },
            $unset: { input: '' },
            ...(next.entry === undefined ? {} : { $push: { outbox: next.entry } }),
          }
        : { $set: { place: next.place, progress }, $inc: { beat: 1 } },
      { returnDocument: 'after' },
    );
    return saved as Job | null;
  };

  /** Does steps of the job until it is done, `ending`, or another replica has it. */
  const work = async (lease: Lease, ending: AbortSignal): Promise<void> => {
    let job = (await jobs.findOne({ ...lease.mine, status: 'running' })) as Job | null;
    let failures = 0;
    while (job !== null && job.status === 'running' && !ending.aborted) {
      const { _id: id, companyId: tenant, input, place, progress } = job;
      let pauseMs: number | undefined;
      try {
        const next = await step({ id, tenant, input: input as Input, place, progress });
        job = await save(lease, next);
        failures = 0;
        if (job?.status === 'done') relay.publish(job);
        if ('afterMs' in next) pauseMs = next.afterMs;
      } catch (err) {
        pauseMs = Math.min(AGAIN_AFTER_MS * 2 ** failures, AGAIN_AFTER_MAX_MS);
        failures += 1;
        logger.warn({ err, job: id, failures }, `a step of ${name} failed; it will be repeated`);
      }
      if (pauseMs !== undefined) await delay(pauseMs, undefined, { signal: ending }).catch(() => undefined);
    }
  };

  const hold = async (lease: Lease, stopped: AbortSignal): Promise<void> => {
    const lost = new AbortController();
    const renewing = setInterval(() => {
      lease.holds().then(
        (held) => (held ? undefined : lost.abort()),
        (err: unknown) => logger.warn({ err }, `the lease of ${name} could not be renewed`),
      );
    }, RENEW_EVERY_MS);
    try {
      await work(lease, AbortSignal.any([stopped, lost.signal]));
      // Another replica need not wait for the lease to lapse.
      await jobLeases.updateOne(lease.mine, { $set: { holder: NOBODY } });
    } finally {
      clearInterval(renewing);
    }
  };

  /** Returns whether any job is running. */
  const look = async (stopped: AbortSignal): Promise<boolean> => {
    const found = await jobs
      .find({ status: 'running' }, { projection: { _id: 1 } })
      .limit(LISTED_MAX)
      .toArray();
    const ids = new Set(found.map(({ _id }) => _id));
    for (const id of leases.keys()) if (!ids.has(id) && !underWay.has(id)) leases.delete(id);
    for (const id of ids) {
      if (stopped.aborted || underWay.has(id) || underWay.size >= AT_ONCE) continue;
      const lease = leases.get(id) ?? leaseOn(jobLeases, id);
      leases.set(id, lease);
      if (!(await lease.holds())) continue;
      const holding = hold(lease, stopped)
        .catch((err: unknown) => logger.warn({ err, job: id }, `${name} was interrupted; it will be resumed`))
        .finally(() => {
          underWay.delete(id);
          wake();
        });
      underWay.set(id, holding);
    }
    return ids.size > 0;
  };

  const find = async (tenant: Tenant, id: string): Promise<Job | undefined> =>
    ((await jobs.findOne({ _id: id, companyId: tenant })) ?? undefined) as Job | undefined;

  const loop: Loop = {
    name,
    everyMs: LOOK_EVERY_MS,
    firstAfterMs: 0,
    run: async (stopped) => {
      let pauseMs = LOOK_EVERY_MS;
      while (!stopped.aborted) {
        const { promise: woken, resolve } = Promise.withResolvers<void>();
        wake = resolve;
        const found = await look(stopped).catch((err: unknown) =>
          logger.warn({ err }, `jobs of ${name} could not be found`),
        );
        pauseMs = found === false ? Math.min(pauseMs * 2, IDLE_MS) : LOOK_EVERY_MS;
        const resting = new AbortController();
        const rest = delay(pauseMs, undefined, { signal: AbortSignal.any([stopped, resting.signal]) });
        await Promise.race([woken, rest.catch(() => undefined)]);
        resting.abort();
      }
      await Promise.all(underWay.values());
    },
  };

  return {
    find,
    loop,

    /** Starts a job. One with this id that was started before is left alone. */
    async start(id: string, tenant: Tenant, { input, progress }: { input: Input; progress: Progress }): Promise<void> {
      const begun = { status: 'running', place: '', holder: NOBODY, beat: 0 } as const;
      try {
        await jobs.insertOne({ _id: id, companyId: tenant, ...begun, input, progress, created: clock() });
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
      }
      wake();
    },

    /** The job once it is done, or as it is after `withinMs`. */
    async settled(tenant: Tenant, id: string, withinMs: number): Promise<Job | undefined> {
      const endMs = performance.now() + withinMs;
      for (;;) {
        const job = await find(tenant, id);
        if (job?.status !== 'running' || performance.now() >= endMs) return job;
        await delay(POLL_EVERY_MS);
      }
    },
  };
}
