import {
  type CheckedOut,
  codeKey,
  type CodeResult,
  invalidInput,
  type OrderCoupon,
  type OrderInput,
  type Purchased,
  type RedemptionClaim,
  redemptionsIn,
  storedCode,
  type TicketClaim,
} from '@event-commerce/contracts';
import { outboxEntry } from '@event-commerce/outbox';
import { type Caller, DOCUMENT_BYTES_MAX, storedBytes, withStoredNames } from '@event-commerce/service-kit';
import type { PricedOrder } from './domain/order-costs.ts';
import type { OrderDraft } from './domain/order-draft.ts';
import { saleOf } from './domain/order-sale.ts';
import { orderTerms } from '../search-terms.ts';
import type { OrderDocument } from '../models.ts';

/** An order as it was sent, with its request's fingerprint and length as JSON. */
export interface SentOrder {
  input: OrderInput;
  fingerprint: string;
  characters: number;
}

const NOTHING: Pick<Purchased, 'claims' | 'codes'> = { claims: [], codes: [] };

/**
 * More modifiers and shares than this may make an order larger than a document can be: each has at most about 4 KiB.
 */
const MODIFIERS_WEIGHED = 2_000;

/**
 * The order as it is written, together with its event.
 *
 * @throws {PlatformError} VALIDATION_FAILED if it is too large to be stored
 */
export function orderDocument(
  caller: Caller,
  { input, fingerprint }: SentOrder,
  ready: {
    id: string;
    placedBy: string;
    draft: OrderDraft;
    priced: PricedOrder;
    purchase: Purchased | undefined;
    tickets: readonly TicketClaim[];
    cart: CheckedOut | undefined;
  },
  now: Date,
): OrderDocument {
  const { id, placedBy, draft, priced, purchase: { claims, codes } = NOTHING, tickets, cart } = ready;
  const { tableCommitmentId, seats, sessionCreatedAt } = cart ?? {};
  const { items, costs, pricing, basis } = priced;
  const { expiresInSeconds, expectedTotal: _expected, cartVersion: _version, customer, ...said } = input;
  const { customerId, customerSegment, channelId } = draft;
  const buyer = { ...customer, ...(customerId === undefined ? {} : { id: customerId }) };
  const coupons = couponsOf(input, codes, claims);
  const sale = saleOf(undefined, { status: said.status, currency: said.currency, items, costs });
  const document: OrderDocument = {
    _id: id,
    ...withStoredNames(said),
    companyId: caller.tenant,
    customer: withStoredNames(buyer),
    ...(customerSegment === undefined ? {} : { customerSegment }),
    ...(channelId === undefined ? {} : { channelId }),
    ...(tableCommitmentId === undefined ? {} : { tableCommitmentId }),
    ...(seats === undefined ? {} : { seats }),
    ...(sessionCreatedAt === undefined ? {} : { sessionCreatedAt }),
    items: withStoredNames(items),
    costs: withStoredNames(costs),
    pricing,
    ...(basis === undefined ? {} : { basis }),
    coupons: withStoredNames(coupons),
    terms: orderTerms({ orderNumber: said.orderNumber, customer: buyer, items, coupons }),
    fingerprint,
    placedBy,
    claims: [...claims],
    tickets: [...tickets],
    version: 1,
    createdAt: now,
    changedAt: now,
    ...(expiresInSeconds === undefined ? {} : { expiresAt: new Date(now.getTime() + expiresInSeconds * 1000) }),
    outbox: [
      outboxEntry(said.status === 'pending' ? 'order.pending' : 'order.placed', now, {
        ...caller,
        after: { version: 1 },
        ...(sale === undefined ? {} : { extra: { sale } }),
      }),
    ],
  };
  if (modifiersIn(document) > MODIFIERS_WEIGHED && storedBytes(document) > DOCUMENT_BYTES_MAX) {
    throw invalidInput(
      'order.items',
      'exceed the price adjustments that one order can have; split it into several orders',
    );
  }
  return document;
}

/** The approximate length of the document as JSON, of an order that was sent as `characters`. */
export function charactersOf(document: OrderDocument, { characters }: SentOrder): number {
  return characters + 300 * document.items.length + 500 * modifiersIn(document);
}

function modifiersIn({ items, pricing }: Pick<OrderDocument, 'items' | 'pricing'>): number {
  return items.reduce((sum, { modifiers, shares }) => sum + modifiers.length + shares.length, pricing.modifiers.length);
}

/** Every code of the order and its cart, with what it redeemed or why it lost. */
function couponsOf(input: OrderInput, codes: readonly CodeResult[], claims: readonly RedemptionClaim[]): OrderCoupon[] {
  const given = new Map(
    input.coupons.map((coupon) => {
      if (typeof coupon === 'string') return [codeKey(coupon), {}] as const;
      // A code's result in another order does not apply to this one.
      const { code, adjustmentId: _a, redemptionId: _r, reason: _w, detail: _d, ...said } = coupon;
      return [codeKey(code), said] as const;
    }),
  );
  return codes.map((result) => {
    const { code, status: _, adjustmentId, ...why } = result;
    const redemptionId = redemptionsIn(claims).find((claim) => claim.adjustmentId === adjustmentId)?.redemptionId;
    return {
      ...given.get(codeKey(code)),
      code: storedCode(code),
      ...(adjustmentId === undefined ? {} : { adjustmentId }),
      ...(redemptionId === undefined ? why : { redemptionId }),
    };
  });
}
