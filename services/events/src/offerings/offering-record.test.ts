import { liveTenant } from '@event-commerce/test-kit';
import { outboxEntry } from '@event-commerce/outbox';
import { expect, test } from 'vitest';
import type { OfferingDocument } from '../models.ts';
import { offeringEvent } from './offering-record.ts';

const document = (availabilityVersion: number): OfferingDocument => ({
  _id: 'off_1',
  companyId: liveTenant('company-1'),
  offeringId: 'off_1',
  eventId: 'evt_1',
  name: 'Ticket',
  price: { amount: 5_000, currency: 'EUR' },
  tags: [],
  status: 'active',
  version: 1,
  created: new Date(),
  changed: new Date(),
  availabilityVersion,
});

test.each([
  [1, 'offering.sold_out', 1],
  [2, 'offering.available', 2],
  // Published after the next change was written: by its sweep, or by another replica.
  [2, 'offering.sold_out', 1],
  [3, 'offering.available', 2],
] as const)('of an offering at availability version %i, %s has version %i', (stored, type, expected) => {
  const entry = outboxEntry(type, new Date(), { extra: { sold: 1, held: 0, left: 0 } });
  expect(offeringEvent(entry, document(stored)).data).toMatchObject({ availabilityVersion: expected });
});
