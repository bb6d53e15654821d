import {
  chargesWithin,
  invalidInput,
  type OfferingRecord,
  type OrderCosts,
  type OrderInput,
  type OrderPricing,
  type OrderShare,
  type PriceBasis,
  type PricedItem,
  type Purchased,
  splitGoods,
} from '@event-commerce/contracts';
import { lineIdAt } from './asked-lines.ts';
import type { OrderDraft } from './order-draft.ts';

type Price = Pick<Purchased, 'price' | 'platformTotal' | 'shares' | 'units' | 'basis'>;

/** What an order costs. */
export interface PricedOrder {
  items: PricedItem[];
  costs: OrderCosts;
  pricing: OrderPricing;
  /** Absent if the caller stated amounts, or nothing was priced: the order cannot be priced again. */
  basis?: PriceBasis;
  /** The amounts that the caller stated and that differ from the platform's. */
  stated: { path: string; stated: number; price: number }[];
}

/**
 * What `draft` costs according to pricing, except where the caller stated amounts: those are kept, except fees and tax
 * that exceed a stated total. The parts add up: subtotal + modifiers + fees + tax = total, and item charges + fees +
 * tax = total.
 *
 * @param indexes the item of each line that was priced
 * @throws {PlatformError} VALIDATION_FAILED if the total exceeds exact integers
 */
export function priceOrder(
  { costs: given, currency }: Pick<OrderInput, 'costs' | 'currency'>,
  draft: OrderDraft,
  indexes: readonly number[],
  { price, platformTotal = 0, shares = [], units = {}, basis }: Price,
): PricedOrder {
  const lines = new Map(indexes.map((index, line) => [index, price?.lines[line]]));
  const modifiersOfOrder = price?.perOrderModifiers ?? [];
  const sharesOf = new Map(
    indexes.map((index, line) => [
      index,
      modifiersOfOrder.flatMap(({ adjustmentId, name, code }, modifier): OrderShare[] => {
        const total = shares[modifier]?.[line] ?? 0;
        const changed = units[adjustmentId]?.[line];
        const said = { ...(code === undefined ? {} : { code }), ...(changed === undefined ? {} : { units: changed }) };
        return total === 0 ? [] : [{ adjustmentId, name, ...said, total }];
      }),
    ]),
  );
  const stated: PricedOrder['stated'] = [];
  let statedMore = 0;
  const priced = draft.items.map(({ item, offering, listPrice, statedPrice, statedTotal }, index): PricedItem => {
    const {
      unitPrice: _unitPrice,
      effectiveUnitPrice: _effective,
      eventId: _eventId,
      seriesId: _seriesId,
      ...said
    } = item;
    const line = lines.get(index);
    const path = `order.items[${index}]`;
    const lineId = lineIdAt(index);
    if (listPrice === undefined) {
      return { ...said, lineId, total: 0, modifiers: [], shares: [], charged: 0, priced: false };
    }
    if (statedPrice !== undefined) stated.push({ path: `${path}.unitPrice`, stated: statedPrice, price: listPrice });
    const total = line?.total ?? 0;
    // For a line whose tickets differ in price, carts and evaluations show the total after adjustments of single units.
    const itemShares = sharesOf.get(index) ?? [];
    const ofUnits = itemShares.filter((share) => share.units !== undefined);
    const shownTotal = ofUnits.reduce((sum, share) => sum + share.total, total);
    if (statedTotal !== undefined && statedTotal !== shownTotal) {
      stated.push({ path: `${path}.total`, stated: statedTotal, price: shownTotal });
      statedMore = sumOf(statedMore, statedTotal - shownTotal);
    }
    const unitPrice = statedPrice ?? listPrice;
    const itemTotal = statedTotal === undefined ? total : total + statedTotal - shownTotal;
    return {
      ...(offering === undefined ? {} : { name: offering.name }),
      ...said,
      ...eventOf(offering),
      lineId,
      unitPrice,
      effectiveUnitPrice: line?.effectivePrice.amount ?? unitPrice,
      total: itemTotal,
      modifiers: line?.perUnitModifiers ?? [],
      shares: itemShares,
      charged: itemShares.reduce((sum, share) => sum + share.total, itemTotal),
      priced: true,
    };
  });

  const charges = chargesOf(given);
  const { subtotal: listed, total: charged } = price?.summary ?? { subtotal: 0, total: 0 };
  const subtotal = given.subtotal ?? listed;
  if (subtotal !== listed) stated.push({ path: 'order.costs.subtotal', stated: subtotal, price: listed });
  const computed = sumOf(Math.max(0, sumOf(subtotal, charged - listed, statedMore)), charges);
  const total = given.total ?? computed;
  if (total !== computed) stated.push({ path: 'order.costs.total', stated: total, price: computed });
  const platform = sumOf(platformTotal, charges);
  const { fees, tax } = chargesWithin(total, given);
  const modifiers = sumOf(total, -fees, -tax, -subtotal);
  const goods = splitGoods(priced, total - fees - tax);
  return {
    items: priced.map((item, index) => ({ ...item, charged: goods[index] ?? 0 })),
    costs: { ...given, subtotal, modifiers, fees, tax, total, currency },
    pricing: {
      source: stated.length === 0 ? 'platform' : 'stated',
      total: platform,
      difference: total - platform,
      modifiers: modifiersOfOrder,
    },
    ...(basis === undefined || stated.length > 0 ? {} : { basis: ofLines(basis, indexes) }),
    stated,
  };
}

/** The event of a catalogue offering, with its series. */
export function eventOf(offering: OfferingRecord | undefined): Pick<PricedItem, 'eventId' | 'seriesId'> {
  if (offering === undefined) return {};
  const { eventId, seriesId } = offering;
  return { eventId, ...(seriesId === undefined ? {} : { seriesId }) };
}

/** `basis` with the ids of lines. */
function ofLines({ at, lines, adjustments }: NonNullable<Price['basis']>, indexes: readonly number[]): PriceBasis {
  const lineIds = indexes.map(lineIdAt);
  const idsOf = (places: readonly number[]) => places.flatMap((place) => lineIds[place] ?? []);
  return { at, lines: idsOf(lines), adjustments: adjustments.map((one) => ({ ...one, lines: idsOf(one.lines) })) };
}

/**
 * Fees and tax.
 *
 * @throws {PlatformError} VALIDATION_FAILED if they exceed exact integers
 */
export function chargesOf({ fees = 0, tax = 0 }: OrderInput['costs']): number {
  return sumOf(fees, tax);
}

/** The sum. Refused as soon as one addition is inexact: a later one could bring an inexact sum back into range. */
function sumOf(...amounts: number[]): number {
  return amounts.reduce((sum, amount) => {
    if (Number.isSafeInteger(sum + amount)) return sum + amount;
    const most = Number.MAX_SAFE_INTEGER;
    throw invalidInput('order.costs', `exceed the maximum total of ${most} minor units; split the order into several`);
  }, 0);
}
