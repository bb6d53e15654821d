import type { Claim, Tenant } from '@event-commerce/contracts';
import type { Logger } from '@event-commerce/service-kit';
import { traceIdOf } from '@event-commerce/telemetry';
import type { RedemptionRepository } from '../store/redemption.repository.ts';
import type { HeldClaim } from '../store/usage-record.ts';
import type { UsageRepository } from '../store/usage.repository.ts';
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
      await deps.redemptions.release(held, now, traceparent);
    } else {
      await deps.usage.forget(held, 'cancelled', now);
    }
  }
}

/** Makes a redemption of a claim whose order was placed. Safe to repeat. */
export async function confirmClaim(deps: SettleDeps, claim: HeldClaim, traceparent?: string): Promise<void> {
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
