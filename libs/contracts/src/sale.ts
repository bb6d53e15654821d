import type { OfferingRecord } from './offering.ts';

/** Why an offering cannot be ordered. */
export const UNAVAILABLE_REASONS = [
  'inactive',
  'not-yet-on-sale',
  'no-longer-on-sale',
  'above-max-per-order',
  'too-few-left',
] as const;
type UnavailableReason = (typeof UNAVAILABLE_REASONS)[number];

/** `detail` is to be read after the offering. */
interface Unavailable {
  reason: UnavailableReason;
  detail: string;
}

/** Why `quantity` of an offering cannot be ordered in one order now, whatever is left of it; undefined if they can. */
export function whyNotForSale(
  offering: Pick<OfferingRecord, 'status' | 'maxPerOrder' | 'onSaleFrom' | 'onSaleUntil'>,
  quantity: number,
  now: Date,
): Unavailable | undefined {
  const { status, maxPerOrder = Infinity, onSaleFrom, onSaleUntil } = offering;
  const at = now.toISOString();
  if (status !== 'active') return { reason: 'inactive', detail: `is ${status}, and cannot be ordered` };
  if (onSaleFrom !== undefined && at < onSaleFrom) {
    return { reason: 'not-yet-on-sale', detail: `goes on sale at ${onSaleFrom}` };
  }
  if (onSaleUntil !== undefined && at >= onSaleUntil) {
    return { reason: 'no-longer-on-sale', detail: `went off sale at ${onSaleUntil}` };
  }
  if (quantity <= maxPerOrder) return undefined;
  const detail = `is limited to ${maxPerOrder} per order, and this order asks for ${quantity}`;
  return { reason: 'above-max-per-order', detail };
}
