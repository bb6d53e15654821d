import { expect, it } from 'vitest';
import { customer, orderInput, orderRequest } from './order-input.ts';

const { items, status: orderStatus } = orderInput.shape;

it('an item with an id instead of an offering or a price is refused with the name that was meant', () => {
  expect(items.safeParse([{ id: 'off_1', quantity: 2 }]).error?.issues).toMatchObject([
    { path: [0, 'id'], message: 'is unknown; did you mean offeringId?' },
  ]);
});

it.each([{ offeringId: 'off_1' }, { price: 700 }, { amount: 700 }, { total: 1400 }])(
  "the caller's own id is kept next to %j",
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

it.each(['Zurückgelegt', 'paid in cash', '支払済み', 'pre-placed', 'x'.repeat(64)])(
  '%j is a label of its own',
  (label) => {
    expect(orderStatus.parse(` ${label} `)).toBe(label);
  },
);

it.each([
  'PENDING',
  ' Pending ',
  'pen ding',
  'p\u00a0ending',
  'pend\u200bing',
  '\u2066pending\u2069',
  'ｐｅｎｄｉｎｇ',
])('%j is the state that it shows, and no label', (given) => expect(orderStatus.parse(given)).toBe('pending'));

it.each(['', '  ', 'a\u0000b', 'a\nb', '\ud800', 'x'.repeat(65), 'Can celled', 'EXPIRED\u200d'])(
  '%j is not a status of a new order',
  (given) => expect(orderStatus.safeParse(given).success).toBe(false),
);

it.each(['r&d@example.com', "o'neil+tickets@mail.example.co.uk", 'a!b#c$d%e*f/g=h?i^j{k|l}m~n@example.com'])(
  '%j is the e-mail address of a customer',
  (email) => expect(customer.safeParse({ email }).data).toEqual({ email }),
);

it.each(['ada', 'ada@', '@example.com', 'ada@example', 'a b@example.com', 'a@b@example.com', 'a\u0000b@example.com'])(
  '%j is not an e-mail address',
  (email) => expect(customer.safeParse({ email }).success).toBe(false),
);

it('an item that a cart or an order returned without a price has none: its total is ignored', () => {
  const answered = { offeringId: 'off_1', quantity: 2, total: 0, priced: false };
  expect(items.parse([answered])).toEqual([{ ...answered, total: undefined }]);
  expect(items.parse([{ ...answered, unitPrice: 700 }])).toMatchObject([{ unitPrice: 700, total: 0 }]);
});
