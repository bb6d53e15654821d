import {
  type ClaimTicketsRequest,
  customerLimitReached,
  customerLimitReachedForNow,
  notForSale,
  type PlatformError,
  soldOut,
  soldOutForNow,
  tooFewLeft,
  tryAgainShortly,
  whyNotForSale,
} from '@event-commerce/contracts';
import type { LimitDeps, Sellables } from './ticket-limits.ts';
import type { TicketPool } from './ticket-pools.ts';

type Items = ClaimTicketsRequest['items'];

/** What an order takes from one pool. */
export interface ClaimRequest {
  pool: TicketPool;
  quantity: number;
}

/** @throws {PlatformError} NOT_FOR_SALE that names every such item */
export function refuseNotForSale(items: Items, sellables: Sellables, now: Date): void {
  const totals = new Map<string, number>();
  for (const { offeringId, quantity, besides = 0 } of items) {
    totals.set(offeringId, (totals.get(offeringId) ?? besides) + quantity);
  }
  const refused = items.flatMap(({ index, offeringId }) => {
    const sellable = sellables.get(offeringId);
    if (sellable === undefined) return [];
    const { offering, sale } = sellable;
    const why = whyNotForSale({ ...offering, event: sale }, totals.get(offeringId) ?? 0, now);
    return why === undefined ? [] : [{ index, offeringId, detail: why.detail }];
  });
  if (refused.length > 0) throw notForSale(refused);
}

/**
 * The refusal of an order for which a pool has no room, with what is left for each of its items that lacks tickets.
 * `isContended`: orders that are being placed hold what it lacks.
 */
export async function whySoldOut(
  { pools }: Pick<LimitDeps, 'pools'>,
  items: Items,
  sellables: Sellables,
  requests: readonly ClaimRequest[],
  full: { poolId: string; claimed: number; isContended: boolean },
): Promise<PlatformError> {
  const counts = await pools.countsOf(requests.map(({ pool }) => pool.id));
  const states = new Map(
    requests.map(({ pool: { id, limit = Infinity }, quantity }) => {
      // Tickets released since do not change why this order was refused.
      const claimed = Math.max(counts.get(id)?.claimed ?? 0, id === full.poolId ? full.claimed : 0);
      return [id, { left: Math.max(0, limit - claimed), quantity }];
    }),
  );
  return (full.isContended ? soldOutForNow : soldOut)(
    items.flatMap(({ index, offeringId }) => {
      const { own, ofEvent } = sellables.get(offeringId) ?? {};
      const [offering, event] = [states.get(own?.id ?? ''), states.get(ofEvent?.id ?? '')];
      const left = Math.min(offering?.left ?? Infinity, event?.left ?? Infinity);
      if (offering !== undefined && left < offering.quantity) {
        return [{ index, offeringId, left, detail: tooFewLeft('has', left, offering.quantity) }];
      }
      if (event === undefined || event.left >= event.quantity) return [];
      return [
        { index, offeringId, left, detail: tooFewLeft('belongs to an event that has', event.left, event.quantity) },
      ];
    }),
  );
}

/**
 * The refusal of an order whose customer may not have that many tickets of a pool, with each of its items that takes
 * some of it. `isContended`: other orders of the customer that are being placed hold what it lacks.
 */
export function whyLimitReached(
  items: Items,
  sellables: Sellables,
  { request, claimed, isContended }: { request: ClaimRequest; claimed: number; isContended: boolean },
): PlatformError {
  const { pool, quantity } = request;
  const { perCustomer = 0 } = pool;
  const more = claimed === 0 ? quantity : `${quantity} more`;
  const why = `allows ${perCustomer} tickets per customer; this one has ${claimed}, and the order asks for ${more}`;
  const left = Math.max(0, perCustomer - claimed);
  return (isContended ? customerLimitReachedForNow : customerLimitReached)(
    items.flatMap(({ index, offeringId }) => {
      const { own, ofEvent } = sellables.get(offeringId) ?? {};
      if (own?.id === pool.id) return [{ index, offeringId, left, detail: why }];
      return ofEvent?.id === pool.id ? [{ index, offeringId, left, detail: `belongs to an event that ${why}` }] : [];
    }),
  );
}

export function keepsChanging(): PlatformError {
  return tryAgainShortly('The offerings of this order are being changed. Send it again.');
}

/** Nothing is wrong with the order: those before it must be confirmed first. */
export function crowdedOut(): PlatformError {
  return tryAgainShortly(
    'Too many orders for the same tickets are waiting to be confirmed. Send the order again shortly.',
    { seconds: 2 },
  );
}
