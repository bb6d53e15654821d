import type { components } from '@event-commerce/client';
import { expect, it } from 'vitest';
import {
  newOfferingDraft,
  offeringChangeOf,
  offeringCreationOf,
  offeringDraftOf,
  offeringProblems,
  saleText,
} from './offering-draft.ts';

const stored: components['schemas']['Offering'] = {
  id: 'off_1',
  eventId: 'evt_1',
  companyId: 'co',
  name: 'Standing',
  price: { amount: 4990, currency: 'EUR' },
  tags: [],
  status: 'active',
  capacity: 100,
  maxPerOrder: 6,
  onSaleFrom: '2026-12-01T09:00:00.000Z',
  availability: { sold: 0, held: 0, left: 100 },
  version: 1,
  created: '2026-01-01T00:00:00.000Z',
  changed: '2026-01-01T00:00:00.000Z',
};

it('a new offering has what is filled in', () => {
  const draft = {
    ...newOfferingDraft(),
    name: 'Standing',
    amount: '49,90',
    capacity: '0',
    onSaleUntil: '2027-01-05T18:00',
  };
  expect(offeringProblems(draft)).toEqual({});
  expect(offeringCreationOf(draft)).toEqual({
    name: 'Standing',
    price: { amount: 4990, currency: 'EUR' },
    status: 'active',
    capacity: 0,
    onSaleUntil: '2027-01-05T18:00',
    tags: [],
  });
});

it('a change sends what was changed, and removes what was emptied', () => {
  const saved = offeringDraftOf(stored, 'Europe/Berlin');
  expect(saved.onSaleFrom).toBe('2026-12-01T10:00');
  expect(offeringChangeOf({ ...saved, amount: '60', onSaleFrom: '' }, saved)).toEqual({
    price: { amount: 6000, currency: 'EUR' },
    onSaleFrom: null,
  });
});

it('says what cannot be sent at its field', () => {
  const draft = { ...newOfferingDraft('JPY'), amount: '5.5', capacity: '-1', maxPerOrder: '0', maxPerCustomer: '0' };
  const wrong = ['amount', 'capacity', 'maxPerCustomer', 'maxPerOrder', 'name'];
  expect(Object.keys(offeringProblems(draft)).toSorted()).toEqual(wrong);
  expect(offeringProblems({ ...draft, currency: 'yen' }).currency).toMatch('such as EUR');
});

it('says when it is sold, and how many to an order', () => {
  expect(saleText(stored, 'Europe/Berlin').replace(/\s/g, ' ')).toBe(
    'On sale from Dec 1, 2026, 10:00 AM GMT+1, at most 6 per order',
  );
  const { onSaleFrom: _, ...always } = stored;
  expect(saleText(always, 'UTC')).toBe('At most 6 per order');
});
