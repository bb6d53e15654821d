import { orderRequest } from '@event-commerce/contracts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { orderCosts } from './order-costs.ts';

const MAX = BigInt(Number.MAX_SAFE_INTEGER);
const costsOf = (items: Record<string, unknown>[], costs: Record<string, number> = {}) => {
  const { order } = {
    order: {
      orderNumber: 'N-1',
      currency: 'EUR',
      companyId: 'c',
      organizerId: 'org_1',
      contextId: 'evt_1',
      customer: { email: 'ada@example.com' },
      context: { urn: 'urn:x' },
      items,
      costs,
    },
  };
  return orderCosts(orderRequest.parse({ order }));
};

describe("an order's costs", () => {
  const amounts = fc.oneof(fc.maxSafeNat(), fc.nat(100_000));
  const item = fc.record({ unitPrice: amounts, quantity: fc.oneof(fc.nat(3), fc.nat(1_000_000)) });

  test('are exact, or the order is refused', () => {
    fc.assert(
      fc.property(fc.array(item, { maxLength: 5 }), amounts, amounts, (items, fees, tax) => {
        const totals = items.map(({ unitPrice, quantity }) => BigInt(unitPrice) * BigInt(quantity));
        const subtotal = totals.reduce((sum, total) => sum + total, 0n);
        const total = subtotal + BigInt(fees) + BigInt(tax);
        if (total > MAX) {
          expect(() => costsOf(items, { fees, tax })).toThrow(/the most that can be kept exactly/);
        } else {
          const costs = costsOf(items, { fees, tax });
          expect([BigInt(costs.subtotal), BigInt(costs.total)]).toEqual([subtotal, total]);
        }
      }),
    );
  });

  test.each([
    ['order.items[1]', [{ unitPrice: 1 }, { unitPrice: Number.MAX_SAFE_INTEGER, quantity: 1_000_000 }], {}],
    ['order.items', [{ unitPrice: Number.MAX_SAFE_INTEGER }, { unitPrice: 1 }], {}],
    ['order.costs', [{ unitPrice: 1 }], { tax: Number.MAX_SAFE_INTEGER }],
    // The items count although a subtotal was given.
    ['order.items[0]', [{ unitPrice: Number.MAX_SAFE_INTEGER, quantity: 3 }], { subtotal: 5, total: 5 }],
  ])('beyond exact integers are refused at %s', (path, items, costs) => {
    expect(() => costsOf(items, costs)).toThrow(
      expect.objectContaining({ code: 'VALIDATION_FAILED', details: [expect.objectContaining({ path })] }),
    );
  });

  test.each(['unitPrice', 'price', 'amount'])('read the price of an item from the field %s', (field) => {
    expect(costsOf([{ [field]: 5_000, quantity: 2 }])).toMatchObject({ subtotal: 10_000, total: 10_000 });
    expect(costsOf([{ [field]: { amount: 5_000, currency: 'EUR' } }])).toMatchObject({ total: 5_000 });
  });

  test('keep other fields', () => {
    expect(costsOf([{ price: 5 }], { deposit: 3 })).toEqual({
      subtotal: 5,
      fees: 0,
      tax: 0,
      total: 5,
      currency: 'EUR',
      deposit: 3,
    });
  });
});
