import {
  invalidInput,
  type OrderCosts,
  type OrderInput,
  type OrderPricing,
  type PricedItem,
  type Purchased,
} from '@event-commerce/contracts';
import type { OrderDraft } from './order-draft.ts';

type Price = Pick<Purchased, 'price' | 'platformTotal'>;

/** What an order costs. */
export interface PricedOrder {
  items: PricedItem[];
  costs: OrderCosts;
  pricing: OrderPricing;
  /** The amounts that the caller stated and that differ from the platform's. */
  stated: { path: string; stated: number; price: number }[];
}

/**
 * What `draft` costs according to pricing, except where the caller stated amounts: those are kept. The parts add up:
 * subtotal + modifiers + fees + tax = total.
 *
 * @param indexes the item of each line that was priced
 * @throws {PlatformError} VALIDATION_FAILED if the total exceeds exact integers
 */
export function priceOrder(
  { costs: given, currency }: Pick<OrderInput, 'costs' | 'currency'>,
  draft: OrderDraft,
  indexes: readonly number[],
  { price, platformTotal = 0 }: Price,
): PricedOrder {
  const lines = new Map(indexes.map((index, line) => [index, price?.lines[line]]));
  const stated: PricedOrder['stated'] = [];
  let statedMore = 0;
  const items = draft.items.map(({ item, offering, listPrice, statedPrice, statedTotal }, index): PricedItem => {
    const { unitPrice: _unitPrice, effectiveUnitPrice: _effective, ...said } = item;
    const line = lines.get(index);
    const path = `order.items[${index}]`;
    if (listPrice === undefined) return { ...said, total: 0, modifiers: [], priced: false };
    if (statedPrice !== undefined) stated.push({ path: `${path}.unitPrice`, stated: statedPrice, price: listPrice });
    const total = line?.total ?? 0;
    if (statedTotal !== undefined && statedTotal !== total) {
      stated.push({ path: `${path}.total`, stated: statedTotal, price: total });
      statedMore = sumOf(statedMore, statedTotal - total);
    }
    const unitPrice = statedPrice ?? listPrice;
    return {
      ...(offering === undefined ? {} : { name: offering.name }),
      ...said,
      unitPrice,
      effectiveUnitPrice: line?.effectivePrice.amount ?? unitPrice,
      total: statedTotal ?? total,
      modifiers: line?.perUnitModifiers ?? [],
      priced: true,
    };
  });

  const { fees = 0, tax = 0 } = given;
  const charges = chargesOf(given);
  const { subtotal: priced, total: charged } = price?.summary ?? { subtotal: 0, total: 0 };
  const subtotal = given.subtotal ?? priced;
  if (subtotal !== priced) stated.push({ path: 'order.costs.subtotal', stated: subtotal, price: priced });
  const computed = sumOf(Math.max(0, sumOf(subtotal, charged - priced, statedMore)), charges);
  const total = given.total ?? computed;
  if (total !== computed) stated.push({ path: 'order.costs.total', stated: total, price: computed });
  const platform = sumOf(platformTotal, charges);
  const modifiers = sumOf(total, -charges, -subtotal);
  return {
    items,
    costs: { ...given, subtotal, modifiers, fees, tax, total, currency },
    pricing: {
      source: stated.length === 0 ? 'platform' : 'stated',
      total: platform,
      difference: total - platform,
      modifiers: price?.perOrderModifiers ?? [],
    },
    stated,
  };
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
