import {
  type Cause,
  type CodeBatch,
  codeBatchNotFound,
  codeKey,
  companyIdOf,
  compactKey,
  couponCode,
  couponNotFound,
  DEFAULT_PATTERN,
  type DomainEvent,
  invalidInput,
  type IssueCodesInput,
  type Page,
  type PageQuery,
  type RejectedCode,
  storedCode,
  type Tenant,
} from '@event-commerce/contracts';
import { domainEvent, outboxEntry, type OutboxEntry, type Relay } from '@event-commerce/outbox';
import {
  type Caller,
  collectionOf,
  findPage,
  jobsOn,
  type JobState,
  type JobStep,
  type Logger,
  makeOnce,
  pageRange,
  type Quotas,
  toPage,
} from '@event-commerce/service-kit';
import type { AdjustmentRecord } from '../adjustments/adjustment-record.ts';
import type { AdjustmentRepository } from '../adjustments/adjustment.repository.ts';
import type { CouponStateRepository } from '../adjustments/coupon-state.repository.ts';
import type { CodeBatchDocument, PricingModels } from '../models.ts';
import type { CodeRepository } from './code.repository.ts';
import { placesMissing, randomCodes } from './domain/code-pattern.ts';

/** How many codes one write makes, and how many writes are one step of the job. */
const CODES_AT_ONCE = 1_000;
const WRITES_IN_A_STEP = 5;
/** How long a request waits for its codes. */
const WAIT_MS = 3_000;
const KEPT_MS = 7 * 24 * 60 * 60 * 1_000;

interface Deps {
  codes: CodeRepository;
  adjustments: Pick<AdjustmentRepository, 'findByCoupon' | 'heldAmong'>;
  couponStates: Pick<CouponStateRepository, 'find'>;
  quotas: Pick<Quotas<'codes'>, 'use'>;
  clock: () => Date;
  logger: Logger;
}

type Work = { batchId: string; cause: Cause };
type Step = JobStep<{ batchId: string }, Record<string, never>>;

export const codeAmounts = ({ codeBatches: model }: Pick<PricingModels, 'codeBatches'>) => ({
  /** Includes codes that are still being made. */
  codes: async (companyId: Tenant): Promise<number> => {
    let codes = 0;
    const cursor = collectionOf(model).find({ companyId }, { projection: { _id: 0, count: 1 } });
    for await (const { count } of cursor) codes += count;
    return codes;
  },
});

export type CodeBatches = ReturnType<typeof codeBatches>;

/** Issues codes for coupons and revokes them, batch by batch: jobs, because a batch may have a million. */
export function codeBatches(
  deps: Deps,
  { codeBatches: model, codeJobs }: Pick<PricingModels, 'codeBatches' | 'codeJobs'>,
  relay: Relay<CodeBatchDocument>,
) {
  const { codes, adjustments, couponStates, quotas, clock, logger } = deps;
  const batches = collectionOf(model);

  const find = async (tenant: Tenant, id: string): Promise<CodeBatchDocument | undefined> =>
    (await batches.findOne({ _id: id, companyId: tenant })) ?? undefined;

  /** Changes a batch that still has `status`, and publishes its event. */
  const advance = async (
    { _id, status }: Pick<CodeBatchDocument, '_id' | 'status'>,
    fields: Partial<CodeBatchDocument>,
    entry?: OutboxEntry,
  ): Promise<CodeBatchDocument | undefined> => {
    const changed = await batches.findOneAndUpdate(
      { _id, status },
      { $set: fields, $inc: { version: 1 }, ...(entry === undefined ? {} : { $push: { outbox: entry } }) },
      { returnDocument: 'after' },
    );
    if (changed !== null && entry !== undefined) relay.publish(changed);
    return changed ?? undefined;
  };

  /** Fills the slots from `from` up to `until`. A code that exists already gets another try in its slot. */
  const fill = async (batch: CodeBatchDocument, from: number, until: number): Promise<void> => {
    const { pattern = DEFAULT_PATTERN, companyId } = batch;
    let slots = Array.from({ length: until - from }, (_, index) => from + index);
    while (slots.length > 0) {
      const made = randomCodes(pattern, slots.length);
      const held = await adjustments.heldAmong(companyId, made.map(codeKey));
      const entries = slots.flatMap((slot, index) => {
        const code = made[index] ?? '';
        return held.has(codeKey(code)) ? [] : [{ code, slot }];
      });
      const issued = await codes.issue(batch, entries);
      const failed = issued.find((outcome) => outcome instanceof Error);
      if (failed !== undefined) throw failed;
      if (entries.length === slots.length && issued.every(Boolean)) return;
      const filled = await codes.slotsOf(batch._id, from, until);
      slots = slots.filter((slot) => !filled.has(slot));
    }
  };

  const make = async (
    batch: CodeBatchDocument,
    { input, progress }: Pick<Job, 'input' | 'progress'>,
  ): Promise<Step> => {
    const { count, made: from } = batch;
    let made = from;
    for (let writes = 0; made < count && writes < WRITES_IN_A_STEP; writes++) {
      const until = Math.min(count, made + CODES_AT_ONCE);
      await fill(batch, made, until);
      made = until;
    }
    if (made < count) {
      await advance(batch, { made });
      return { place: String(made), progress };
    }
    const finished = clock();
    const entry = outboxEntry('coupon.codes_issued', finished, input.cause);
    const done = await advance(batch, { made, status: 'done', finished }, entry);
    // Otherwise it is being revoked by now.
    return done === undefined ? { place: '', progress } : { progress, result: {} };
  };

  const revoke = async (
    batch: CodeBatchDocument,
    { input, place, progress }: Pick<Job, 'input' | 'place' | 'progress'>,
  ): Promise<Step> => {
    const after = place.startsWith(REVOKED) ? place.slice(REVOKED.length) : '';
    const { revoked, last } = await codes.revokeSome(batch._id, after, CODES_AT_ONCE * WRITES_IN_A_STEP);
    if (revoked > 0) return { place: `${REVOKED}${last}`, progress };
    const entry = outboxEntry('coupon.codes_revoked', clock(), input.cause);
    await advance(batch, { status: 'revoked', finished: clock() }, entry);
    return { progress, result: {} };
  };

  const step = async (job: Job): Promise<Step> => {
    const batch = await find(job.tenant, job.input.batchId);
    if (batch?.status === 'running') return await make(batch, job);
    return batch?.status === 'revoking' ? await revoke(batch, job) : { progress: job.progress, result: {} };
  };
  const jobs = jobsOn<Work, { batchId: string }, Record<string, never>>({
    name: 'codes of coupons',
    model: codeJobs,
    // Batches publish their own events.
    relay: { publish: () => undefined },
    step,
    keptMs: KEPT_MS,
    clock,
    logger,
  });

  /** The adjustment of a coupon. @throws {PlatformError} COUPON_NOT_FOUND */
  const adjustmentOf = async (tenant: Tenant, couponId: string): Promise<AdjustmentRecord | undefined> => {
    const adjustment = await adjustments.findByCoupon(tenant, couponId);
    if (adjustment === undefined && (await couponStates.find(tenant, couponId)) === undefined) {
      throw couponNotFound(couponId);
    }
    return adjustment;
  };

  /** @throws {PlatformError} COUPON_NOT_FOUND, BATCH_NOT_FOUND */
  const batchOf = async (tenant: Tenant, couponId: string, id: string): Promise<CodeBatchDocument> => {
    const batch = await find(tenant, id);
    if (batch?.couponId === couponId) return batch;
    await adjustmentOf(tenant, couponId);
    throw codeBatchNotFound(couponId, id);
  };

  /** Starts the job of a batch, and waits a moment for its end. Safe to repeat. */
  const run = async (
    caller: Caller,
    { _id: batchId, companyId, status }: CodeBatchDocument,
  ): Promise<CodeBatchDocument> => {
    const jobId = `${batchId} ${status}`;
    const { keyId, keyName, requestId } = caller;
    const cause = { keyId, requestId, ...(keyName === undefined ? {} : { keyName }) };
    await jobs.start(jobId, companyId, { input: { batchId, cause }, progress: { batchId } });
    await jobs.settled(companyId, jobId, WAIT_MS);
    const batch = await find(companyId, batchId);
    if (batch === undefined) throw new Error(`batch ${batchId} is gone`);
    return batch;
  };

  const newBatch = async (
    caller: Caller,
    { id: adjustmentId }: AdjustmentRecord,
    couponId: string,
    fields: Pick<CodeBatchDocument, 'kind' | 'pattern' | 'limitPerCode' | 'count' | 'status'>,
  ): Promise<CodeBatchDocument> =>
    await makeOnce(caller, 'bat', {
      find: async (id) => find(caller.tenant, id),
      make: async (id) => {
        const batch: CodeBatchDocument = {
          _id: id,
          companyId: caller.tenant,
          couponId,
          adjustmentId,
          ...fields,
          made: 0,
          created: clock(),
          version: 1,
        };
        await quotas.use(caller.tenant, { codes: fields.count }, async () => batches.insertOne(batch));
        return batch;
      },
    });

  /** Issues codes that the company supplies. Repeated after a crash, it issues the rest. */
  const bring = async (
    caller: Caller,
    batch: CodeBatchDocument,
    given: readonly string[],
  ): Promise<{ batch: CodeBatchDocument; rejected: RejectedCode[] }> => {
    const { tenant } = caller;
    const rejected: RejectedCode[] = [];
    const wanted = new Map<string, { index: number; code: string }>();
    for (const [index, text] of given.entries()) {
      const { data: code } = couponCode.safeParse(text);
      const key = code === undefined ? '' : compactKey(code);
      if (code === undefined || key === '') rejected.push({ index, reason: 'invalid' });
      else if (wanted.has(key)) rejected.push({ index, reason: 'duplicate' });
      else wanted.set(key, { index, code: storedCode(code) });
    }
    const all = [...wanted.values()];
    const held = await adjustments.heldAmong(
      tenant,
      all.map(({ code }) => codeKey(code)),
    );
    const free = all.filter(({ code }) => !held.has(codeKey(code)));
    // Codes that turn out to exist are counted until the next recount.
    const outcomes = await quotas.use(tenant, { codes: free.length }, async () =>
      codes.issue(
        batch,
        free.map(({ code }) => ({ code })),
      ),
    );
    const failed = outcomes.find((outcome) => outcome instanceof Error);
    if (failed !== undefined) throw failed;
    const taken = free.filter((_, index) => outcomes[index] === false);
    const owners = await codes.find(
      tenant,
      taken.map(({ code }) => code),
    );
    for (const { index, code } of all) {
      if (held.has(codeKey(code))) rejected.push({ index, reason: 'held' });
    }
    for (const { index, code } of taken) {
      const { adjustmentId, batchId } = owners.get(compactKey(code)) ?? {};
      // An earlier attempt of this request issued it.
      if (caller.attempt?.repeated === true && batchId === batch._id) continue;
      rejected.push({ index, reason: adjustmentId === batch.adjustmentId ? 'duplicate' : 'held' });
    }
    const made = await codes.countOf(batch._id);
    const fields = { count: made, made, finished: clock() };
    const entry = outboxEntry('coupon.codes_issued', clock(), caller);
    const changed = made === batch.made ? batch : await advance(batch, fields, entry);
    return { batch: changed ?? batch, rejected: rejected.toSorted((a, b) => a.index - b.index) };
  };

  return {
    loop: jobs.loop,
    adjustmentOf,

    /**
     * Makes codes, or issues those of the request; many are still being made when this returns.
     *
     * @throws {PlatformError} COUPON_NOT_FOUND, BATCH_NOT_FOUND, VALIDATION_FAILED, QUOTA_EXCEEDED
     */
    async issue(caller: Caller, couponId: string, input: IssueCodesInput): Promise<CodeBatch> {
      const { count, codes: given = [], pattern = DEFAULT_PATTERN, batchId, limitPerCode = 1 } = input;
      const adjustment = await adjustmentOf(caller.tenant, couponId);
      if (adjustment?.conditions.uniqueCodes !== true) {
        const problem = `issue codes for coupon ${couponId}, which has no uniqueCodes; set uniqueCodes to true first, and give it a discount`;
        throw invalidInput('id', problem);
      }
      if (count !== undefined) {
        const missing = placesMissing(pattern, count);
        if (missing > 0) {
          throw invalidInput('pattern', `needs ${missing} more # for ${count} codes, so that nobody guesses one`);
        }
        const fields = { kind: 'generated', pattern, limitPerCode, count, status: 'running' } as const;
        return shown(await run(caller, await newBatch(caller, adjustment, couponId, fields)));
      }
      const existing = batchId === undefined ? undefined : await batchOf(caller.tenant, couponId, batchId);
      if (existing !== undefined) refuseUnlike(existing, input);
      const fields = { kind: 'imported', limitPerCode, count: 0, status: 'done' } as const;
      const { batch, rejected } = await bring(
        caller,
        existing ?? (await newBatch(caller, adjustment, couponId, fields)),
        given,
      );
      return { ...shown(batch), rejected };
    },

    /**
     * Revokes the codes of a batch; many are still being revoked when this returns. Safe to repeat.
     *
     * @throws {PlatformError} COUPON_NOT_FOUND, BATCH_NOT_FOUND
     */
    async revoke(caller: Caller, couponId: string, id: string): Promise<CodeBatch> {
      const batch = await batchOf(caller.tenant, couponId, id);
      if (batch.status === 'revoked') return shown(batch);
      const revoking = batch.status === 'revoking' ? batch : ((await advance(batch, { status: 'revoking' })) ?? batch);
      return shown(await run(caller, revoking));
    },

    /** @throws {PlatformError} COUPON_NOT_FOUND, BATCH_NOT_FOUND */
    find: async (tenant: Tenant, couponId: string, id: string): Promise<CodeBatch> =>
      shown(await batchOf(tenant, couponId, id)),

    /** One page of a coupon's batches, newest first. @throws {PlatformError} COUPON_NOT_FOUND */
    async page(tenant: Tenant, couponId: string, query: PageQuery): Promise<Page<CodeBatch>> {
      await adjustmentOf(tenant, couponId);
      const filter = { companyId: tenant, couponId, ...pageRange(query, 'batches') };
      return toPage(await findPage(batches, 'bat', filter, query), query, 'batches', shown);
    },
  };
}

type Job = JobState<Work, { batchId: string }>;

/** The place of a job that revokes: this, followed by the last code that it revoked. */
const REVOKED = 'revoked ';

function refuseUnlike({ _id, kind, status, limitPerCode }: CodeBatchDocument, input: IssueCodesInput): void {
  if (kind !== 'imported' || status !== 'done') {
    throw invalidInput('batchId', `names ${_id}, to which no codes can be added; leave it out for a new batch`);
  }
  if (input.limitPerCode !== undefined && input.limitPerCode !== limitPerCode) {
    throw invalidInput('limitPerCode', `contradicts batch ${_id}, which has ${limitPerCode}`);
  }
}

function shown(batch: CodeBatchDocument): CodeBatch {
  const { _id: id, companyId: _c, adjustmentId: _a, outbox: _o, created, finished, ...fields } = batch;
  return {
    id,
    ...fields,
    created: created.toISOString(),
    ...(finished === undefined ? {} : { finished: finished.toISOString() }),
  };
}

/** The domain event of a batch's outbox entry. */
export function codeBatchEvent(entry: OutboxEntry, document: CodeBatchDocument): DomainEvent {
  const { _id: id, companyId: tenant, couponId, kind, limitPerCode, count, made, status, version } = document;
  return domainEvent(entry, {
    subject: couponId,
    tenant,
    data: { id, companyId: companyIdOf(tenant), couponId, kind, limitPerCode, count, made, status, version },
  });
}
