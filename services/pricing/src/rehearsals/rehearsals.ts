import type { CustomerKeys } from '@event-commerce/claims';
import {
  type Adjustment,
  ARRAY_LENGTH_MAX,
  adjustmentNotFound,
  invalidInput,
  keyOfTenant,
  type PriceBasis,
  type ProposedAdjustment,
  type Rehearsal,
  type RehearsalInput,
  rehearsalNotFound,
  type RehearsalReport,
  rehearsalRunning,
  REHEARSED_ORDERS_MAX,
  type ReplayedOrder,
  type Tenant,
} from '@event-commerce/contracts';
import {
  type Caller,
  type FairTurns,
  jobsOn,
  type JobState,
  type JobStep,
  type Logger,
  makeOnce,
} from '@event-commerce/service-kit';
import { LRUCache } from 'lru-cache';
import {
  type FrozenAdjustment,
  frozenAdjustments,
  type FrozenDefinition,
  issuedCodesIn,
} from '../amend/domain/frozen-adjustments.ts';
import { toAdjustment } from '../adjustments/adjustment-record.ts';
import type { AdjustmentRepository } from '../adjustments/adjustment.repository.ts';
import { merged } from '../adjustments/change-adjustment.ts';
import type { BudgetRepository } from '../budgets/budget.repository.ts';
import type { EventContexts } from '../evaluate/domain/cart-lines.ts';
import { contextsIn } from '../evaluate/event-contexts.ts';
import { type ProposeDeps, savedAs } from '../evaluate/propose-adjustments.ts';
import type { PricingModels, RehearsalJob } from '../models.ts';
import type { CommerceReplays, EventPlaces } from '../other-services.ts';
import type { RedemptionRepository } from '../redemptions/redemption.repository.ts';
import { CompanySnapshot } from '../snapshot/domain/snapshot.ts';
import { Replay } from './domain/replay.ts';

/** How many orders are one step of the job. */
const ORDERS_IN_A_STEP = 100;
/** How long a request waits for its report. */
const WAIT_MS = 3_000;
const KEPT_MS = 7 * 24 * 60 * 60 * 1_000;
/** More than a process replays at once. */
const REPLAYS_MAX = 16;

interface Deps extends ProposeDeps {
  adjustments: AdjustmentRepository;
  budgets: BudgetRepository;
  redemptions: Pick<RedemptionRepository, 'keptBefore'>;
  orders: CommerceReplays;
  placesOf: EventPlaces;
  customerKeys: Pick<CustomerKeys, 'replaceEmail'>;
  inFairTurn: FairTurns;
  logger: Logger;
}

type Work = NonNullable<RehearsalJob['input']>;
type Progress = RehearsalJob['progress'];

/** What a process has replayed of a job so far. */
interface Replaying {
  /** Where it continues. */
  place: string;
  replay: Replay;
  definitions: Map<string, FrozenDefinition>;
  events: Map<string, EventContexts>;
  tags: Map<string, readonly string[]>;
  /** The initial counts that have been read. */
  counted: Set<string>;
}

export type Rehearsals = ReturnType<typeof rehearsals>;

/**
 * Replays orders of the past under other adjustments. What was replayed so far is in the memory of the process that
 * holds the job: one that takes over starts from the beginning.
 */
export function rehearsals(deps: Deps, { rehearsals: model }: Pick<PricingModels, 'rehearsals'>) {
  const { adjustments, budgets, redemptions, orders, customerKeys, clock, logger } = deps;
  const replays = new LRUCache<string, Replaying>({ max: REPLAYS_MAX });

  const begin = async ({ tenant, input: { changed } }: Job): Promise<Replaying> => {
    const known = await budgets.readAll(tenant);
    const changes = { live: new CompanySnapshot(changed, known), ids: new Set(changed.map(({ id }) => id)) };
    return {
      place: '',
      replay: new Replay(changes, known),
      definitions: new Map(),
      events: new Map(),
      tags: new Map(),
      counted: new Set(),
    };
  };

  /** Reads the definitions in `bases` that are not known yet. One read has one version of each adjustment. */
  const readDefinitions = async (tenant: Tenant, { definitions }: Replaying, bases: readonly PriceBasis[]) => {
    const missing = new Map(
      bases.flatMap(({ adjustments: all }) =>
        all.flatMap(({ id, version }) =>
          definitions.has(`${id}@${version}`) ? [] : [[`${id}@${version}`, { id, version }]],
        ),
      ),
    );
    while (missing.size > 0) {
      const wanted = new Map([...missing].map(([key, one]) => [one.id, { key, ...one }]));
      const { frozen } = await adjustments.readVersions(tenant, [...wanted.values()]);
      for (const { id, key } of wanted.values()) {
        missing.delete(key);
        const one = frozen.get(id);
        // Its caps and its budget are also those of that time.
        if (one !== undefined) definitions.set(key, { frozen: one, present: one });
      }
    }
  };

  const frozenFor = ({ definitions }: Replaying, { basis, claims }: ReplayedOrder): FrozenAdjustment[] => {
    if (basis === undefined) return [];
    const met = new Map(
      basis.adjustments.flatMap(({ id, version }) => {
        const one = definitions.get(`${id}@${version}`);
        return one === undefined ? [] : [[id, one] as const];
      }),
    );
    return frozenAdjustments(basis, met, issuedCodesIn(claims));
  };

  /** Reads what the lines of `page` are part of, where that is not known yet. */
  const readPlaces = async (tenant: Tenant, { events, tags }: Replaying, page: readonly ReplayedOrder[]) => {
    const offerings = page.flatMap(({ lines }) => lines.map(({ offering }) => offering));
    const offeringIds = [...new Set(offerings.map(({ id }) => id))].filter((id) => !tags.has(id));
    const eventIds = [...new Set(offerings.flatMap(({ eventId }) => eventId ?? []))].filter((id) => !events.has(id));
    for (let from = 0; from < Math.max(offeringIds.length, eventIds.length); from += ARRAY_LENGTH_MAX) {
      const [some, ofEvents] = [offeringIds, eventIds].map((ids) => ids.slice(from, from + ARRAY_LENGTH_MAX));
      const found = await deps.placesOf(tenant, { offeringIds: some ?? [], eventIds: ofEvents ?? [] });
      const tagged = new Map(found.offerings.map((one) => [one.id, one.tags]));
      for (const id of some ?? []) tags.set(id, tagged.get(id) ?? []);
      const contexts = contextsIn(new Map(found.events.map((one) => [one.id, one])), ofEvents ?? []);
      for (const id of ofEvents ?? []) events.set(id, contexts.get(id) ?? {});
    }
  };

  /** Reads what was claimed before the period from pools that are not known yet. */
  const readCounts = async (
    { tenant, input: { from } }: Job,
    { replay, counted }: Replaying,
    page: readonly { order: ReplayedOrder; frozen: readonly FrozenAdjustment[] }[],
  ) => {
    const pools = page.map(({ order, frozen }) => replay.poolsFor(order, frozen));
    const inAll = new Set(pools.flatMap((one) => one.inAll).filter((id) => !counted.has(id)));
    const byShare = new Map<string, Set<string>>();
    for (const { perCustomer, shares } of pools) {
      for (const share of shares) {
        for (const id of perCustomer) {
          if (counted.has(`${id}\n${share}`)) continue;
          byShare.set(id, (byShare.get(id) ?? new Set()).add(share));
        }
      }
    }
    replay.begin(await redemptions.keptBefore(tenant, new Date(from), [...inAll], byShare));
    for (const id of inAll) counted.add(id);
    for (const [id, shares] of byShare) for (const share of shares) counted.add(`${id}\n${share}`);
  };

  const step = async (job: Job): Promise<JobStep<Progress, RehearsalReport>> => {
    const { id, tenant, input, place, progress } = job;
    const held = replays.get(id);
    const replaying = held?.place === place ? held : await begin(job);
    const done = replaying === held ? progress.orders : 0;
    replays.delete(id);
    const { from, to } = input;
    const after = replaying.place === '' ? {} : { after: replaying.place };
    const read = await orders.page({ tenant: keyOfTenant(tenant), from, to, ...after, limit: ORDERS_IN_A_STEP });
    const keyed = read.orders.map((order) => ({ ...order, buyer: customerKeys.replaceEmail(tenant, order.buyer) }));
    await readDefinitions(
      tenant,
      replaying,
      keyed.flatMap(({ basis }) => basis ?? []),
    );
    if (replaying.replay.hasChanges) await readPlaces(tenant, replaying, keyed);
    const page = keyed.map((order) => ({ order, frozen: frozenFor(replaying, order) }));
    await readCounts(job, replaying, page);
    for (const { order, frozen } of page) {
      await deps.inFairTurn(keyOfTenant(tenant), () => replaying.replay.next(order, frozen, replaying));
    }
    const replayed = { ...progress, orders: done + page.length, of: Math.max(progress.of, done + page.length) };
    if (read.next === undefined)
      return { progress: { ...replayed, of: replayed.orders }, result: replaying.replay.report() };
    replays.set(id, { ...replaying, place: read.next });
    return { place: read.next, progress: replayed };
  };

  const jobs = jobsOn<Work, Progress, RehearsalReport>({
    name: 'rehearsals',
    model,
    // Rehearsals publish no events.
    relay: { publish: () => undefined },
    step,
    keptMs: KEPT_MS,
    clock,
    logger,
  });

  /** The changed and created adjustments as they would have been. */
  const changedBy = async (caller: Caller, changes: RehearsalInput['changes']): Promise<Adjustment[]> => {
    const storedOf = async (id: string) => {
      const record = await adjustments.find(caller.tenant, id);
      if (record === undefined) throw adjustmentNotFound(id);
      return record;
    };
    const proposed = await Promise.all(
      changes.map(async ({ create, patch, archive }, index): Promise<ProposedAdjustment> => {
        if (create !== undefined) return create;
        if (patch === undefined) {
          const stored = await storedOf(archive?.id ?? '');
          return { ...toAdjustment(stored), status: 'archived' };
        }
        const { id, ...members } = patch;
        return { ...merged(await storedOf(id), members, ['changes', index, 'patch']), id };
      }),
    );
    const ids = proposed.flatMap(({ id }) => id ?? []);
    const again = ids.findIndex((id, index) => ids.indexOf(id) !== index);
    if (again !== -1) throw invalidInput('changes', `name ${ids[again]} twice; put both changes into one`);
    const pathOf = (index: number) => `changes[${index}].${changes[index]?.create === undefined ? 'patch' : 'create'}`;
    return await savedAs(deps, caller, proposed, pathOf);
  };

  const make = async (caller: Caller, id: string, { from, to, changes }: RehearsalInput): Promise<RehearsalJob> => {
    const { tenant } = caller;
    const changed = await changedBy(caller, changes);
    const of = await orders.count({ tenant: keyOfTenant(tenant), from, to, max: REHEARSED_ORDERS_MAX + 1 });
    if (of > REHEARSED_ORDERS_MAX) {
      const problem = `makes a period with more than ${REHEARSED_ORDERS_MAX} orders, which is the most that one rehearsal replays; choose an earlier one`;
      throw invalidInput('to', problem);
    }
    await jobs.start(id, tenant, { input: { from, to, changed }, progress: { from, to, orders: 0, of } });
    const job = await jobs.settled(tenant, id, WAIT_MS);
    if (job !== undefined) return job;
    const running = await model.findOne({ companyId: tenant, status: 'running' }).lean();
    throw rehearsalRunning(running?._id ?? id);
  };

  return {
    loop: jobs.loop,

    /**
     * Starts a rehearsal, and waits a moment for its report.
     *
     * @throws {PlatformError} VALIDATION_FAILED, ADJUSTMENT_NOT_FOUND, COUPON_CODE_TAKEN, REHEARSAL_RUNNING
     */
    start: async (caller: Caller, input: RehearsalInput): Promise<Rehearsal> =>
      shown(
        await makeOnce(caller, 'reh', {
          find: async (id) => jobs.settled(caller.tenant, id, WAIT_MS),
          make: async (id) => make(caller, id, input),
        }),
      ),

    /** @throws {PlatformError} REHEARSAL_NOT_FOUND */
    async find(tenant: Tenant, id: string): Promise<Rehearsal> {
      const job = await jobs.find(tenant, id);
      if (job === undefined) throw rehearsalNotFound(id);
      return shown(job);
    },
  };
}

type Job = JobState<Work, Progress>;

function shown({ _id: id, status, progress: { from, to, orders, of }, created, result }: RehearsalJob): Rehearsal {
  return {
    id,
    from,
    to,
    status,
    progress: { orders, of },
    created: created.toISOString(),
    ...(result === undefined ? {} : { report: result }),
  };
}
