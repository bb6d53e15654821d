import {
  type Claim,
  createPools,
  type LedgerEntry,
  type LedgerStatus,
  type PoolDefinition,
  type PoolDocument,
  type Pools,
} from '@event-commerce/claims';
import type {
  AdjustmentUsage,
  Cause,
  DomainEvent,
  DomainEventData,
  DomainEventType,
  Usage,
} from '@event-commerce/contracts';
import { domainEvent, outboxEntry, type OutboxEntry, type Relay } from '@event-commerce/outbox';
import type { AdjustmentRecord } from '../adjustments/adjustment-record.ts';
import {
  type CountedBuyer,
  type IssuedCode,
  type KeptAdjustment,
  sharesFor,
} from '../adjustments/domain/adjustment.ts';
import { codePoolOf, hasTicketCap, poolNamed, poolOfBudget, ticketPoolOf } from '../adjustments/domain/pools-of.ts';
import { daysAround, type KeptBudget } from '../budgets/domain/budget.ts';
import type { PricingModels, RedemptionDocument, UsageDocument } from '../models.ts';

/** How often adjustments are redeemed, in total and by each customer. */
export type RedemptionPools = Pools;

type Defined = Pick<AdjustmentRecord, 'id' | 'version' | 'conditions' | 'origin' | 'couponId'>;

/** The ledger's name for the pool of a redemption. */
const POOL_FIELD = 'adjustmentId' satisfies keyof RedemptionDocument;

export function redemptionCollections({ usages, customerUsage, redemptions }: PricingModels) {
  const { db } = usages;
  return {
    pools: db.collection<PoolDocument>(usages.collection.name),
    shares: db.collection<PoolDocument>(customerUsage.collection.name),
    ledger: db.collection<LedgerEntry>(redemptions.collection.name),
    poolField: POOL_FIELD,
  };
}

export function redemptionPools(
  models: PricingModels,
  relay: Relay<UsageDocument>,
  clock: () => Date,
): RedemptionPools {
  return createPools({
    ...redemptionCollections(models),
    relay,
    toEntry: redemptionEntry,
    clock,
  });
}

/** The pool of an adjustment's redemptions. */
export function poolOf(companyId: Claim['companyId'], adjustment: Defined): PoolDefinition {
  const { id, version, conditions, origin, couponId } = adjustment;
  return {
    id,
    companyId,
    version,
    limit: conditions.maxRedemptions,
    about: { origin, ...(couponId === undefined ? {} : { couponId }) },
  };
}

/** The pools of an adjustment. Its tickets are counted only while something limits them. */
export function poolsOf(companyId: Claim['companyId'], adjustment: Defined): PoolDefinition[] {
  const redemptions = poolOf(companyId, adjustment);
  return hasTicketCap(adjustment.conditions) ? [redemptions, ticketsOf(redemptions, adjustment)] : [redemptions];
}

/** The pool of the tickets that an adjustment counts for. */
export function ticketsOf(redemptions: PoolDefinition, { id, conditions }: Defined): PoolDefinition {
  return { ...redemptions, id: ticketPoolOf(id), limit: conditions.maxTickets };
}

/** The pool of an issued code of the adjustment that has these `redemptions`. */
export function poolOfCode(redemptions: PoolDefinition, { code, limit, version }: IssuedCode): PoolDefinition {
  return { ...redemptions, id: codePoolOf(redemptions.id, code), limit, version };
}

/** A pool of a budget. A budget per customer has its limit in their shares. */
export function poolOfBudgetAt(
  companyId: Claim['companyId'],
  { version, limit, per }: Pick<KeptBudget, 'version' | 'limit' | 'per'>,
  id: string,
): PoolDefinition {
  return { id, companyId, version, limit: per === 'customer' ? undefined : limit.amount };
}

/** The pools of a budget on which orders may be about to draw. */
export function budgetPools(companyId: Claim['companyId'], budget: KeptBudget, nowMs: number): PoolDefinition[] {
  const { id, per, timezone } = budget;
  const poolIds = per === 'day' ? daysAround(timezone, nowMs).map((day) => poolOfBudget(id, day)) : [id];
  return poolIds.map((poolId) => poolOfBudgetAt(companyId, budget, poolId));
}

/**
 * Whether the caps of an adjustment would have room for `quantity` more if the orders that are being placed were
 * refused.
 */
export async function isFullForNow(
  pools: Pick<RedemptionPools, 'keptOf'>,
  { id, conditions, issued }: Pick<KeptAdjustment, 'id' | 'conditions' | 'issued'>,
  { quantity, ...buyer }: CountedBuyer & { quantity: number },
): Promise<boolean> {
  const { maxRedemptions = Infinity, maxRedemptionsPerCustomer = Infinity } = conditions;
  const [share, ...others] = sharesFor(conditions, buyer);
  const kept = await Promise.all([share, ...others].map(async (one) => pools.keptOf(id, one)));
  const [inAll, byCustomer] = [kept[0]?.inAll ?? 0, Math.max(...kept.map((one) => one.byCustomer))];
  if (issued !== undefined && (await pools.keptOf(codePoolOf(id, issued.code))).inAll >= issued.limit) return false;
  return inAll + quantity <= maxRedemptions && byCustomer + quantity <= maxRedemptionsPerCustomer;
}

/** How often an adjustment was redeemed, and how often it still can be. */
export async function usageOf(pools: RedemptionPools, adjustment: Defined): Promise<Usage> {
  const { redeemed, remaining } = usageFrom(adjustment, await pools.find(adjustment.id));
  return { redeemed, remaining };
}

/** What is used of each of `adjustments`, including claims. */
export async function usagesOf(
  pools: Pick<RedemptionPools, 'countsOf'>,
  adjustments: readonly Pick<Defined, 'id' | 'conditions'>[],
): Promise<(adjustment: Pick<Defined, 'id' | 'conditions'>) => AdjustmentUsage> {
  const counts = await pools.countsOf(
    adjustments.flatMap(({ id, conditions }) => (hasTicketCap(conditions) ? [id, ticketPoolOf(id)] : [id])),
  );
  return ({ id, conditions }) => ({
    ...usageFrom({ conditions }, counts.get(id)),
    ...(hasTicketCap(conditions) ? { tickets: ticketsFrom(conditions, counts.get(ticketPoolOf(id))?.claimed) } : {}),
  });
}

/** Without counters, the adjustment was never redeemed. */
function usageFrom(
  { conditions }: Pick<Defined, 'conditions'>,
  { confirmed = 0, claimed }: Pick<PoolDocument, 'confirmed' | 'claimed'> = { claimed: 0 },
): AdjustmentUsage {
  return { redeemed: confirmed, claimed, remaining: leftOf(conditions.maxRedemptions, claimed) };
}

function ticketsFrom({ maxTickets }: Defined['conditions'], claimed = 0): NonNullable<AdjustmentUsage['tickets']> {
  return { claimed, remaining: leftOf(maxTickets, claimed) };
}

function leftOf(limit: number | undefined, claimed: number): number | null {
  return limit === undefined ? null : Math.max(0, limit - claimed);
}

type RedemptionEvent = Extract<DomainEventType, `redemption.${string}`>;
type RedemptionEntry = OutboxEntry & {
  type: RedemptionEvent;
  extra: DomainEventData<RedemptionEvent>['redemption'];
};

/**
 * The outbox entry about the outcome of a claim. None for a held claim, which is not a redemption yet, nor for a claim
 * of a code, tickets or a budget, which is a part of one.
 */
function redemptionEntry(claim: Claim, status: LedgerStatus, now: Date, cause?: Cause): OutboxEntry | undefined {
  if (status === 'held' || poolNamed(claim.poolId).pool !== 'redemptions') return undefined;
  const { id, poolId: adjustmentId, orderId, customerId, code, quantity } = claim;
  const optional = { ...(customerId === undefined ? {} : { customerId }), ...(code === undefined ? {} : { code }) };
  const extra: RedemptionEntry['extra'] = { id, adjustmentId, orderId, ...optional, quantity, status };
  return outboxEntry(`redemption.${status}`, now, { ...cause, extra });
}

/** The domain event of a usage's outbox entry. */
export function redemptionEvent(entry: OutboxEntry, document: UsageDocument): DomainEvent {
  const { type, extra, ...rest } = entry as RedemptionEntry;
  const { _id, companyId, confirmed = 0, claimed, version, origin = '', couponId } = document;
  return domainEvent(
    { ...rest, type },
    {
      subject: _id,
      tenant: companyId,
      data: {
        redemption: extra,
        usage: { redeemed: confirmed, claimed, version },
        origin,
        ...(couponId === undefined ? {} : { couponId }),
      },
    },
  );
}
