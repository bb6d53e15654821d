import { expect, test } from 'vitest';
import { orderDocument } from './order-document.ts';

/** The document of an order of 500 items with twelve adjustments each, all called `name`. */
function documentOf(name: string, coupons: unknown[] = [], claimed: object = {}) {
  const modifiers = Array.from({ length: 12 }, () => ({
    adjustmentId: 'adj_1',
    name,
    base: 100,
    amount: -1,
    total: -1,
  }));
  const ready = {
    draft: {},
    priced: {
      items: Array.from({ length: 500 }, () => ({ modifiers, shares: [] })),
      costs: {},
      pricing: { modifiers: [] },
    },
    purchase: { codes: [], claims: [], ...claimed },
    tickets: [],
  };
  const input = { orderNumber: 'N-1', status: 'placed', customer: { email: 'ada@example.com' }, coupons };
  return orderDocument(
    {} as Parameters<typeof orderDocument>[0],
    { input, fingerprint: '', characters: 0 } as unknown as Parameters<typeof orderDocument>[1],
    ready as unknown as Parameters<typeof orderDocument>[2],
    new Date(),
  );
}

test('an order that would be larger than a document is refused, in any script', () => {
  expect(documentOf('x'.repeat(1_000)).items).toHaveLength(500);
  for (const name of ['x'.repeat(2_500), '\u5b57'.repeat(1_000)]) {
    expect(() => documentOf(name)).toThrow('order.items exceed the price adjustments that one order can have');
  }
});

test('a coupon that is copied from another order keeps what the caller says, but not its result there', () => {
  const there = { adjustmentId: 'adj_old', redemptionId: 'rdm_old', reason: 'ended', detail: 'ended', note: 'radio' };
  const codes = [
    { code: 'won', status: 'applied', adjustmentId: 'adj_1' },
    { code: 'lost', status: 'dropped', adjustmentId: 'adj_2', reason: 'no-effect', detail: 'changes nothing' },
  ];
  const claims = [{ adjustmentId: 'adj_1', redemptionId: 'rdm_1' }];
  const coupons = [
    { code: 'won', ...there },
    { code: 'lost', ...there },
  ];
  expect(documentOf('x', coupons, { codes, claims }).coupons).toEqual([
    { code: 'WON', note: 'radio', adjustmentId: 'adj_1', redemptionId: 'rdm_1' },
    { code: 'LOST', note: 'radio', adjustmentId: 'adj_2', reason: 'no-effect', detail: 'changes nothing' },
  ]);
});
