import { beforeAll, expect, test } from 'vitest';
import { type Services, sharedServices } from '../../../tests/harness/services.ts';
import { claimTickets, ticket } from './tickets.ts';
import { insertEvents } from './insert-events.ts';

let services: Services;
beforeAll(async () => {
  services = await sharedServices();
});

test('the capacity of a series applies to each of its instances separately, and they follow its changes', async () => {
  const company = services.newCompany();
  const { events: api } = company;
  const series = (await api.post('/events', { kind: 'series', name: 'Jazz', capacity: 3 })).body.data;
  const offerings = await Promise.all(
    [1, 2].map(async () => {
      const instance = (await api.post(`/events/${series.id}/instances`)).body.data;
      return (await api.post(`/events/${instance.id}/offerings`, ticket)).body.data;
    }),
  );
  const [{ id: first }, { id: second }] = offerings;
  await claimTickets(services, company, { [first]: 3 });
  await claimTickets(services, company, { [second]: 2 });
  const left = async () =>
    await Promise.all(
      [first, second].map(async (id) => (await api.replica(1).get(`/offerings/${id}`)).body.data.availability.left),
    );
  expect(await left()).toEqual([0, 1]);
  await api.patch(`/events/${series.id}`, { capacity: 2 });
  expect(await left()).toEqual([0, 0]);
  await expect(claimTickets(services, company, { [second]: 1 })).rejects.toMatchObject({ code: 'SOLD_OUT' });
});

test('more instances than are read at once follow the capacity of their series, and many concurrent changes of it', async () => {
  const company = services.newCompany();
  const { events: api } = company;
  const series = (await api.post('/events', { kind: 'series', name: 'Jazz', capacity: 3 })).body.data;
  const instances = await insertEvents(
    services.models.events,
    company.companyId,
    Array.from({ length: 1_001 }, () => ({ kind: 'instance', seriesId: series.id, own: {} })),
  );
  const sold = await Promise.all(
    [0, 500, 1_000].map(async (n) => {
      const { id } = (await api.post(`/events/${instances[n]!._id}/offerings`, ticket)).body.data;
      await claimTickets(services, company, { [id]: 2 });
      return id;
    }),
  );
  await Promise.all(Array.from({ length: 10 }, async () => api.patch(`/events/${series.id}`, { capacity: 2 })));
  for (const id of sold) {
    await expect(claimTickets(services, company, { [id]: 1 })).rejects.toMatchObject({ code: 'SOLD_OUT' });
  }
});
