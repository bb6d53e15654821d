import { expect, it } from 'vitest';
import { orderInput, orderRequest } from './order-input.ts';

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

it.each(['unitPrice', 'price', 'amount', 'total'])(
  'an item whose %s is in another currency is refused there',
  (field) => {
    const order = {
      orderNumber: 'N-1',
      currency: 'EUR',
      companyId: 'demo',
      organizerId: 'org_1',
      contextId: 'evt_1',
      customer: { email: 'ada@example.com' },
      items: [
        { name: 'Poster', unitPrice: 900 },
        { name: 'Shirt', [field]: { amount: 900, currency: 'USD' } },
      ],
      context: { urn: 'urn:v1:demo:orders:order/N-1' },
    };
    expect(orderRequest.safeParse({ order }).error?.issues).toMatchObject([
      { path: ['order', 'items', 1, field, 'currency'], message: 'must be EUR, the currency of the order' },
    ]);
  },
);
