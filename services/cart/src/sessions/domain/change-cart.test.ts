import { cartSessionPatch, type PlatformError } from '@event-commerce/contracts';
import { describe, expect, test } from 'vitest';
import type { Cart } from './cart.ts';
import { aCatalogue, anOffering } from './cart.fixture.ts';
import { type CartChange, changeCart, EMPTY_CART } from './change-cart.ts';
import { listPrices } from './list-prices.ts';
import { evaluationRequest } from './price-cart.ts';

const catalogue = aCatalogue(
  anOffering('ticket', { eventId: 'evt_9', tags: ['vip'] }),
  anOffering('usd', { price: { amount: 700, currency: 'USD' } }),
);
const apply = (cart: Cart, ...changes: CartChange[]) =>
  changes.reduce((one, change) => changeCart(one, change, catalogue, 'EUR'), cart);
const set = (
  offeringId: string,
  quantity: number,
  price?: number | { amount: number; currency: string },
): CartChange => ({
  kind: 'set-item',
  input: { offeringId, quantity, ...(price === undefined ? {} : { price }) },
});
const refusal = (run: () => unknown): PlatformError => {
  try {
    run();
  } catch (error) {
    return error as PlatformError;
  }
  throw new Error('was not refused');
};

describe('the currency of a cart', () => {
  test('is that of its first price, and an item in another currency is refused', () => {
    const cart = apply(EMPTY_CART, set('own', 1, { amount: 100, currency: 'JPY' }));
    expect(listPrices(cart, catalogue, 'EUR').currency).toBe('JPY');
    const error = refusal(() => apply(cart, set('ticket', 1)));
    expect(error.details).toEqual([{ path: 'offeringId', message: 'is not priced in JPY, the currency of this cart' }]);
  });

  test('refuses a price in another currency for an item', () => {
    const cart = apply(EMPTY_CART, set('ticket', 1));
    const details = (change: CartChange) => refusal(() => apply(cart, change)).details;
    const message = 'must be EUR, the currency of this cart';
    const price = { amount: 900, currency: 'USD' };
    expect(details(set('own', 1, price))).toEqual([{ path: 'price.currency', message }]);
    const items = [
      { offeringId: 'ticket', quantity: 1 },
      { offeringId: 'own', quantity: 1, price },
    ];
    expect(details({ kind: 'patch', input: { items } })).toEqual([{ path: 'items[1].price.currency', message }]);
  });

  test('refuses an item in another currency if the caller set it', () => {
    const create: CartChange = {
      kind: 'create',
      input: {
        currency: 'USD',
        items: [
          { offeringId: 'usd', quantity: 1 },
          { offeringId: 'ticket', quantity: 1 },
        ],
      },
    };
    expect(refusal(() => apply(EMPTY_CART, create)).details?.[0]?.path).toBe('items[1].offeringId');
  });

  test('can be changed while every item fits it, and is otherwise refused at the field', () => {
    const patch = (currency: string | null): CartChange => ({ kind: 'patch', input: { currency } });
    const empty = apply(EMPTY_CART, patch('USD'));
    expect(listPrices(empty, catalogue, 'EUR').currency).toBe('USD');
    expect(listPrices(apply(empty, patch(null)), catalogue, 'EUR').currency).toBe('EUR');
    const cart = apply(empty, set('usd', 1));
    expect(refusal(() => apply(cart, patch('EUR'))).details).toEqual([
      { path: 'currency', message: 'cannot be changed like this: usd is not priced in EUR, the currency of this cart' },
    ]);
  });

  test('is free again once the cart is empty', () => {
    const cart = apply(EMPTY_CART, set('usd', 1), set('usd', 0), set('ticket', 1));
    expect(listPrices(cart, catalogue, 'EUR').currency).toBe('EUR');
  });

  test('does not change for the other items if the first gets a new price', () => {
    const cart = apply(EMPTY_CART, set('own', 1, 100), set('ticket', 1));
    const error = refusal(() => apply(cart, set('own', 1, { amount: 100, currency: 'USD' })));
    expect(error.code).toBe('VALIDATION_FAILED');
  });

  test('leaves an item unpriced if the catalogue changes the item’s currency, and does not block other changes', () => {
    const cart = apply(EMPTY_CART, set('own', 1, 100), set('ticket', 1));
    const changed = aCatalogue(anOffering('ticket', { price: { amount: 1, currency: 'USD' } }));
    const after = changeCart(cart, set('own', 2), changed, 'EUR');
    expect(listPrices(after, changed, 'EUR').lines.map(({ unpricedReason }) => unpricedReason)).toEqual([
      undefined,
      'currency-mismatch',
    ]);
  });

  test('is assumed for a price without a currency', () => {
    const cart = apply(EMPTY_CART, set('usd', 1), set('own', 1, 300));
    expect(cart.lines[1]?.price).toEqual({ amount: 300, currency: 'USD' });
  });
});

test('a cart that costs more than pricing accepts is refused', () => {
  const cart = apply(EMPTY_CART, set('own', 100, 1_000_000_000_000));
  expect(refusal(() => apply(cart, set('more', 1, 1))).message).toContain('more than can be priced');
  expect(refusal(() => apply(EMPTY_CART, set('own', 101, 1_000_000_000_000))).message).toContain(
    'more than can be priced',
  );
});

describe('the context of a cart', () => {
  test('is the event of its first offering, unless the caller sets one', () => {
    expect(apply(EMPTY_CART, set('own', 1, 1), set('ticket', 1)).contextId).toBe('evt_9');
    const create: CartChange = { kind: 'create', input: { contextId: 'ven_1' } };
    expect(apply(EMPTY_CART, create, set('ticket', 1)).contextId).toBe('ven_1');
  });

  test('is the event of its first offering if the caller removes another', () => {
    const create: CartChange = { kind: 'create', input: { contextId: 'ven_1' } };
    const patch: CartChange = { kind: 'patch', input: cartSessionPatch.parse({ contextId: null }) };
    expect(apply(EMPTY_CART, create, set('ticket', 1), patch).contextId).toBe('evt_9');
    expect(apply(EMPTY_CART, create, patch)).not.toHaveProperty('contextId');
  });

  test('is used as the event of offerings that are not in the catalogue, unless it is a venue or an organization', () => {
    const eventOf = (contextId: string) => {
      const cart = { ...apply(EMPTY_CART, set('own', 1, 1)), contextId };
      return evaluationRequest(cart, listPrices(cart, catalogue, 'EUR'))?.lines[0]?.offering.eventId;
    };
    expect([eventOf('evt_1'), eventOf('show-7'), eventOf('ven_1'), eventOf('org_1')]).toEqual([
      'evt_1',
      'show-7',
      undefined,
      undefined,
    ]);
  });
});

test('null removes removable fields in a patch, and absent fields stay', () => {
  const cart = apply(
    EMPTY_CART,
    { kind: 'create', input: { customerId: 'c', customerSegment: 'member', channelId: 'web' } },
    { kind: 'patch', input: { customerSegment: null, channelId: 'app' } },
  );
  expect(cart).toEqual({ customerId: 'c', channelId: 'app', lines: [], coupons: [] });
});

test('an empty cart sends no request to pricing', () => {
  const cart = apply(EMPTY_CART, set('unknown', 2));
  expect(evaluationRequest(cart, listPrices(cart, catalogue, 'EUR'))).toBeUndefined();
});
