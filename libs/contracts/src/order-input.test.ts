import { expect, it } from 'vitest';
import { orderInput } from './order-input.ts';

const { items } = orderInput.shape;

it('an item that has an id instead of an offering or a price is refused with the name that was meant', () => {
  expect(items.safeParse([{ id: 'off_1', quantity: 2 }]).error?.issues).toMatchObject([
    { path: [0, 'id'], message: 'is unknown here; did you mean offeringId?' },
  ]);
});

it.each([{ offeringId: 'off_1' }, { price: 700 }, { amount: 700 }, { total: 1400 }])(
  "an id of the caller's own is kept beside %j",
  (item) => {
    expect(items.parse([{ id: 'line-1', ...item }])).toMatchObject([{ id: 'line-1', ...item }]);
  },
);
