import type { EvaluateCartRequest } from '@event-commerce/contracts';
import { codesOf, type KnownEvents, linesOf } from './cart-lines.ts';
import type { LiveAdjustments } from '../../snapshot/domain/snapshot.ts';

/** The ids of the adjustments whose usage must be known before a request is priced. */
export interface CapsToRead {
  /** The adjustments with a cap on all redemptions together. */
  inAll: string[];
  /** The adjustments with a cap per customer. Empty without a customer: they are then dropped, whatever the usage. */
  perCustomer: string[];
  /** Empty without a customer. */
  customerId: string;
}

export function capsToRead(snapshot: LiveAdjustments, request: EvaluateCartRequest, events: KnownEvents): CapsToRead {
  const { customerId } = request.cartContext;
  const found: CapsToRead = { inAll: [], perCustomer: [], customerId: customerId ?? '' };
  if (!snapshot.hasCaps) return found;
  const lines = linesOf(request, events);
  const codes = codesOf(request.cartContext);
  for (const { source, conditions } of snapshot.cappedOn(lines, codes)) {
    if (conditions.maxRedemptions !== Infinity) found.inAll.push(source.id);
    if (conditions.maxRedemptionsPerCustomer !== undefined && customerId !== undefined) {
      found.perCustomer.push(source.id);
    }
  }
  return found;
}
