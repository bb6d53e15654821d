import type { Claim, SettleOrderReply, Tenant } from '@event-commerce/contracts';
import type { Logger } from '@event-commerce/service-kit';
import { traceIdOf } from '@event-commerce/telemetry';
import type { CustomerUsageRepository } from '../store/customer-usage.repository.ts';
import type { RedemptionRepository } from '../store/redemption.repository.ts';
import type { HeldClaim, UsageRepository } from '../store/usage.repository.ts';
import { toHeld } from './claim-redemptions.ts';

export interface SettleDeps {
  redemptions: RedemptionRepository;
  usage: UsageRepository;
  clock: () => Date;
  logger: Logger;
}

/** Makes redemptions of the claims of an order that was placed. Safe to repeat. */
export async function confirmClaims(
  deps: SettleDeps,
  order: { tenant: Tenant; id: string; claims: readonly Claim[] },
  traceparent?: string,
): Promise<void> {
  await Promise.all(
    order.claims.map(async (claim) => confirmClaim(deps, toHeld(order.tenant, order.id, claim), traceparent)),
  );
}

/** Gives the redemptions of a cancelled order back, also those that were not confirmed yet and now never are. Safe to repeat. */
export async function releaseClaims(
  deps: SettleDeps,
  order: { tenant: Tenant; id: string; claims: readonly Claim[] },
  traceparent?: string,
): Promise<void> {
  for (const claim of order.claims) {
    const held = toHeld(order.tenant, order.id, claim);
    const now = deps.clock();
    const standing = await deps.redemptions.settle({ claim: held, status: 'released', now });
    if (standing === 'confirmed') {
      await deps.redemptions.release(order.tenant, claim.adjustmentId, claim.redemptionId, now, traceparent);
    } else {
      await deps.usage.forget(held, 'cancelled', now);
    }
  }
}

async function confirmClaim(deps: SettleDeps, claim: HeldClaim, traceparent?: string): Promise<void> {
  const now = deps.clock();
  const outcome = await deps.redemptions.settle({ claim, status: 'confirmed', now });
  if (outcome === 'confirmed') {
    await deps.usage.countConfirmed({ claim, now, traceparent });
  } else if (outcome === 'other-redemption' || outcome === 'released') {
    await deps.usage.forget(claim, 'cancelled', now);
  } else if (outcome === 'lapsed') {
    // Commerce declared the order void before it lapsed, and then placed it: that must not be possible.
    const traceId = traceIdOf(traceparent);
    deps.logger.error({ claim, traceId }, 'an order was placed whose claim had lapsed; run the usage repair');
  }
}

const ADJUSTMENTS_PER_SWEEP_MAX = 500;
const CUSTOMERS_PER_SWEEP_MAX = 500;
const AT_ONCE = 50;

/**
 * Ends claims that stayed pending too long: asks whoever knows whether the order exists, then confirms or releases. A claim's
 * age is how long this process has seen it, by its steady clock, so that a wrong wall clock ends none. Whoever cannot
 * be asked now is asked again: a claim is never released on a guess.
 */
export function createClaimSweep(
  deps: SettleDeps & {
    customers: CustomerUsageRepository;
    ttlMs: number;
    /** Asks commerce, for good, whether the order was written. */
    settleOrder: (orderId: string) => Promise<SettleOrderReply['outcome']>;
  },
): () => Promise<void> {
  let firstSeenMs = new Map<string, number>();

  const endClaim = async (claim: HeldClaim): Promise<void> => {
    if (claim.settledBy === 'commerce' && (await deps.settleOrder(claim.orderId)) === 'placed') {
      await confirmClaim(deps, claim);
      return;
    }
    const now = deps.clock();
    const outcome = await deps.redemptions.settle({ claim, status: 'lapsed', now });
    if (outcome === 'confirmed') await deps.usage.countConfirmed({ claim, now });
    else await deps.usage.forget(claim, outcome === 'lapsed' ? 'lapsed' : 'cancelled', now);
  };

  /** A crash may leave a claim that has ended with its customer, whose place it would take for good. */
  const endForCustomer = async (claim: HeldClaim): Promise<void> => {
    // The adjustment lets go of a claim last: then the ledger says all there is to say.
    if (await deps.usage.isPending(claim)) return;
    if ((await deps.redemptions.endingOf(claim.id)) === 'confirmed') await deps.customers.countConfirmed([claim]);
    else await deps.customers.forget(claim);
  };

  const endAll = async (claims: readonly HeldClaim[], end: (claim: HeldClaim) => Promise<void>): Promise<void> => {
    for (let done = 0; done < claims.length; done += AT_ONCE) {
      const some = claims.slice(done, done + AT_ONCE).map(async (claim) => {
        try {
          await end(claim);
        } catch (err) {
          deps.logger.warn({ err, claim: claim.id }, 'a claim could not be settled yet');
        }
      });
      await Promise.all(some);
    }
  };

  return async () => {
    const nowMs = performance.now();
    const [pending, ofCustomers] = await Promise.all([
      deps.usage.pending(ADJUSTMENTS_PER_SWEEP_MAX),
      deps.customers.pending(CUSTOMERS_PER_SWEEP_MAX),
    ]);
    const seen = new Map([...pending, ...ofCustomers].map(({ id }) => [id, firstSeenMs.get(id) ?? nowMs]));
    firstSeenMs = seen;
    const isOverdue = ({ id }: HeldClaim) => nowMs - (seen.get(id) ?? nowMs) >= deps.ttlMs;
    await endAll(pending.filter(isOverdue), endClaim);
    await endAll(ofCustomers.filter(isOverdue), endForCustomer);
  };
}
