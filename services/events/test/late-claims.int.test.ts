import type { Claim } from '@event-commerce/claims';
import { newId, noQuotas } from '@event-commerce/service-kit';
import { liveTenant } from '@event-commerce/test-kit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventRepository } from '../src/store/event.repository.ts';
import { ticketPools } from '../src/store/ticket-pools.ts';
import { eventPools } from '../src/use-cases/ticket-limits.ts';
import { created } from './concert.ts';
import { type EventsReplicas, startEventsReplicas } from './harness.ts';

let events: EventsReplicas;
beforeAll(async () => {
  events = await startEventsReplicas({ replicas: 1 });
});
afterAll(async () => events?.stop());

test('a lower capacity of a series holds at once in an instance that nobody ordered from, also for an order that read the earlier one', async () => {
  const company = events.newCompany();
  const [api, tenant] = [company.api(), liveTenant(company.companyId)];
  const series = await created(api, '/events', { kind: 'series', name: 'Jazz', capacity: 3 });
  const { id } = await created(api, `/events/${series.id}/instances`, {});
  await created(api, `/events/${id}/offerings`, { name: 'Ticket', price: { amount: 5000, currency: 'EUR' } });

  const repository = eventRepository(events.models, { publish: () => {}, stop: async () => {} }, noQuotas);
  const pool = (await eventPools({ events: repository }, tenant, [id])).get(id);
  if (pool === undefined) throw new Error('the tickets of the instance are not counted');
  expect((await api.patch(`/events/${series.id}`, { capacity: 2 })).status).toBe(200);
  const claim: Claim = {
    id: newId('tkt'),
    poolId: pool.id,
    companyId: tenant,
    orderId: newId('ord'),
    quantity: 3,
    status: 'pending',
    settledBy: 'commerce',
    attempts: ['a'],
  };
  const pools = ticketPools(events.models, () => new Date());
  const share = { limit: undefined, since: undefined };
  expect(await pools.hold({ claim, pool, share })).toEqual({ kind: 'outdated' });
});
