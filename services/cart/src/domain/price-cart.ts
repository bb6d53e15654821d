import { type CartEvaluation, type CartItem, contextKindOf, type EvaluateCartRequest } from '@event-commerce/contracts';
import type { Cart, PricedCart } from './cart.ts';
import type { ListedCart, ListedLine } from './list-prices.ts';

/** What pricing is asked about the whole cart; undefined when nothing in it can have a price or a result. */
export function evaluationRequest(
  cart: Cart,
  { currency, lines, subtotal }: ListedCart,
): EvaluateCartRequest | undefined {
  const priced = lines.filter(hasPrice);
  if (priced.length === 0 && cart.coupons.length === 0) return undefined;
  const { customerId, customerSegment, channelId } = cart;
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
      ...(customerId === undefined ? {} : { customerId }),
      ...(customerSegment === undefined ? {} : { customerSegment }),
      ...(channelId === undefined ? {} : { channelId }),
      // Conditions on the order's total look at the list prices: what the buyer put in, before anything is taken off.
      orderTotal: { amount: subtotal, currency },
    },
  };
}

/** The cart with what pricing answered for its `evaluationRequest`. The items' totals and the order-wide modifiers add up to the total. */
export function priceCart({ currency, lines }: ListedCart, evaluation: CartEvaluation | undefined): PricedCart {
  const evaluated = new Map(evaluation?.lines.map((line) => [line.offeringId, line]));
  const items = lines.map((listed): CartItem => {
    const { line, offering, unpricedReason } = listed;
    const name = offering?.name ?? line.name;
    const item = { offeringId: line.offeringId, ...(name === undefined ? {} : { name }), quantity: line.quantity };
    if (!hasPrice(listed)) {
      const nothing = { unitPrice: null, effectiveUnitPrice: null, total: 0, modifiers: [], priced: false };
      return { ...item, ...nothing, ...(unpricedReason === undefined ? {} : { unpricedReason }) };
    }
    const priced = evaluated.get(line.offeringId);
    if (priced === undefined) throw new TypeError(`pricing left out the offering ${line.offeringId}`);
    return {
      ...item,
      unitPrice: priced.basePrice.amount,
      effectiveUnitPrice: priced.effectivePrice.amount,
      total: priced.total,
      modifiers: priced.perUnitModifiers,
      priced: true,
    };
  });
  return {
    items,
    couponResults: evaluation?.codes ?? [],
    perOrderModifiers: evaluation?.perOrderModifiers ?? [],
    // Pricing has its own idea of the currency of a cart without lines.
    summary: { ...(evaluation?.summary ?? NOTHING), currency },
  };
}

const NOTHING = { subtotal: 0, modifiers: 0, total: 0, clampedAtZero: false };

function hasPrice(listed: ListedLine): listed is ListedLine & { unitPrice: number } {
  return listed.unitPrice !== undefined;
}

/** What a cart's context tells of its offerings: their event, their venue or who sells them. */
function whereabouts(contextId: string | undefined): { eventId?: string; venueId?: string; organizerId?: string } {
  if (contextId === undefined) return {};
  const kind = contextKindOf(contextId);
  if (kind === 'venue') return { venueId: contextId };
  return kind === 'organization' ? { organizerId: contextId } : { eventId: contextId };
}
