import { PlatformError, type ClaimReply, type PurchaseRequest } from '@event-commerce/contracts';
import type { Asker } from '../event-contexts.ts';
import { CLAIM_WITHIN_MS, claimAll } from './claim-redemptions.ts';
import { keepsChanging, limitReached, refusalOf, refused } from './claim-refusals.ts';
import { type Quote, type QuoteDeps, quoteOrder } from './quote-order.ts';
import { settleClaims, type SettleDeps } from './settle-claims.ts';

export type PurchaseDeps = QuoteDeps & SettleDeps;

export type Purchased = ClaimReply & Omit<Quote, 'wanted'>;

/**
 * Prices an order and claims what makes its price: all, or nothing with the reason. The price is first worked out as if
 * every cap had room, and the claims decide: only if one has none, or the price is not the expected one, are the
 * counters read and the order priced again. An adjustment that the order names is then refused, any other is left out.
 *
 * @throws {PlatformError} VALIDATION_FAILED for a code or id that no live adjustment has, or an order that cannot be
 * priced; ADJUSTMENT_NOT_APPLICABLE or REDEMPTION_LIMIT_REACHED with the reason that an evaluation gives; PRICE_CHANGED
 * if it does not cost `expectedTotal`; ORDER_NUMBER_TAKEN if an order with the same key was just placed, or one with
 * other content is being placed; SERVICE_UNAVAILABLE if something it needs cannot be read, or keeps changing
 */
export async function purchase(deps: PurchaseDeps, asker: Asker, request: PurchaseRequest): Promise<Purchased> {
  const untilMs = performance.now() + CLAIM_WITHIN_MS;
  const { tenant, context } = asker;
  const { former = [], cartContext } = request;
  let { orderId } = request;
  const released = { tenant, id: orderId, claims: former, state: 'cancelled' } as const;
  if (former.length > 0) await settleClaims(deps, released, context.traceparent);

  const full = new Map<string, { claimed: number; byCustomer: number }>();
  let counted = false;
  let snapshot = await deps.snapshots.get(tenant);
  for (;;) {
    const quote = await quoteOrder(deps, asker, request, snapshot, { counted, full });
    if (quote instanceof PlatformError) {
      if (counted) throw quote;
      // A refusal is final: first consider the counters, and what was written even if no response has been sent yet.
      counted = true;
    } else {
      const { wanted, ...priced } = quote;
      const order = { ...request, orderId, customerId: cartContext.customerId };
      const outcome = await claimAll(deps, tenant, order, wanted, untilMs);
      switch (outcome.kind) {
        case 'claimed':
          return { orderId: outcome.orderId, claims: outcome.claims, ...priced };
        case 'outdated':
          break;
        case 'other-copy':
          ({ orderId } = outcome);
          break;
        case 'full': {
          const {
            wanted: { adjustment, code },
            ...counts
          } = outcome;
          if (code !== undefined || request.adjustmentIds.includes(adjustment.id)) {
            const why = refusalOf(adjustment, order, deps.clock(), counts) ?? limitReached;
            throw refused(why, { poolId: adjustment.id, code });
          }
          full.set(adjustment.id, counts);
          counted = true;
          break;
        }
      }
    }
    if (performance.now() > untilMs) throw keepsChanging();
    snapshot = await deps.snapshots.fresh(tenant);
  }
}
