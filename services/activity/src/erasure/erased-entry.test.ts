import { tenantOf } from '@event-commerce/contracts';
import { expect, test } from 'vitest';
import { termsOf } from '../log/domain/terms.ts';
import type { EntryDocument } from '../models.ts';
import { erasedEntry } from './erased-entry.ts';

const entryOf = (data: object, related: string[], changes?: object[]): EntryDocument => {
  const about = { type: 'cart.updated', subject: 'cs_1', related };
  return {
    ...about,
    _id: 'e1',
    companyId: tenantOf({ companyId: 'acme', environment: 'live' }),
    environment: 'live',
    position: 1,
    terms: termsOf(about),
    at: new Date(0),
    data: JSON.stringify(data),
    ...(changes === undefined ? {} : { changes: JSON.stringify(changes) }),
    bytes: 0,
  };
};

test('an entry names the pseudonym wherever it named the customer, and nothing else changes', () => {
  const data = { id: 'cs_1', customerId: 'ada', items: [{ offeringId: 'ada' }], customer: { id: 'ada' }, total: 5 };
  const changes = [
    { path: 'customerId', before: 'ada', after: 'grace' },
    { path: 'customer', redacted: true },
    { path: 'channelId', before: 'ada' },
  ];
  const erased = erasedEntry(entryOf(data, ['ada', 'off_1'], changes), ['ada'], 'erased_1');
  expect(JSON.parse(erased?.data ?? '')).toEqual({
    ...data,
    customerId: 'erased_1',
    customer: { id: 'erased_1' },
  });
  expect(JSON.parse(erased?.changes ?? '')).toEqual([
    { path: 'customerId', before: 'erased_1', after: 'grace' },
    ...changes.slice(1),
  ]);
  expect(erased?.related).toEqual(['erased_1', 'off_1']);
  expect(erased?.terms).toEqual([
    'type cart.updated',
    'kind cart',
    'subject cs_1',
    'related erased_1',
    'related off_1',
  ]);
});

test('an entry that does not name the customer needs no change', () => {
  expect(erasedEntry(entryOf({ id: 'cs_1', customerId: 'grace' }, ['grace']), ['ada'], 'erased_1')).toBeUndefined();
});
