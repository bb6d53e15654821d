import type { Tenant } from '@event-commerce/contracts';
import { BY_ORDER, type Claim, type LedgerStatus } from './claim.ts';
import type { Pools } from './create-pools.ts';
import { type Commerce, outcomeFor } from './order-claims.ts';

/** A claim that is held although its order is placed or over. */
export interface Unsettled {
  claim: Claim;
  expected: LedgerStatus;
  repaired: boolean;
}

/** What pending orders claimed most recently is left alone: their events may be on their way. */
const TOLD_WITHIN_MS = 5 * 60 * 1000;

/**
 * Compares the claims that are held, of one company or of all, with their orders, and settles them with `repair`: an
 * event of an order may have been lost.
 */
export async function* compareHeld(
  pools: Pick<Pools, 'heldSince' | 'followOrder'>,
  commerce: Commerce,
  { repair, companyId, now }: { repair: boolean; companyId?: Tenant | undefined; now: Date },
): AsyncGenerator<Unsettled> {
  for await (const claim of pools.heldSince(new Date(now.getTime() - TOLD_WITHIN_MS), companyId)) {
    const outcome = await outcomeFor(claim, commerce);
    const expected = BY_ORDER[outcome];
    if (expected === 'held') continue;
    yield { claim, expected, repaired: repair && (await pools.followOrder(claim, outcome)) === expected };
  }
}
