import { expect, test } from 'vitest';
import { searchTerms, wordsOf } from './search-terms.ts';

test.each([
  ['Ada Lovelace', ['ada', 'lovelace']],
  ['  José ÅNGSTRÖM-Müller ', ['jose', 'angstrom', 'muller']],
  ['N-2027/001', ['n', '2027', '001']],
  ['+49 (30) 123', ['49', '30', '123']],
  ['İstanbul Straße', ['istanbul', 'straße']],
  ['ﬁn ＡＤＡ', ['fin', 'ada']],
  ['王 小明', ['王', '小明']],
  ['?! ', []],
])('the words of %j are %j', (text, words) => {
  expect(wordsOf(text)).toEqual(words);
});

test('an order has each term once', () => {
  const item = { offeringId: 'off_1', quantity: 1 };
  const customer = { email: 'Ada@Example.com', firstName: 'Ada' };
  const coupons = [{ code: 'summer' }];
  expect(searchTerms({ orderNumber: 'A-1', customer, items: [item, item], coupons })).toEqual([
    'e ada@example.com',
    'o off_1',
    'c SUMMER',
    'w a',
    'w 1',
    'w ada',
    'w example',
    'w com',
  ]);
});
