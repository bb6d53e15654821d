import { ARRAY_LENGTH_MAX, type Tenant } from '@event-commerce/contracts';
import { type Claim, type LedgerStatus, statusBy, transitionOf } from './claim.ts';
import type { Pools } from './create-pools.ts';
import { type Commerce, outcomeFor } from './order-claims.ts';

/**
 * A claim that does not match its order: held for a placed order, or kept for one that is over or needs only `quantity`
 * of it.
 */
interface Unsettled {
  claim: Claim;
  expected: LedgerStatus;
  quantity?: number;
  repaired: boolean;
}

interface CommerceOfRepair extends Pick<Commerce, 'settleOrder' | 'claimsOf'> {
  /** Which of at most 500 orders may not need all that they claimed when they were placed. */
  changed: (orderIds: readonly string[]) => Promise<Set<string>>;
}

/** Recent claims are left alone: the events of their orders may be on their way. */
const TOLD_WITHIN_MS = 5 * 60 * 1000;

/**
 * Compares the claims that orders keep, of one company or of all, with those orders, and settles them with `repair`: an
 * event of an order may have been lost. Nearly all are confirmed claims of placed orders: commerce is asked about many
 * of those at a time.
 */
export async function* compareKept(
  pools: Pick<Pools, 'keptSince' | 'stateOf' | 'followOrder'>,
  commerce: CommerceOfRepair,
  { repair, companyId, now }: { repair: boolean; companyId?: Tenant | undefined; now: Date },
): AsyncGenerator<Unsettled> {
  const kept = pools.keptSince(new Date(now.getTime() - TOLD_WITHIN_MS), companyId);
  for await (const claims of someAtATime(kept)) {
    const confirmed = claims.filter(({ status }) => status === 'confirmed').map(({ orderId }) => orderId);
    const changed = confirmed.length === 0 ? new Set() : await commerce.changed([...new Set(confirmed)]);
    for (const claim of claims) {
      if (claim.status === 'confirmed' && !changed.has(claim.orderId)) continue;
      const { outcome, ...part } = await outcomeFor(claim, commerce);
      if (outcome === undefined) continue;
      const { keeps = Infinity } = part;
      const status = statusBy(outcome, part);
      if (transitionOf(claim, status, keeps) === undefined) continue;
      // It may have been settled since it was read.
      const state = await pools.stateOf(claim.id);
      const change = state && transitionOf(state, status, keeps);
      if (change === undefined) continue;
      const { status: expected, quantity } = change.to;
      const repaired = repair && (await pools.followOrder({ ...claim, ...part }, outcome)) === expected;
      yield { claim, expected, ...(quantity === claim.quantity ? {} : { quantity }), repaired };
    }
  }
}

async function* someAtATime<T>(all: AsyncIterable<T>): AsyncGenerator<T[]> {
  let some: T[] = [];
  for await (const one of all) {
    some.push(one);
    if (some.length < ARRAY_LENGTH_MAX) continue;
    yield some;
    some = [];
  }
  yield some;
}
