import { BROADCAST } from '@event-commerce/bus';
import { ATTEMPT_HEADER, type DomainEvent, formatAttempt } from '@event-commerce/contracts';
import { newId } from '@event-commerce/service-kit';
import { triesOfOne } from '@event-commerce/test-kit';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Company, type Services, sharedServices } from '../../../tests/harness/services.ts';
import { claimTickets, ticket } from './tickets.ts';
import { concert, created } from './concert.ts';

let services: Services;
beforeAll(async () => {
  services = await sharedServices();
});

/**
 * What the company's changes so far have published. Waits until nothing is unpublished and a later event, which is left
 * out, has arrived.
 */
async function allHeard(company: Company): Promise<DomainEvent[]> {
  const waiting = { companyId: company.companyId, 'outbox.0': { $exists: true } } as never;
  await expect.poll(() => services.models.events.events.collection.countDocuments(waiting)).toBe(0);
  const { id: last } = await created(company.events, '/events', concert);
  await expect.poll(() => company.published().map(({ subject }) => subject)).toContain(last);
  return company.published().filter(({ subject }) => subject !== last);
}

describe('changing an event', () => {
  test('changes the fields sent, removes those that are null, and keeps the rest', async () => {
    const { events: api } = services.newCompany();
    const event = await created(api, '/events', concert);
    const { status, body } = await api.patch(`/events/${event.id}`, {
      name: 'Indoor',
      venueId: null,
      id: 'x',
    });
    expect(status).toBe(200);
    const { venueId: _gone, ...rest } = event;
    expect(body.data).toEqual({ ...rest, name: 'Indoor', version: 2, changed: expect.any(String) });
    expect((await api.get(`/events/${event.id}`)).body).toEqual(body);
  });

  test('refuses a different kind or series; the same may be sent', async () => {
    const { events: api } = services.newCompany();
    const series = await created(api, '/events', { ...concert, kind: 'series' });
    const instance = await created(api, `/events/${series.id}/instances`, {});
    expect((await api.patch(`/events/${instance.id}`, instance)).status).toBe(200);
    for (const change of [{ kind: 'single' }, { seriesId: 'evt_other' }, { seriesId: null }]) {
      const { status, body } = await api.patch(`/events/${instance.id}`, change);
      expect([status, body.error.message]).toEqual([
        400,
        `${Object.keys(change)[0]} cannot be changed; create another event.`,
      ]);
    }
  });

  test('validates the whole: a start after the existing end is refused, and nothing changes', async () => {
    const { events: api } = services.newCompany();
    const event = await created(api, '/events', concert);
    const refused = await api.patch(`/events/${event.id}`, { name: 'New', startsAt: '2027-05-01T22:00:00Z' });
    expect([refused.status, refused.body.error.details[0].path]).toEqual([400, 'endsAt']);
    expect((await api.patch(`/events/${event.id}`, { name: null })).status).toBe(400);
    expect((await api.patch(`/events/${event.id}`, { capacity: -1 })).status).toBe(400);
    expect((await api.patch(`/events/${event.id}`, ['name'])).status).toBe(400);
    expect((await api.get(`/events/${event.id}`)).body.data).toEqual(event);
  });

  test('with database operators changes nothing', async () => {
    const { events: api } = services.newCompany();
    const event = await created(api, '/events', concert);
    for (const patch of [{ $set: { name: 'x' } }, { 'own.name': 'x' }]) {
      const { status, body } = await api.patch(`/events/${event.id}`, patch);
      expect([status, body.data]).toEqual([200, event]);
    }
    expect((await api.get(`/events/${event.id}`)).body.data).toEqual(event);
  });
});

describe('a request that is sent again because its process was killed after the write', () => {
  /** The announced versions of events. */
  const announced: { id: string; version: number }[] = [];
  beforeAll(() => {
    const notices = services.bus.nats.subscribe(BROADCAST.eventChanged, {
      callback: (_error, message) => void announced.push(message.json()),
    });
    return () => notices.unsubscribe();
  });
  const told = (id: string) => announced.filter((notice) => notice.id === id).map(({ version }) => version);
  /** Each once, because a change is announced again when its event is published. */
  const versions = (id: string) => [...new Set(told(id))];

  /** An instance with a pool, and the only thing that the killed process did: it changed the instance to `own`. */
  async function killedAfterWriting(own: object) {
    const company = services.newCompany();
    const { events: api } = company;
    const series = await created(api, '/events', { ...concert, kind: 'series', capacity: 10 });
    const path = `/events/${series.id}/instances`;
    const instance = await created(api, path, { capacity: 20, venueId: 'ven_hall' });
    const offering = await created(api, `/events/${instance.id}/offerings`, ticket);
    await claimTickets(services, company, { [offering.id]: 1 });
    const stored = services.models.events.events.collection;
    await stored.updateOne({ _id: instance.id }, { $set: { own }, $inc: { version: 1 } });
    const pool = { _id: `event\n${company.companyId}\n${instance.id}` } as never;
    const limit = async () => (await services.models.events.ticketPools.collection.findOne(pool))?.['limit'];
    expect([versions(instance.id), await limit()]).toEqual([[1], 20]);
    return { api, id: instance.id as string, path: `${path}/${instance.id}`, limit };
  }

  test('announces the change, and its capacity applies', async () => {
    const own = { capacity: 5, venueId: 'ven_park' };
    const { api, id, limit } = await killedAfterWriting(own);
    expect((await api.patch(`/events/${id}`, own)).status).toBe(200);
    await expect.poll(() => versions(id)).toEqual([1, 2]);
    expect(await limit()).toBe(5);
  });

  test('announces the reverted state, and the capacity of the series applies', async () => {
    const { api, id, path, limit } = await killedAfterWriting({});
    expect((await api.post(`${path}/revert`, { fields: ['capacity', 'venueId'] })).status).toBe(200);
    await expect.poll(() => versions(id)).toEqual([1, 2]);
    expect(await limit()).toBe(10);
  });

  test('announces what was created', async () => {
    const { events: api } = services.newCompany();
    const idSuffix = newId('evt').slice('evt_'.length);
    const create = async (repeated: boolean) =>
      (await api.post('/events', concert, { [ATTEMPT_HEADER]: formatAttempt({ idSuffix, repeated }) })).body.data;
    const event = await create(false);
    // By the request, and by its event.
    const times = () => told(event.id).length;
    await expect.poll(times).toBeGreaterThan(1);
    const before = times();
    expect(await create(true)).toEqual(event);
    await expect.poll(times).toBeGreaterThan(before);
  });
});

test.each([{}, { 'if-match': '"1"' }])(
  'a request reverts an instance once, whatever was overridden between its attempts (%j)',
  async (headers) => {
    const company = services.newCompany();
    const { events: api } = company;
    const series = await created(api, '/events', { ...concert, kind: 'series' });
    const path = `/events/${series.id}/instances`;
    const { id } = await created(api, path, { capacity: 10, venueId: 'ven_hall' });
    const revert = async (attempt: Record<string, string>) =>
      api.post(`${path}/${id}/revert`, { fields: ['capacity', 'venueId'] }, { ...headers, ...attempt });
    const [first, again] = triesOfOne();
    const done = { status: 200, body: { data: { success: true } } };
    expect(await revert(first)).toMatchObject(done);
    expect(await revert(again)).toMatchObject(done);
    const { data } = (await api.patch(`${path}/${id}`, { capacity: 30 })).body;
    expect(data).toMatchObject({ version: 3, overrides: ['capacity'] });
    expect(await revert(again)).toMatchObject(done);
    expect((await api.get(`/events/${id}`)).body.data).toEqual(data);
    const told = await allHeard(company);
    expect(told.filter(({ type }) => type === 'event.updated')).toHaveLength(1);
    expect(told.filter(({ type }) => type === 'instance.reverted')).toHaveLength(1);
    expect(JSON.stringify([data, told])).not.toContain('attempt');
  },
);

test('every change of an event is published once, with the resulting state', async () => {
  const company = services.newCompany();
  const { companyId, events: api } = company;
  const series = await created(api, '/events', { ...concert, kind: 'series' });
  await api.patch(`/events/${series.id}`, { name: 'Renamed' });
  await api.patch(`/events/${series.id}`, { name: 'Renamed' });
  const instance = await created(api, `/events/${series.id}/instances`, { capacity: 10, venueId: 'ven_hall' });
  const revert = `/events/${series.id}/instances/${instance.id}/revert`;
  await api.post(revert, { fields: ['capacity', 'name'] });
  await api.post(revert, { fields: ['capacity'] });

  const told = await allHeard(company);
  const facts = told.map(({ type, subject, data }) => ({ type, subject, data: data as Record<string, unknown> }));
  expect(facts).toHaveLength(4);
  const of = (type: string, id: string) => facts.filter((fact) => fact.type === type && fact.subject === id);
  expect(of('event.created', series.id)).toHaveLength(1);
  expect(of('event.updated', series.id)[0]?.data).toMatchObject({ kind: 'series', name: 'Renamed', version: 2 });
  expect(of('event.created', instance.id)[0]?.data).toMatchObject({ kind: 'instance', seriesId: series.id });
  expect(of('instance.reverted', instance.id)[0]?.data).toMatchObject({
    companyId,
    reverted: ['capacity'],
    overrides: ['venueId'],
    version: 2,
  });
  expect(of('instance.reverted', instance.id)[0]?.data).not.toHaveProperty('name');
});
