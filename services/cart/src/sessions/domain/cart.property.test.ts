import { type CartItemInput, evaluateCartRequest, codeKey, PlatformError } from '@event-commerce/contracts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Cart } from './cart.ts';
import { aCatalogue, anOffering, evaluationOf } from './cart.fixture.ts';
import { type CartChange, changeCart, EMPTY_CART } from './change-cart.ts';
import { listPrices } from './list-prices.ts';
import { evaluationRequest, priceCart } from './price-cart.ts';

const catalogue = aCatalogue(
  anOffering('eur-1'),
  anOffering('eur-2', { price: { amount: 1, currency: 'EUR' }, tags: ['vip'] }),
  anOffering('usd', { price: { amount: 700, currency: 'USD' } }),
  anOffering('inactive', { status: 'inactive' }),
  anOffering('dear', { price: { amount: 900_000_000_000, currency: 'EUR' } }),
);

const amount = fc.oneof(fc.integer({ min: 0, max: 100_000 }), fc.integer({ min: 0, max: 1_000_000_000_000 }));
const currency = fc.constantFrom('EUR', 'USD', 'JPY');
const item: fc.Arbitrary<CartItemInput> = fc.record(
  {
    offeringId: fc.constantFrom('eur-1', 'eur-2', 'usd', 'inactive', 'dear', 'own-1', 'own-2', 'own-3'),
    quantity: fc.oneof(fc.constantFrom(0, 1, 2), fc.integer({ min: 0, max: 10_000 })),
    price: fc.oneof(amount, fc.record({ amount, currency })),
  },
  { requiredKeys: ['offeringId', 'quantity'] },
);
const items = fc.uniqueArray(item, { maxLength: 6, selector: ({ offeringId }) => offeringId });
const change: fc.Arbitrary<CartChange> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('set-item' as const), input: item }) },
  fc.record({
    kind: fc.constant('patch' as const),
    input: fc.record({ items, coupons: fc.uniqueArray(fc.constantFrom('A', 'B', 'c')) }, { requiredKeys: [] }),
  }),
);

/** The cart after all changes that are possible. */
function cartAfter(changes: readonly CartChange[]): Cart {
  return changes.reduce<Cart>((cart, one) => {
    try {
      return changeCart(cart, one, catalogue, 'EUR');
    } catch (error) {
      expect(error).toBeInstanceOf(PlatformError);
      expect((error as PlatformError).code).toBe('VALIDATION_FAILED');
      return cart;
    }
  }, EMPTY_CART);
}

const carts = fc.array(change, { maxLength: 12 }).map(cartAfter);

describe('any cart', () => {
  test('is accepted by pricing: one currency, exact amounts, each offering once', () => {
    fc.assert(
      fc.property(carts, (cart) => {
        const listed = listPrices(cart, catalogue, 'EUR');
        const request = evaluationRequest(cart, listed);
        if (request === undefined) return;
        expect(evaluateCartRequest.safeParse(request).error).toBeUndefined();
        expect(new Set(request.lines.map(({ offering }) => offering.price.currency)).size).toBeLessThan(2);
        expect(new Set(cart.lines.map(({ offeringId }) => offeringId)).size).toBe(cart.lines.length);
        const subtotal = request.lines.reduce(
          (sum, { offering, quantity }) => sum + offering.price.amount * quantity,
          0,
        );
        expect(request.cartContext.orderTotal).toEqual({ amount: subtotal, currency: listed.currency });
        expect(Number.isSafeInteger(subtotal)).toBe(true);
      }),
    );
  });

  test('costs the sum of its items and order-wide modifiers; unpriced items add nothing', () => {
    fc.assert(
      fc.property(
        carts,
        fc.integer({ min: -6_000, max: 6_000 }),
        fc.integer({ min: -9_000, max: 9_000 }),
        (cart, unit, order) => {
          const listed = listPrices(cart, catalogue, 'EUR');
          const request = evaluationRequest(cart, listed);
          const priced = priceCart(listed, request && evaluationOf(request, unit, order), new Date());
          const parts = [...priced.items, ...priced.perOrderModifiers].reduce((sum, { total }) => sum + total, 0);
          expect(priced.summary.total).toBe(parts);
          expect(priced.summary.currency).toBe(listed.currency);
          for (const one of priced.items) {
            expect(one.total).toBe((one.effectiveUnitPrice ?? 0) * one.quantity);
            expect(one.priced).toBe(one.unpricedReason === undefined);
            if (!one.priced) expect([one.unitPrice, one.effectiveUnitPrice, one.total]).toEqual([null, null, 0]);
          }
        },
      ),
    );
  });

  test('contains what was set last, and nothing that was set to 0', () => {
    fc.assert(
      fc.property(carts, item, (cart, input) => {
        const after = cartAfterOne(cart, { kind: 'set-item', input });
        if (after === undefined) return;
        const line = after.lines.find(({ offeringId }) => offeringId === input.offeringId);
        expect(line?.quantity ?? 0).toBe(input.quantity);
        const others = (one: Cart) => one.lines.filter(({ offeringId }) => offeringId !== input.offeringId);
        expect(others(after)).toEqual(others(cart));
      }),
    );
  });

  test('stays the same when it is sent back unchanged', () => {
    fc.assert(
      fc.property(carts, (cart) => {
        const sent = cart.lines.map(({ offeringId, quantity }) => ({ offeringId, quantity }));
        const after = changeCart(
          cart,
          { kind: 'patch', input: { items: sent, coupons: cart.coupons } },
          catalogue,
          'EUR',
        );
        expect(after).toEqual(cart);
      }),
    );
  });

  test('never uses a caller’s price for an offering of the catalogue', () => {
    fc.assert(
      fc.property(carts, (cart) => {
        const known = listPrices(cart, catalogue, 'EUR').lines.filter(({ offering }) => offering !== undefined);
        expect(known.filter(({ line }) => line.price !== undefined)).toEqual([]);
        expect(
          known.filter((one) => one.unitPrice !== undefined && one.unitPrice !== one.offering?.price.amount),
        ).toEqual([]);
      }),
    );
  });
});

function cartAfterOne(cart: Cart, one: CartChange): Cart | undefined {
  try {
    return changeCart(cart, one, catalogue, 'EUR');
  } catch {
    return undefined;
  }
}

test('keeps the spelling of codes', () => {
  const cart = changeCart(EMPTY_CART, { kind: 'patch', input: { coupons: ['Summer'] } }, catalogue, 'EUR');
  expect(cart.coupons.map(codeKey)).toEqual(['SUMMER']);
  expect(cart.coupons).toEqual(['Summer']);
});
