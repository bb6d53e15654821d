import { expect } from 'vitest';
import type { Company } from '../../../tests/harness/services.ts';

/** Puts a ticket for event `evt_1` into the company's catalogue, at 50.00 EUR. */
export async function offer(company: Company, { id, ...given }: { id: string } & Record<string, unknown>) {
  const event = await company.events.post('/events', { id: 'evt_1', name: 'Gala', status: 'published' });
  expect([201, 409]).toContain(event.status);
  const ticket = { id, name: `Ticket ${id}`, price: { amount: 5_000, currency: 'EUR' }, ...given };
  const { status, body } = await company.events.post('/events/evt_1/offerings', ticket);
  expect([status, body.error]).toEqual([201, undefined]);
}

/** Changes an offering of the company. */
export async function changeOffer(company: Company, id: string, patch: Record<string, unknown>): Promise<void> {
  const { status, body } = await company.events.patch(`/offerings/${id}`, patch);
  expect([status, body.error]).toEqual([200, undefined]);
}
