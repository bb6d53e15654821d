import {
  aboutAmendment,
  type AmendedLine,
  type AmendmentInput,
  amendmentOf,
  type AmendmentWithBefore,
  type AmendRequest,
  codeKey,
  invalidInput,
  notForSale,
  type OfferingRecord,
  type OrderCoupon,
  type PricedAmendment,
  type PricedItem,
  type RedemptionClaim,
  redemptionsIn,
  statedPriceDiffers,
  storedCode,
  type TicketClaim,
  whereabouts,
} from '@event-commerce/contracts';
import type { AmendedFields } from '../models.ts';
import type { OrderRecord } from './order-record.ts';
import type { AddedLine, AskedLines } from './domain/asked-lines.ts';
import { standingClaims } from './domain/kept-claims.ts';
import { eventOf } from './domain/order-costs.ts';
import { refuseTooLarge } from './domain/order-draft.ts';

type Asked = Pick<AmendmentInput, 'items' | 'coupons' | 'costs' | 'chargeDifference'>;

/** What pricing needs to know about an amendment. */
export type AmendmentToPrice = Omit<AmendRequest, 'revision' | 'mode'>;

/**
 * An order and its changes, for pricing. `offerings`: those of the catalogue, by id.
 *
 * @throws {PlatformError} VALIDATION_FAILED; NOT_FOR_SALE for added tickets without a price; PRICE_CHANGED for a price
 * that a key without orders:write states
 */
export function amendmentToPrice(
  record: OrderRecord,
  { remaining, added }: AskedLines,
  { coupons, costs = {}, chargeDifference }: Asked,
  { offerings, mayStatePrices }: { offerings: ReadonlyMap<string, OfferingRecord>; mayStatePrices: boolean },
): AmendmentToPrice {
  const { order, basis, claims } = record;
  const { currency } = order;
  if (costs.total !== undefined && !mayStatePrices) {
    throw invalidInput('costs.total', 'can be stated only with a key that has orders:write');
  }
  const { customerSegment, channelId } = order;
  return {
    orderId: record.id,
    currency,
    cartContext: {
      ...(order.customer.id === undefined ? {} : { customerId: order.customer.id }),
      customerEmail: order.customer.email,
      ...(customerSegment === undefined ? {} : { customerSegment }),
      ...(channelId === undefined ? {} : { channelId }),
    },
    order: {
      lines: order.items.map((item) => standingLine(record, item, remaining.get(item.lineId) ?? 0, offerings)),
      modifiers: order.pricing.modifiers,
      fees: order.costs.fees,
      tax: order.costs.tax,
      taxed: record.amended.taxed,
      codes: order.coupons.map(({ code }) => code),
      claims: standingClaims(claims),
      isStated: order.pricing.source === 'stated',
      ...(basis === undefined ? {} : { basis }),
    },
    added: added.map((line) => addedLine(line, currency, offerings.get(line.offeringId), mayStatePrices)),
    ...(coupons === undefined ? {} : { codes: coupons }),
    costs,
    chargeDifference,
  };
}

function standingLine(
  { amended: { bought }, order: { contextId, currency } }: OrderRecord,
  { lineId, offeringId, eventId, quantity, modifiers, ...item }: PricedItem,
  remaining: number,
  offerings: ReadonlyMap<string, OfferingRecord>,
): AmendRequest['order']['lines'][number] {
  const offering = offeringId === undefined ? undefined : offerings.get(offeringId);
  const place = eventId === undefined ? whereabouts(contextId) : { eventId, tags: offering?.tags ?? [] };
  const { unitPrice = 0, effectiveUnitPrice = 0, charged, shares, withheld = 0 } = item;
  return {
    lineId,
    offering: { id: offeringId ?? lineId, ...place, price: { amount: unitPrice, currency } },
    quantity,
    remaining,
    effectiveUnitPrice,
    modifiers,
    bought: bought[lineId] ?? { quantity, charged, shares, withheld },
  };
}

function addedLine(
  { lineId, offeringId, quantity, unitPrice, index }: AddedLine,
  currency: string,
  offering: OfferingRecord | undefined,
  mayStatePrices: boolean,
): AmendRequest['added'][number] {
  const path = `items[${index}]`;
  if (offering !== undefined && offering.price.currency !== currency) {
    throw invalidInput(`${path}.offeringId`, `is sold in ${offering.price.currency}, and the order is in ${currency}`);
  }
  const listed = offering?.price.amount ?? (mayStatePrices ? unitPrice : undefined);
  if (listed === undefined) {
    const detail = 'is not in the catalogue, and has no price; check the offeringId';
    throw aboutAmendment(notForSale([{ offeringId, index, detail }]));
  }
  refuseTooLarge(Math.max(listed, unitPrice ?? 0), quantity, path);
  const isStated = unitPrice !== undefined && unitPrice !== listed;
  if (isStated && !mayStatePrices) {
    throw statedPriceDiffers([{ path: `${path}.unitPrice`, stated: unitPrice, price: listed }]);
  }
  const place = offering === undefined ? {} : { eventId: offering.eventId, tags: offering.tags };
  return {
    lineId,
    offering: { id: offeringId, ...place, price: { amount: listed, currency } },
    quantity,
    ...(isStated ? { statedPrice: unitPrice } : {}),
  };
}

/** `toPrice` without the request's stated total: what the order costs by its prices. */
export function withoutStatedTotal(toPrice: AmendmentToPrice): AmendmentToPrice {
  const { total: _total, ...costs } = toPrice.costs;
  return { ...toPrice, costs };
}

/** The amendment with the total that its request states, if it states one; `computed` is without it. */
export function withStatedTotal(toPrice: AmendmentToPrice, computed: PricedAmendment): PricedAmendment {
  const { total } = toPrice.costs;
  // A stated total that equals the computed one sets no price.
  if (total === undefined || total === computed.costs.after.total) return computed;
  const { order, codes, redemptions } = computed;
  return amendmentOf(toPrice, {
    ...order,
    basis: order.basis,
    codes,
    tickets: new Map(Object.entries(redemptions.tickets)),
    budgets: new Map(Object.entries(redemptions.budgets)),
  });
}

/** The fields to write for an amended order, with its claims from now on. */
export function amendedFields(
  { order, amended }: OrderRecord,
  amendment: PricedAmendment,
  {
    added,
    codes,
    claims,
    tickets,
    offerings,
    seats,
    platformTotal,
  }: {
    added: readonly AddedLine[];
    /** All codes that the order will have. */
    codes: readonly string[];
    claims: RedemptionClaim[];
    tickets: TicketClaim[];
    offerings: ReadonlyMap<string, OfferingRecord>;
    /** How many seats it keeps, if that is fewer. */
    seats: number | undefined;
    /** What it costs at the platform's prices, which a stated total replaces. */
    platformTotal: number;
  },
): AmendedFields {
  const { lines, modifiers, taxed, basis } = amendment.order;
  const items = new Map(order.items.map((item) => [item.lineId, item]));
  const news = new Map(added.map((line) => [line.lineId, line]));
  const { withheld, costs } = amendment;
  return {
    items: lines.map((line) => amendedItem(line, items.get(line.lineId), news.get(line.lineId), offerings)),
    costs: { ...order.costs, ...costs.after },
    pricing: {
      source: amendment.order.isStated ? 'stated' : 'platform',
      total: platformTotal,
      difference: costs.after.total - platformTotal,
      modifiers,
      ...(withheld === 0 ? {} : { withheld }),
    },
    coupons: couponsOf(order.coupons, codes, { ...amendment, claims }),
    claims,
    tickets,
    amended: {
      bought: Object.fromEntries(lines.map(({ lineId, bought }) => [lineId, bought])),
      taxed,
      linesMade: amended.linesMade + added.length,
    },
    ...(basis === undefined ? {} : { basis }),
    ...(seats === undefined ? {} : { seats }),
  };
}

function amendedItem(
  { lineId, quantity, unitPrice, effectiveUnitPrice, total, modifiers, shares, charged, withheld }: AmendedLine,
  former: PricedItem | undefined,
  added: AddedLine | undefined,
  offerings: ReadonlyMap<string, OfferingRecord>,
): PricedItem {
  const costs = { total, modifiers, shares, charged, ...(withheld === 0 ? {} : { withheld }) };
  const { withheld: _former, ...item } = former ?? newItem(lineId, added, offerings);
  return {
    ...item,
    quantity,
    ...(item.priced ? { unitPrice, effectiveUnitPrice } : {}),
    ...costs,
  };
}

function newItem(
  lineId: string,
  added: AddedLine | undefined,
  offerings: ReadonlyMap<string, OfferingRecord>,
): PricedItem {
  const offering = offerings.get(added?.offeringId ?? '');
  return {
    ...(offering === undefined ? {} : { name: offering.name }),
    ...eventOf(offering),
    ...(added === undefined ? {} : { offeringId: added.offeringId }),
    lineId,
    quantity: 0,
    total: 0,
    modifiers: [],
    shares: [],
    charged: 0,
    priced: true,
  };
}

/** The codes of an amended order, with what each redeems, or why it redeems nothing. */
function couponsOf(
  former: readonly OrderCoupon[],
  codes: readonly string[],
  {
    claims,
    codes: results,
    redemptions: { released },
  }: Pick<PricedAmendment, 'codes' | 'redemptions'> & { claims: readonly RedemptionClaim[] },
): OrderCoupon[] {
  const had = new Map(former.map((coupon) => [codeKey(coupon.code), coupon]));
  const judged = new Map(results.map((result) => [codeKey(result.code), result]));
  const redeemed = new Map(
    redemptionsIn(standingClaims(claims)).map((claim) => [claim.adjustmentId, claim.redemptionId]),
  );
  return codes.map((code) => {
    const { reason, detail, redemptionId: _former, ...said } = had.get(codeKey(code)) ?? { code: storedCode(code) };
    const result = judged.get(codeKey(code));
    const adjustmentId = result?.adjustmentId ?? said.adjustmentId;
    const redemptionId = adjustmentId === undefined ? undefined : redeemed.get(adjustmentId);
    const named = { ...said, ...(adjustmentId === undefined ? {} : { adjustmentId }) };
    if (redemptionId !== undefined) return { ...named, redemptionId };
    if (adjustmentId !== undefined && released.includes(adjustmentId)) {
      return { ...named, reason: 'no-effect', detail: 'it changes no price of what the order has left' };
    }
    const why = result ?? { reason, detail };
    return {
      ...named,
      ...(why.reason === undefined ? {} : { reason: why.reason }),
      ...(why.detail === undefined ? {} : { detail: why.detail }),
    };
  });
}

/**
 * How many seats at its table an order keeps; undefined if that changes nothing.
 *
 * @throws {PlatformError} VALIDATION_FAILED
 */
export function fewerSeats(
  { tableCommitmentId, seats: has = 1 }: Pick<OrderRecord, 'tableCommitmentId' | 'seats'>,
  { seats }: Pick<AmendmentInput, 'seats'>,
): number | undefined {
  if (seats === undefined) return undefined;
  if (tableCommitmentId === undefined)
    throw invalidInput('seats', 'cannot be set: the order has no table; leave it out');
  if (seats > has) throw invalidInput('seats', `cannot exceed ${has}; for more, join the table with another cart`);
  return seats === has ? undefined : seats;
}

/** An amendment as the API shows it, with the order as it was before. `seats`: how many the order keeps, if fewer. */
export function shownAmendment(
  { order, seats: has = 1 }: Pick<OrderRecord, 'order' | 'seats'>,
  { due, withheld, costs, lines, modifiers, redemptions: { claimed, released } }: PricedAmendment,
  added: readonly AddedLine[],
  seats: number | undefined,
): Pick<
  AmendmentWithBefore,
  'currency' | 'due' | 'withheld' | 'costs' | 'lines' | 'seats' | 'modifiers' | 'redemptions'
> {
  const items = new Map<string, { offeringId?: string | undefined; name?: string | undefined }>([
    ...order.items.map((item) => [item.lineId, item] as const),
    ...added.map((line) => [line.lineId, line] as const),
  ]);
  return {
    currency: order.currency,
    due,
    withheld,
    costs,
    lines: lines.map((line) => {
      const { offeringId, name } = items.get(line.lineId) ?? {};
      return { ...line, ...(offeringId === undefined ? {} : { offeringId }), ...(name === undefined ? {} : { name }) };
    }),
    ...(seats === undefined ? {} : { seats: { before: has, after: seats } }),
    modifiers,
    redemptions: { claimed, released },
  };
}
