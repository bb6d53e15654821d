import { noQuotas } from '@event-commerce/service-kit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventRepository } from '../src/store/event.repository.ts';
import { type EventsReplicas, startEventsReplicas } from './harness.ts';

let events: EventsReplicas;
beforeAll(async () => {
  events = await startEventsReplicas({ replicas: 1 });
});
afterAll(async () => events?.stop());

test('an event of an earlier release is found by what it says once it has its terms', async () => {
  const api = events.newCompany().api();
  const { id } = (await api.post('/events', { name: 'Gala', startsAt: '2027-05-01T20:00:00Z' })).body.data;
  const found = async (query: string) => (await api.get(`/events?${query}`)).body.data.length;
  expect([await found('q=gala'), await found('from=2027-05-01T00:00:00Z')]).toEqual([1, 1]);
  await events.models.events.collection.updateOne({ _id: id }, { $unset: { terms: '' } });
  expect([await found('q=gala'), await found('')]).toEqual([0, 1]);
  const relay = { publish: () => {}, stop: async () => {} };
  const repository = eventRepository(events.models, relay, noQuotas);
  expect(await repository.addTerms()).toBe(1);
  expect([await found('q=gala'), await found('from=2027-05-01T00:00:00Z')]).toEqual([1, 1]);
  expect(await repository.addTerms()).toBe(0);
});
