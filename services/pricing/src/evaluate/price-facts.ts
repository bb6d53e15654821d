import { type EvaluateCartRequest, keyOfTenant } from '@event-commerce/contracts';
import type { Caller, FairTurns } from '@event-commerce/service-kit';
import { type CappedInQuestion, cappedInQuestion } from './domain/capped-in-question.ts';
import type { PriceOptions } from './domain/price.ts';
import type { LiveAdjustments } from '../snapshot/domain/snapshot.ts';
import type { EventDirectory, FoundEvents } from './event-contexts.ts';
import type { RedemptionPools } from '../redemptions/redemption-pools.ts';
import type { SnapshotCache } from '../snapshot/snapshot-cache.ts';

/** What evaluations and purchases need to compute a price. */
export interface PricingDeps {
  events: EventDirectory;
  snapshots: Pick<SnapshotCache, 'get'>;
  pools: Pick<RedemptionPools, 'countsOf' | 'claimedBy'>;
  /** Where long evaluations wait, so that no company waits for many of another. */
  inFairTurn: FairTurns;
  clock: () => Date;
  defaultCurrency: string;
}

/** How often a price is prepared if adjustments are changed each time; then it is calculated nevertheless. */
export const PREPARED_MAX = 3;

/** Up to this product of lines and adjustments a price takes a few milliseconds at most. */
const QUICK_PRICES_MAX = 20_000;

/** Calculates a price at once if that is fast, otherwise when it is the company's turn. */
export async function fairly<T>(
  { inFairTurn }: PricingDeps,
  { tenant }: Caller,
  snapshot: LiveAdjustments,
  { lines }: EvaluateCartRequest,
  price: () => T,
): Promise<T> {
  return lines.length * snapshot.size <= QUICK_PRICES_MAX ? price() : await inFairTurn(keyOfTenant(tenant), price);
}

export function momentOf({ clock, defaultCurrency }: PricingDeps, { contexts }: FoundEvents) {
  return { now: clock().getTime(), defaultCurrency, events: contexts };
}

const NO_EVENTS: FoundEvents = { contexts: new Map(), unreachable: new Set() };

/** The contexts of the company's events `ids`, if its adjustments need them. */
export async function eventsOf(
  deps: PricingDeps,
  caller: Caller,
  snapshot: LiveAdjustments,
  ids: readonly string[],
): Promise<FoundEvents> {
  return snapshot.asksForEvents && ids.length > 0 ? await deps.events.find(caller, new Set(ids)) : NO_EVENTS;
}

export function eventIdsOf({ lines }: Pick<EvaluateCartRequest, 'lines'>): string[] {
  return lines.flatMap(({ offering }) => offering.eventId ?? []);
}

/** The claim counts that must be known before a cart can be priced. */
export type Question = CappedInQuestion & { customerId: string };

export function questionOf(snapshot: LiveAdjustments, cart: EvaluateCartRequest, events: FoundEvents): Question {
  const { customerId = '' } = cart.cartContext;
  return { customerId, ...cappedInQuestion(snapshot, cart, events.contexts) };
}

/** The claim counts that `questions` ask for, as each customer sees them. */
export async function claimCountsFor(
  deps: PricingDeps,
  questions: readonly Question[],
): Promise<(customerId: string | undefined) => Pick<PriceOptions, 'claimed' | 'customerUsage'>> {
  const inAll = new Set(questions.flatMap((question) => question.inAll));
  const asking = Map.groupBy(
    questions.filter(({ perCustomer }) => perCustomer.length > 0),
    ({ customerId }) => customerId,
  );
  const [counts, byCustomer] = await Promise.all([
    inAll.size === 0 ? undefined : deps.pools.countsOf([...inAll]),
    Promise.all(
      [...asking].map(async ([customerId, theirs]) => {
        const ids = new Set(theirs.flatMap(({ perCustomer }) => perCustomer));
        return [customerId, await deps.pools.claimedBy(customerId, [...ids])] as const;
      }),
    ),
  ]);
  const customers = new Map(byCustomer);
  return (customerId = '') => {
    const own = customers.get(customerId);
    return {
      claimed: (adjustmentId) => counts?.get(adjustmentId)?.claimed ?? 0,
      customerUsage: (adjustmentId) => own?.get(adjustmentId) ?? 0,
    };
  };
}
