import {
  type Budget,
  type BudgetInput,
  type BudgetListQuery,
  companyIdOf,
  type DomainEvent,
  type DomainEventType,
  type Page,
  type Tenant,
  wordsOf,
} from '@event-commerce/contracts';
import { domainEvent, outboxEntry, type OutboxEntry, type Relay } from '@event-commerce/outbox';
import {
  beginningsOf,
  beginsWith,
  changesInTurn,
  collectionOf,
  countOf,
  findPage,
  pageRange,
  type Quotas,
  toPage,
  UNREAD,
  type Writer,
} from '@event-commerce/service-kit';
import { poolNamed } from '../adjustments/domain/pools-of.ts';
import type { BudgetDocument, PricingModels } from '../models.ts';
import { budgetPools, type RedemptionPools } from '../redemptions/redemption-pools.ts';
import type { Change } from '../snapshot/change-log.repository.ts';

/** A budget with its internal fields. */
export interface BudgetRecord extends Omit<Budget, 'usage'> {
  tenant: Tenant;
}

/** How many of its exhausted pools a budget remembers. */
const EXHAUSTED_KEPT = 10;

export type BudgetRepository = ReturnType<typeof budgetRepository>;

export const budgetAmounts = ({ budgets }: PricingModels) => ({
  budgets: async (tenant: Tenant) => countOf(collectionOf(budgets), { companyId: tenant }),
});

/** `announce`: resolves when every replica uses the change. */
export function budgetRepository(
  models: PricingModels,
  pools: Pick<RedemptionPools, 'follow'>,
  relay: Relay<BudgetDocument>,
  quotas: Pick<Quotas<'budgets'>, 'use'>,
  announce: (change: Change) => Promise<void>,
  clock: () => Date,
) {
  const collection = collectionOf(models.budgets);

  /** Resolves when nothing is claimed under an earlier limit, and every replica uses this one. */
  const makeKnown = async (record: BudgetRecord): Promise<void> => {
    // The first limit has no earlier one.
    const following = record.version > 1 ? budgetPools(record.tenant, record, clock().getTime()) : [];
    await Promise.all(following.map(async (pool) => pools.follow(pool)));
    await announce(record);
  };

  const makeKnownAndPublish = async (document: BudgetDocument): Promise<BudgetRecord> => {
    const record = toRecord(document);
    await makeKnown(record).finally(() => relay.publish(document));
    return record;
  };

  return {
    changeInTurn: changesInTurn('The budget'),

    /**
     * Once this resolves, every replica knows the budget.
     *
     * @throws {PlatformError} QUOTA_EXCEEDED
     */
    async create(caller: Writer, id: string, input: BudgetInput): Promise<BudgetRecord> {
      const now = clock();
      const document: BudgetDocument = {
        _id: id,
        companyId: caller.tenant,
        ...definition(input),
        created: now,
        changed: now,
        version: 1,
        outbox: [outboxEntry('budget.created', now, { ...caller, after: { version: 1 } })],
      };
      await quotas.use(caller.tenant, { budgets: 1 }, async () => collection.insertOne(document));
      return await makeKnownAndPublish(document);
    },

    /**
     * Replaces the definition if it is still as in `current`; undefined if it is not. Once this resolves, every replica
     * uses it, and nothing more is claimed under the previous limit.
     */
    async replace(caller: Writer, current: BudgetRecord, input: BudgetInput): Promise<BudgetRecord | undefined> {
      const { id, version } = current;
      const now = clock();
      const { terms: _before, ...before } = definition(current);
      const { terms, ...after } = definition(input);
      const said = { before: { ...before, version }, after: { ...after, version: version + 1 } };
      const document = await collection.findOneAndUpdate(
        { _id: id, companyId: caller.tenant, version },
        {
          $set: { ...after, terms, changed: now },
          $inc: { version: 1 },
          $push: { outbox: outboxEntry('budget.updated', now, { ...caller, ...said }) },
        },
        { returnDocument: 'after' },
      );
      return document === null ? undefined : await makeKnownAndPublish(document);
    },

    /** Finishes the work of the writer of the budget, which may not have got that far, or may have been killed. */
    makeKnown,

    async find(companyId: Tenant, id: string): Promise<BudgetRecord | undefined> {
      const document = await collection.findOne({ _id: id, companyId }, { projection: UNREAD });
      return document === null ? undefined : toRecord(document);
    },

    /** One page of the company's budgets, newest first. */
    async page(companyId: Tenant, query: BudgetListQuery): Promise<Page<BudgetRecord>> {
      const words = beginningsOf(query.q, wordsOf).map((one) => ({ terms: beginsWith(one) }));
      const filter = { companyId, ...(words.length === 0 ? {} : { $and: words }), ...pageRange(query, 'budgets') };
      const found = await findPage<BudgetDocument>(collection, 'bud', filter, query);
      return toPage(found, query, 'budgets', toRecord);
    },

    /** The company's budgets, or those of `ids`. */
    async readAll(companyId: Tenant, ids?: readonly string[]): Promise<BudgetRecord[]> {
      const filter = { companyId, ...(ids === undefined ? {} : { _id: { $in: [...ids] } }) };
      return (await collection.find(filter, { projection: UNREAD }).toArray()).map(toRecord);
    },

    /** Records, once for each version of the budget, that one of its pools is exhausted, and publishes an event. */
    async noteExhausted(companyId: Tenant, poolId: string, version: number): Promise<void> {
      const { budgetId = '', day } = poolNamed(poolId);
      const mark = `${poolId}@${version}`;
      const now = clock();
      const document = await collection.findOneAndUpdate(
        { _id: budgetId, companyId, version, exhausted: { $ne: mark } },
        {
          $push: {
            exhausted: { $each: [mark], $slice: -EXHAUSTED_KEPT },
            outbox: outboxEntry('budget.exhausted', now, day === undefined ? {} : { extra: { day } }),
          },
        },
        { returnDocument: 'after' },
      );
      if (document !== null) relay.publish(document);
    },
  };
}

/** The document fields that `input` decides. */
function definition({ name, limit, per, timezone, onExhausted }: BudgetInput) {
  const { amount, currency } = limit;
  return { name, limit: { amount, currency }, per, timezone, onExhausted, terms: wordsOf(name) };
}

function toRecord(document: BudgetDocument): BudgetRecord {
  const { _id, companyId: tenant, outbox: _o, terms: _t, exhausted: _e, created, changed, ...fields } = document;
  return {
    id: _id,
    tenant,
    companyId: companyIdOf(tenant),
    ...fields,
    created: created.toISOString(),
    changed: changed.toISOString(),
  };
}

type BudgetEventType = Extract<DomainEventType, `budget.${string}`>;

/** The domain event of a budget's outbox entry. */
export function budgetEvent(entry: OutboxEntry, document: BudgetDocument): DomainEvent {
  const { extra, ...rest } = entry as OutboxEntry & { type: BudgetEventType; extra?: { day: string } };
  const { tenant, ...shown } = toRecord(document);
  return domainEvent(rest, { subject: document._id, tenant, data: { ...shown, ...extra } });
}
