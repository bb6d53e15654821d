import { OFF_SALE_STATUSES } from '../events/event.ts';
import type { ListedOffering } from './offering.ts';

/** Why an offering cannot be ordered. */
export const UNAVAILABLE_REASONS = [
  'event-draft',
  'event-cancelled',
  'event-completed',
  'event-archived',
  'event-over',
  'inactive',
  'not-yet-on-sale',
  'no-longer-on-sale',
  'above-max-per-order',
  'too-few-left',
] as const;
export type UnavailableReason = (typeof UNAVAILABLE_REASONS)[number];

/** `detail` is the rest of a sentence that begins with the offering. */
interface Unavailable {
  reason: UnavailableReason;
  detail: string;
}

/**
 * Why `quantity` of an offering cannot be ordered in one order now, regardless of what is left of it; undefined if it
 * can.
 */
export function whyNotForSale(
  offering: Pick<ListedOffering, 'eventId' | 'event' | 'status' | 'maxPerOrder' | 'onSaleFrom' | 'onSaleUntil'>,
  quantity: number,
  now: Date,
): Unavailable | undefined {
  const { eventId, event, status, maxPerOrder = Infinity, onSaleFrom, onSaleUntil } = offering;
  const at = now.toISOString();
  const offSale = OFF_SALE_STATUSES.find((one) => one === event.status);
  if (offSale !== undefined) {
    const remedy = 'to sell them, set its status to published';
    const detail = `belongs to event ${eventId}, which is ${offSale} and sells no tickets; ${remedy}`;
    return { reason: `event-${offSale}`, detail };
  }
  if (status !== 'active')
    return { reason: 'inactive', detail: `is ${status}, and cannot be ordered; to sell it, set its status to active` };
  if (onSaleFrom !== undefined && at < onSaleFrom) {
    return { reason: 'not-yet-on-sale', detail: `goes on sale at ${onSaleFrom}` };
  }
  if (onSaleUntil !== undefined && at >= onSaleUntil) {
    return { reason: 'no-longer-on-sale', detail: `went off sale at ${onSaleUntil}` };
  }
  if (onSaleUntil === undefined && event.over !== undefined && at >= event.over) {
    const remedy = 'to go on selling it, set its onSaleUntil';
    return { reason: 'event-over', detail: `belongs to event ${eventId}, which was over at ${event.over}; ${remedy}` };
  }
  if (quantity <= maxPerOrder) return undefined;
  const detail = `is limited to ${maxPerOrder} per order, and this order asks for ${quantity}`;
  return { reason: 'above-max-per-order', detail };
}
