import { afterAll, beforeAll, expect, test } from 'vitest';
import { type EventsReplicas, startEventsReplicas } from './harness.ts';
import { insertEvents } from './insert-events.ts';

let events: EventsReplicas;
beforeAll(async () => {
  events = await startEventsReplicas({ replicas: 2 });
});
afterAll(async () => events?.stop());

const ticket = { name: 'Ticket', price: { amount: 5000, currency: 'EUR' } };

test('the capacity of a series is counted for each of its instances by itself, and they follow its changes', async () => {
  const { api } = events.newCompany();
  const series = (await api().post('/events', { kind: 'series', name: 'Jazz', capacity: 3 })).body.data;
  const offerings = await Promise.all(
    [1, 2].map(async () => {
      const instance = (await api().post(`/events/${series.id}/instances`)).body.data;
      return (await api().post(`/events/${instance.id}/offerings`, ticket)).body.data;
    }),
  );
  const [{ id: first, companyId }, { id: second }] = offerings;
  await events.claimTickets(companyId, { [first]: 3 });
  await events.claimTickets(companyId, { [second]: 2 });
  const left = async () =>
    await Promise.all(
      [first, second].map(async (id) => (await api(1).get(`/offerings/${id}`)).body.data.availability.left),
    );
  expect(await left()).toEqual([0, 1]);
  await api().patch(`/events/${series.id}`, { capacity: 2 });
  expect(await left()).toEqual([0, 0]);
  await expect(events.claimTickets(companyId, { [second]: 1 })).rejects.toMatchObject({ code: 'SOLD_OUT' });
});

test('more instances of a series than are read at once follow its capacity, and many changes of it at once', async () => {
  const { companyId, api } = events.newCompany();
  const series = (await api().post('/events', { kind: 'series', name: 'Jazz', capacity: 3 })).body.data;
  const instances = await insertEvents(
    events.models,
    companyId,
    Array.from({ length: 1_001 }, () => ({ kind: 'instance', seriesId: series.id, own: {} })),
  );
  const sold = await Promise.all(
    [0, 500, 1_000].map(async (n) => {
      const { id } = (await api().post(`/events/${instances[n]!._id}/offerings`, ticket)).body.data;
      await events.claimTickets(companyId, { [id]: 2 });
      return id;
    }),
  );
  await Promise.all(Array.from({ length: 10 }, async () => api().patch(`/events/${series.id}`, { capacity: 2 })));
  for (const id of sold) {
    await expect(events.claimTickets(companyId, { [id]: 1 })).rejects.toMatchObject({ code: 'SOLD_OUT' });
  }
});
