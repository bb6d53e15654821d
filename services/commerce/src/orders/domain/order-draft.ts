import {
  ARRAY_LENGTH_MAX,
  cartEmpty,
  type CheckedOut,
  invalidInput,
  lineTotalIsExact,
  codeKey,
  notForSale,
  type OfferingRecord,
  type OrderInput,
  type OrderItem,
  PlatformError,
  PRICE_MAX,
  type PurchaseRequest,
  statedPriceDiffers,
  whereabouts,
} from '@event-commerce/contracts';

/** An item of an order with its prices before adjustments: minor units of the order's currency. */
interface DraftItem {
  item: OrderItem;
  /** The offering in the catalogue; undefined if it is not there. */
  offering: OfferingRecord | undefined;
  /** The list price of one unit; undefined if the item has no price. */
  listPrice: number | undefined;
  /** What the caller charges for a unit instead. */
  statedPrice: number | undefined;
  /** What the caller charges for all units, regardless of adjustments. */
  statedTotal: number | undefined;
}

/** An order before it is priced. */
export interface OrderDraft {
  items: DraftItem[];
  /** Each once, in its first spelling. */
  codes: string[];
  adjustmentIds: string[];
  customerId: string | undefined;
  customerSegment: string | undefined;
  channelId: string | undefined;
  /** The context of offerings that are not in the catalogue. */
  contextId: string | undefined;
}

/**
 * The order that `input` asks for, with what its cart session contributes. Without items of its own, it has those of
 * the session.
 *
 * @throws {PlatformError} VALIDATION_FAILED for an amount that is too large, or another currency; NOT_FOR_SALE for an
 * empty session, or one with items that have no price
 */
export function draftOrder(
  input: OrderInput,
  cart: CheckedOut | undefined,
  catalogue: ReadonlyMap<string, OfferingRecord>,
): OrderDraft {
  const ordersCart = cart !== undefined && input.items.length === 0;
  const items = ordersCart
    ? cartItems(input, cart, catalogue)
    : input.items.map((item, index) => ownItem(item, index, input.currency, catalogue));
  const { codes: own, adjustmentIds } = redeemedBy(input);
  const presented = [...own, ...(cart?.codes ?? [])];
  const codes = [...new Map(presented.toReversed().map((code) => [codeKey(code), code])).values()].toReversed();
  refuseTooMany('order.coupons', codes.length, 'codes with those of the cart session');
  refuseTooMany('order.items', adjustmentIds.length, 'adjustments');
  return {
    items,
    codes,
    adjustmentIds,
    customerId: input.customer.id ?? cart?.customerId,
    customerSegment: input.customerSegment ?? cart?.customerSegment,
    channelId: input.channelId ?? cart?.channelId,
    contextId: ordersCart ? cart.contextId : input.contextId,
  };
}

/**
 * Refuses items without a price, unless the caller may state prices and no item has one. Also refuses prices other than
 * the catalogue's if the caller may not state any.
 *
 * @throws {PlatformError} VALIDATION_FAILED, NOT_FOR_SALE or PRICE_CHANGED that names every such item
 */
export function refuseUnpriced({ items }: OrderDraft, mayStatePrices: boolean): void {
  if (!mayStatePrices) refuseNameless(items);
  if (mayStatePrices && items.every(({ listPrice }) => listPrice === undefined)) return;
  const detail =
    'is not in the catalogue, and the order has no price for it; check the offeringId, or send a unitPrice';
  const unpriced = items.flatMap(({ item: { offeringId }, listPrice }, index) =>
    offeringId === undefined || listPrice !== undefined ? [] : [{ offeringId, index, detail }],
  );
  if (unpriced.length > 0) throw notForSale(unpriced);
  if (!mayStatePrices) refuseStated(items);
}

/** Refuses prices of single units that are not the catalogue's, before pricing judges the order by them. */
function refuseStated(items: readonly DraftItem[]): void {
  const stated = items.flatMap(({ item, statedPrice, listPrice = 0 }, index) => {
    if (statedPrice === undefined) return [];
    const field = (['price', 'amount'] as const).find((name) => item[name] !== undefined) ?? 'unitPrice';
    return [{ path: `order.items[${index}].${field}`, stated: statedPrice, price: listPrice }];
  });
  if (stated.length > 0) throw statedPriceDiffers(stated);
}

function refuseNameless(items: readonly DraftItem[]): void {
  const message = 'needs an offeringId or a unitPrice: only a key with orders:write may place what has no price';
  const details = items.flatMap(({ item: { offeringId }, listPrice }, index) =>
    offeringId === undefined && listPrice === undefined ? [{ path: `order.items[${index}]`, message }] : [],
  );
  const [first] = details;
  if (first !== undefined) throw new PlatformError('VALIDATION_FAILED', `${first.path} ${message}.`, { details });
}

/** The item's place in the order, and its line for pricing, if it has a price. */
export function pricedLines(
  { items, contextId }: OrderDraft,
  currency: string,
): { index: number; line: PurchaseRequest['lines'][number] }[] {
  return items.flatMap(({ item, offering, listPrice, statedPrice }, index) => {
    if (listPrice === undefined) return [];
    const place = offering === undefined ? whereabouts(contextId) : { eventId: offering.eventId, tags: offering.tags };
    // An item that is not an offering gets a name that no offering can have.
    const id = item.offeringId ?? `order.items[${index}]`;
    return [
      {
        index,
        line: {
          offering: { id, ...place, price: { amount: listPrice, currency } },
          quantity: item.quantity,
          ...(statedPrice === undefined ? {} : { statedPrice }),
        },
      },
    ];
  });
}

function ownItem(
  item: OrderItem,
  index: number,
  currency: string,
  catalogue: ReadonlyMap<string, OfferingRecord>,
): DraftItem {
  const path = `order.items[${index}]`;
  const { quantity } = item;
  const offering = item.offeringId === undefined ? undefined : catalogue.get(item.offeringId);
  if (offering !== undefined && offering.price.currency !== currency) {
    throw invalidInput(`${path}.offeringId`, `is sold in ${offering.price.currency}, and the order is in ${currency}`);
  }
  const total = amountOf(item.total);
  const unitPrice = amountOf(item.unitPrice);
  const listPrice = offering?.price.amount ?? unitPrice ?? unitPriceOf(total, quantity, path);
  const charged = unitPrice ?? listPrice;
  refuseTooLarge(Math.max(listPrice ?? 0, charged ?? 0, (total ?? 0) / quantity), quantity, path);
  return {
    item,
    offering,
    listPrice,
    statedPrice: charged === listPrice ? undefined : charged,
    statedTotal: charged === undefined || total === charged * quantity ? undefined : total,
  };
}

function whyUnavailable(
  price: CheckedOut['items'][number]['price'],
  offering: OfferingRecord | undefined,
  currency: string,
): string | undefined {
  if (price === undefined)
    return 'is not in the catalogue, and the cart has no price for it; add the offering, or remove the item';
  if (offering !== undefined && offering.status !== 'active')
    return `is ${offering.status}, and cannot be ordered; remove it from the cart`;
  return price.currency === currency
    ? undefined
    : `is sold in ${price.currency}, and the cart is in ${currency}; order it in a cart of its own`;
}

function cartItems(
  { cartSessionId = '', currency }: OrderInput,
  cart: CheckedOut,
  catalogue: ReadonlyMap<string, OfferingRecord>,
): DraftItem[] {
  if (cart.items.length === 0) throw cartEmpty(cartSessionId);
  const items = cart.items.map(({ offeringId, name, quantity, price, offering: listed }, index) => {
    const offering = catalogue.get(offeringId) ?? listed;
    const itemName = offering?.name ?? name;
    const item = { offeringId, ...(itemName === undefined ? {} : { name: itemName }), quantity };
    const listPrice = offering?.price ?? price;
    const detail = whyUnavailable(listPrice, offering, cart.currency);
    return { item, index, offering, listPrice: listPrice?.amount, detail };
  });
  const unavailable = items.flatMap(({ item: { offeringId }, index, detail }) =>
    detail === undefined ? [] : [{ offeringId, index, detail }],
  );
  if (unavailable.length > 0) throw notForSale(unavailable);
  if (cart.currency !== currency) {
    throw invalidInput('order.currency', `must be ${cart.currency}, the currency of cart session ${cartSessionId}`);
  }
  return items.map(({ item, offering, listPrice, index }) => {
    refuseTooLarge(listPrice ?? 0, item.quantity, `order.items[${index}]`);
    return { item, offering, listPrice, statedPrice: undefined, statedTotal: undefined };
  });
}

/** Pricing is asked about all of them in one request, so their number is limited. */
function refuseTooMany(path: string, count: number, what: string): void {
  if (count <= ARRAY_LENGTH_MAX) return;
  throw invalidInput(
    path,
    `name ${count} ${what}, and an order can redeem at most ${ARRAY_LENGTH_MAX}; split it into several orders`,
  );
}

/** The price of one unit if `quantity` of them cost `total`. */
function unitPriceOf(total: number | undefined, quantity: number, path: string): number | undefined {
  if (total === undefined) return undefined;
  if (total % quantity === 0) return total / quantity;
  throw invalidInput(`${path}.total`, `cannot be divided by the quantity ${quantity}; send unitPrice too`);
}

/** @throws {PlatformError} VALIDATION_FAILED at `path` */
export function refuseTooLarge(unitPrice: number, quantity: number, path: string): void {
  if (unitPrice <= PRICE_MAX && lineTotalIsExact({ amount: unitPrice }, quantity)) return;
  throw invalidInput(path, 'exceeds the maximum total; split the order into several');
}

function amountOf(price: OrderItem['unitPrice']): number | undefined {
  return typeof price === 'object' ? price.amount : price;
}

/** What an order redeems: the codes of its coupons, and the adjustments that its items name, each once. */
export function redeemedBy(order: Pick<OrderInput, 'coupons' | 'items'>): { codes: string[]; adjustmentIds: string[] } {
  const adjustments = order.items.flatMap((item) => item.adjustments ?? []);
  return {
    codes: order.coupons.map((coupon) => (typeof coupon === 'string' ? coupon : coupon.code)),
    adjustmentIds: [...new Set(adjustments.map((one) => (typeof one === 'string' ? one : one.adjustmentId)))],
  };
}
