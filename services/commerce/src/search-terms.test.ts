import { expect, test } from 'vitest';
import { ordersSearchedFor, orderTerms } from './search-terms.ts';

test.each([
  ['Ada Lovelace', ['ada', 'lovelace']],
  ['  José ÅNGSTRÖM-Müller ', ['jose', 'angstrom', 'muller']],
  ['N-2027/001', ['n', '2027', '001']],
  ['+49 (30) 123', ['49', '30', '123']],
  ['İstanbul Straße', ['istanbul', 'strasse']],
  ['ﬁn ＡＤＡ', ['fin', 'ada']],
  ['王 小明', ['王', '小明']],
  ['Ada@Example.co lovelace', ['e ada@example.co', 'w lovelace']],
  ['N-8f14e45f-ceea-467f-9b1c-0a2b3c4d5e6f', ['w n', 'w 0a2b3c4d5e6f']],
  ['ada example.com', ['ada', 'example']],
  ['stud.uni-berlin.de', ['stud', 'uni', 'berlin']],
  ['A.1 B.2027', ['a', '1', 'b', '2027']],
  ['?! ', []],
])('a search for %j looks for what begins with %j', (text, beginnings) => {
  expect(ordersSearchedFor(text)).toEqual(beginnings.map((one) => (one.includes(' ') ? one : `w ${one}`)));
});

test('an order has each term once', () => {
  const item = { offeringId: 'off_1', quantity: 1 };
  const customer = { email: 'Ada@Example.com', firstName: 'Ada' };
  const coupons = [{ code: 'summer' }];
  expect(orderTerms({ orderNumber: 'A-1', customer, items: [item, item], coupons })).toEqual([
    'e ada@example.com',
    'o off_1',
    'c SUMMER',
    'w a',
    'w 1',
    'w ada',
    'w example',
  ]);
});

test('an order number that is a UUID is found by its full text', () => {
  const orderNumber = 'n-8f14e45f-ceea-467f-9b1c-0a2b3c4d5e6f';
  const terms = orderTerms({ orderNumber, customer: { email: 'ada@example.com' }, items: [], coupons: [] });
  expect(terms).toEqual(['e ada@example.com', 'w n', 'w 0a2b3c4d5e6f', 'w ada', 'w example']);
  expect(terms).toEqual(expect.arrayContaining(ordersSearchedFor(orderNumber.toUpperCase())));
});
