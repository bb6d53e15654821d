import {
  type CartEvaluation,
  type CartItem,
  type EvaluateCartRequest,
  type UnavailableReason,
  whereabouts,
  whyNotForSale,
} from '@event-commerce/contracts';
import type { Cart, PricedCart } from './cart.ts';
import type { ListedCart, ListedLine } from './list-prices.ts';

/** The evaluation request for the whole cart; undefined if nothing in the cart can have a price or a result. */
export function evaluationRequest(
  cart: Cart,
  { currency, lines, subtotal }: ListedCart,
  clientRef?: string,
): EvaluateCartRequest | undefined {
  const priced = lines.filter(hasPrice);
  if (priced.length === 0 && cart.coupons.length === 0) return undefined;
  const { customerId, customerEmail, customerSegment, channelId } = cart;
  return {
    lines: priced.map(({ line, offering, unitPrice }) => {
      const context = offering === undefined ? whereabouts(cart.contextId) : { eventId: offering.eventId };
      return {
        offering: {
          id: line.offeringId,
          ...context,
          price: { amount: unitPrice, currency },
          ...(offering === undefined ? {} : { tags: offering.tags }),
        },
        quantity: line.quantity,
      };
    }),
    cartContext: {
      codes: cart.coupons,
      ...(clientRef === undefined || cart.coupons.length === 0 ? {} : { clientRef }),
      ...(customerId === undefined ? {} : { customerId }),
      ...(customerEmail === undefined ? {} : { customerEmail }),
      ...(customerSegment === undefined ? {} : { customerSegment }),
      ...(channelId === undefined ? {} : { channelId }),
      // Conditions on the order's total use the list prices, before any deduction.
      orderTotal: { amount: subtotal, currency },
    },
  };
}

/**
 * The cart with pricing's response to its `evaluationRequest`. The items' totals and the order-wide modifiers add up to
 * the total. `now` decides what can be ordered.
 */
export function priceCart(
  { currency, lines }: ListedCart,
  evaluation: CartEvaluation | undefined,
  now: Date,
): PricedCart {
  const evaluated = new Map(evaluation?.lines.map((line) => [line.offeringId, line]));
  const availabilityOf = availabilities(lines, now);
  const items = lines.map((listed): CartItem => {
    const { line, offering, unpricedReason } = listed;
    const name = offering?.name ?? line.name;
    const item = { offeringId: line.offeringId, ...(name === undefined ? {} : { name }), quantity: line.quantity };
    if (!hasPrice(listed)) {
      const nothing = { unitPrice: null, effectiveUnitPrice: null, total: 0, modifiers: [], priced: false };
      const why = unpricedReason === undefined ? {} : { unpricedReason };
      return { ...item, ...nothing, ...why, ...availabilityOf(listed) };
    }
    const priced = evaluated.get(line.offeringId);
    if (priced === undefined) throw new TypeError(`pricing left out the offering ${line.offeringId}`);
    return {
      ...item,
      unitPrice: priced.basePrice.amount,
      effectiveUnitPrice: priced.effectivePrice.amount,
      total: priced.total,
      modifiers: priced.perUnitModifiers,
      ...(priced.groups === undefined ? {} : { groups: priced.groups.map(toGroup) }),
      priced: true,
      ...availabilityOf(listed),
    };
  });
  return {
    items,
    couponResults: evaluation?.codes ?? [],
    perOrderModifiers: evaluation?.perOrderModifiers ?? [],
    // Pricing assumes a currency of its own for a cart without lines.
    summary: { ...(evaluation?.summary ?? NOTHING), currency },
  };
}

function toGroup({
  quantity,
  effectivePrice: { amount: effectiveUnitPrice },
}: NonNullable<CartEvaluation['lines'][number]['groups']>[number]): NonNullable<CartItem['groups']>[number] {
  return { quantity, effectiveUnitPrice };
}

const NOTHING = { subtotal: 0, modifiers: 0, total: 0, clampedAtZero: false };

function hasPrice(listed: ListedLine): listed is ListedLine & { unitPrice: number } {
  return listed.unitPrice !== undefined;
}

/**
 * Whether each of `lines` can be ordered; unknown for an offering that is not in the catalogue. The remaining tickets
 * of an event must suffice for all of its lines that are for sale.
 */
function availabilities(
  lines: readonly ListedLine[],
  now: Date,
): (listed: ListedLine) => Pick<CartItem, 'available' | 'unavailableReason'> {
  const wanted = new Map<string, number>();
  const refused = new Map<ListedLine, UnavailableReason>();
  for (const listed of lines) {
    const { line, offering } = listed;
    if (offering === undefined) continue;
    const why = whyNotForSale(offering, line.quantity, now);
    if (why === undefined) wanted.set(offering.eventId, (wanted.get(offering.eventId) ?? 0) + line.quantity);
    else refused.set(listed, why.reason);
  }
  return (listed) => {
    const { line, offering } = listed;
    if (offering === undefined) return {};
    const { availability, event, eventId } = offering;
    const isShort =
      (availability.left ?? Infinity) < line.quantity || (event.left ?? Infinity) < (wanted.get(eventId) ?? 0);
    const reason = refused.get(listed) ?? (isShort ? 'too-few-left' : undefined);
    return reason === undefined ? { available: true } : { available: false, unavailableReason: reason };
  };
}
