import { expect, test } from 'vitest';
import { aLine, anAdjustment, OPTIONS, targeting } from '../adjustments.fixture.ts';
import { priceCart } from '../price.ts';
import { CompanySnapshot } from '../../../snapshot/domain/snapshot.ts';

test('the tags of a line that nothing targets are not read more often with more adjustments', () => {
  let reads = 0;
  const tags = new Proxy(['vip'], {
    get: (target, name) => {
      if (name === '0') reads += 1;
      return Reflect.get(target, name) as unknown;
    },
  });
  const lines = [
    aLine('ga', 1000, 1, 'evt_1'),
    { offering: { ...aLine('vip', 1000, 1, 'evt_2').offering, tags }, quantity: 1 },
  ];
  const changes = { targets: [targeting('event/evt_1')], conditions: { tags: ['seated'] } };
  const readsFor = (count: number): number => {
    reads = 0;
    const adjustments = Array.from({ length: count }, (_, n) => anAdjustment({ id: `adj_${n}`, ...changes }));
    priceCart(new CompanySnapshot(adjustments), { lines, cartContext: {} }, OPTIONS);
    return reads;
  };
  expect(readsFor(10)).toBe(readsFor(1));
});
