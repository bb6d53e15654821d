import { expect, test } from 'vitest';
import { aLine, anAdjustment, OPTIONS } from './adjustments.fixture.ts';
import { inOrderOfContent, linesOf } from './cart-lines.ts';
import { priceCart } from './price.ts';
import { CompanySnapshot } from '../../snapshot/domain/snapshot.ts';

test('lines that are only named by their position cost the same in every order', () => {
  const snapshot = new CompanySnapshot([
    anAdjustment({ id: 'off', priority: 2, effect: { kind: 'amount_off', amount: 246, per: 'order' } }),
    anAdjustment({
      id: 'free',
      effectBase: 'current-price',
      effect: { kind: 'buy_x_get_y', buy: 2, get: 2, percent: 100, per: 'order' },
    }),
  ]);
  const totalOf = (items: readonly (readonly [amount: number, quantity: number])[]): number => {
    const lines = items.map(([amount, quantity], place) => aLine(`order.items[${place}]`, amount, quantity));
    return priceCart(snapshot, { lines, cartContext: {} }, OPTIONS).summary.total;
  };
  const [a, b, c] = [
    [300, 1],
    [100, 3],
    [250, 3],
  ] as const;
  expect(
    new Set(
      [
        [a, b, c],
        [a, c, b],
        [b, a, c],
        [b, c, a],
        [c, a, b],
        [c, b, a],
      ].map(totalOf),
    ).size,
  ).toBe(1);
});

test.each([
  ['lines of one price and quantity are encoded once each', () => 1000, 100],
  ['lines of different prices are not encoded', (place: number) => place, 0],
])('%s', (_name, amountAt, expected) => {
  let encoded = 0;
  const tags = Object.assign(['seated'], {
    toJSON: () => {
      encoded += 1;
      return ['seated'];
    },
  });
  const lines = Array.from({ length: 100 }, (_, place) => {
    const { offering, quantity } = aLine(`off_${place}`, amountAt(place), 1);
    return { offering: { ...offering, tags }, quantity };
  });
  inOrderOfContent(linesOf({ lines }, new Map()));
  expect(encoded).toBe(expected);
});
