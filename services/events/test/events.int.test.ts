import { type ApiClient, rounds } from '@event-commerce/test-kit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type EventsReplicas, startEventsReplicas } from './harness.ts';

let events: EventsReplicas;
beforeAll(async () => {
  events = await startEventsReplicas({ replicas: 2 });
});
afterAll(async () => events.stop());

const concert = {
  name: 'Open air',
  description: 'Two stages',
  startsAt: '2027-05-01T20:00:00+02:00',
  endsAt: '2027-05-01T23:00:00+02:00',
  timezone: 'Europe/Berlin',
  venueId: 'ven_park',
  organizerId: 'org_city',
  capacity: 5000,
  status: 'published',
  tags: ['rock', 'open air'],
};
const offering = { name: 'Seat', price: { amount: 100, currency: 'EUR' } };
const UNKNOWN = 'evt_00000000000000000000000000';

async function created(api: ApiClient, path: string, body: unknown): Promise<any> {
  const reply = await api.post(path, body);
  expect(reply).toMatchObject({ status: 201 });
  return reply.body.data;
}

describe('creating an event', () => {
  test('keeps every field, with times in UTC', async () => {
    const { companyId, api } = events.newCompany();
    const event = await created(api(), '/events', { ...concert, kind: 'single' });
    expect(event).toMatchObject({
      ...concert,
      companyId,
      kind: 'single',
      startsAt: '2027-05-01T18:00:00.000Z',
      endsAt: '2027-05-01T21:00:00.000Z',
    });
    expect(event.id).toMatch(/^evt_[0-9a-z]{26}$/);
    expect((await api().get(`/events/${event.id}`)).body).toEqual({ data: event });
  });

  test('needs a name only; kind, status and tags have defaults', async () => {
    const { api } = events.newCompany();
    const event = await created(api(), '/events', { name: ' Gala ' });
    expect(event).toMatchObject({ name: 'Gala', kind: 'single', status: 'draft', tags: [] });
    expect(event).not.toHaveProperty('overrides');
  });

  test('ignores fields that the server controls, and unknown ones', async () => {
    const { companyId, api } = events.newCompany();
    const given = { name: 'Gala', companyId: 'other', created: 'x', changed: 'y', version: 9, foo: 1 };
    const event = await created(api(), '/events', given);
    expect(event.companyId).toBe(companyId);
    expect(event).not.toHaveProperty('foo');
    expect(Date.parse(event.created)).toBeGreaterThan(Date.parse('2020-01-01'));
  });

  test("accepts the caller's own id, once in a company, wherever the event is named", async () => {
    const [one, other] = [events.newCompany(), events.newCompany()];
    const api = one.api();
    const series = await created(api, '/events', { kind: 'series', name: 'Tour', id: 'evt_tour', status: 'published' });
    const night = await created(api, '/events/evt_tour/instances', { id: 'evt_tour-1', name: 'Opening' });
    const plain = await created(api, '/events', { kind: 'instance', seriesId: 'evt_tour' });
    expect([series.id, night.id, night.seriesId, night.status]).toEqual([
      'evt_tour',
      'evt_tour-1',
      'evt_tour',
      'published',
    ]);
    expect((await api.get('/events/evt_tour-1')).body.data).toEqual(night);
    for (const id of ['evt_tour', plain.id]) {
      const again = await one.api(1).post('/events', { name: 'x', id });
      expect([again.status, again.body.error.code]).toEqual([409, 'ALREADY_EXISTS']);
    }
    const changed = await api.patch('/events/evt_tour/instances/evt_tour-1', { venueId: 'ven_2' });
    expect(changed.body.data).toMatchObject({ id: 'evt_tour-1', venueId: 'ven_2', overrides: ['name', 'venueId'] });
    const ids = async (query: string) => (await api.get(`/events?${query}`)).body.data.map((event: any) => event.id);
    expect(await ids('seriesId=evt_tour&status=published')).toEqual([plain.id, 'evt_tour-1']);
    expect(await ids('q=tour')).toEqual([plain.id, 'evt_tour']);
    const { body: first } = await api.get('/events?limit=2');
    const { body: second } = await api.get(`/events?limit=2&cursor=${first.page.next}`);
    expect([...first.data, ...second.data].map((event: any) => event.id)).toEqual([plain.id, 'evt_tour-1', 'evt_tour']);
    expect((await api.post('/events/evt_tour/offerings', offering)).body.data.eventId).toBe('evt_tour');
    // Another company may choose the same id, and sees nothing of this one.
    expect((await other.api().get('/events/evt_tour')).status).toBe(404);
    expect((await created(other.api(), '/events', { name: 'Mine', id: 'evt_tour' })).name).toBe('Mine');
    expect((await api.get('/events/evt_tour')).body.data.name).toBe('Tour');
  });

  test('with the same own id from 60 callers at once creates one event, round after round', async () => {
    const { api } = events.newCompany();
    for (let round = 0; round < rounds(10); round++) {
      const id = `evt_gala-${round}`;
      const replies = await Promise.all(
        Array.from({ length: 60 }, (_, n) => api(n % 2).post('/events', { name: `Gala ${n}`, id })),
      );
      expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
      expect(replies.filter(({ status }) => status === 409)).toHaveLength(59);
    }
  });

  test.each<[string, Record<string, unknown>, string]>([
    ['an id that no event has', { id: 'gala' }, 'id'],
    ['no name', { name: undefined }, 'name'],
    ['a blank name', { name: '  ' }, 'name'],
    ['a name of 257 characters', { name: 'x'.repeat(257) }, 'name'],
    ['a name that is a number', { name: 5 }, 'name'],
    ['a description of 4,097 characters', { description: 'x'.repeat(4097) }, 'description'],
    ['an invalid time', { startsAt: 'tomorrow' }, 'startsAt'],
    ['a day that does not exist', { startsAt: '2027-02-30T10:00:00Z' }, 'startsAt'],
    ['an end at the start', { endsAt: '2027-05-01T18:00:00Z' }, 'endsAt'],
    ['an end before the start', { endsAt: '2027-05-01T17:00:00Z' }, 'endsAt'],
    ['an invalid zone', { timezone: 'Mars/Olympus' }, 'timezone'],
    ['an offset as zone', { timezone: '+02:00' }, 'timezone'],
    ['half a person', { capacity: 0.5 }, 'capacity'],
    ['a negative number of people', { capacity: -1 }, 'capacity'],
    ['a capacity as text', { capacity: '10' }, 'capacity'],
    ['an unknown status', { status: 'live' }, 'status'],
    ['an unknown kind', { kind: 'party' }, 'kind'],
    ['an empty tag', { tags: ['rock', ''] }, 'tags[1]'],
    ['tags that are not a list', { tags: 'rock' }, 'tags'],
    ['501 tags', { tags: Array.from({ length: 501 }, (_, n) => `t${n}`) }, 'tags'],
    ['an operator as venue', { venueId: { a: 1 } }, 'venueId'],
    ['an instance without series', { kind: 'instance' }, 'seriesId'],
  ])('refuses %s, naming the field', async (_what, change, field) => {
    const { api } = events.newCompany();
    const { status, body } = await api().post('/events', { ...concert, ...change });
    expect([status, body.error.code]).toEqual([400, 'VALIDATION_FAILED']);
    expect(body.error.details.map((detail: { path: string }) => detail.path)).toContain(field);
  });

  test('with kind instance and a series creates an instance of it', async () => {
    const { api } = events.newCompany();
    const series = await created(api(), '/events', { ...concert, kind: 'series' });
    const instance = await created(api(), '/events', { kind: 'instance', seriesId: series.id, capacity: 10 });
    expect(instance).toMatchObject({
      kind: 'instance',
      seriesId: series.id,
      name: 'Open air',
      overrides: ['capacity'],
    });
  });
});

describe('changing an event', () => {
  test('changes the fields sent, removes those that are null, and keeps the rest', async () => {
    const { api } = events.newCompany();
    const event = await created(api(), '/events', concert);
    const { status, body } = await api().patch(`/events/${event.id}`, {
      name: 'Indoor',
      venueId: null,
      id: 'x',
      kind: 'series',
    });
    expect(status).toBe(200);
    const { venueId: _gone, ...rest } = event;
    expect(body.data).toEqual({ ...rest, name: 'Indoor', changed: expect.any(String) });
    expect((await api().get(`/events/${event.id}`)).body).toEqual(body);
  });

  test('validates the whole: a start after the existing end is refused, and nothing changes', async () => {
    const { api } = events.newCompany();
    const event = await created(api(), '/events', concert);
    const refused = await api().patch(`/events/${event.id}`, { name: 'New', startsAt: '2027-05-01T22:00:00Z' });
    expect([refused.status, refused.body.error.details[0].path]).toEqual([400, 'endsAt']);
    expect((await api().patch(`/events/${event.id}`, { name: null })).status).toBe(400);
    expect((await api().patch(`/events/${event.id}`, { capacity: -1 })).status).toBe(400);
    expect((await api().patch(`/events/${event.id}`, ['name'])).status).toBe(400);
    expect((await api().get(`/events/${event.id}`)).body.data).toEqual(event);
  });

  test('with database operators is refused', async () => {
    const { api } = events.newCompany();
    const event = await created(api(), '/events', concert);
    expect((await api().patch(`/events/${event.id}`, { $set: { companyId: 'x' } })).status).toBe(400);
    expect((await api().patch(`/events/${event.id}`, { 'own.name': 'x' })).status).toBe(400);
  });

  test('100 times at once, in two replicas, loses no change', { timeout: 60_000 }, async () => {
    const { companyId, api } = events.newCompany();
    const event = await created(api(), '/events', concert);
    const heard = await events.listen(companyId);
    const changes = (n: number): Record<string, unknown>[] => [
      { name: `name ${n}` },
      { description: `description ${n}` },
      { venueId: `venue_${n}` },
      { capacity: n },
      { tags: [`tag ${n}`] },
    ];
    const patches = Array.from({ length: 20 }, (_, n) => changes(n)).flat();
    const replies = await Promise.all(patches.map(async (patch, n) => api(n % 2).patch(`/events/${event.id}`, patch)));
    expect(replies.map(({ status }) => status)).toEqual(patches.map(() => 200));
    const { data } = (await api().get(`/events/${event.id}`)).body;
    expect(data.name).toMatch(/^name \d+$/);
    expect(data.description).toMatch(/^description \d+$/);
    expect(data.venueId).toMatch(/^venue_\d+$/);
    expect(data.capacity).toBeLessThan(20);
    expect(data.tags[0]).toMatch(/^tag \d+$/);
    const kept = await events.models.events.collection.findOne({ _id: event.id } as never);
    expect(kept?.['version']).toBe(101);
    await expect.poll(() => heard.filter(({ type }) => type === 'event.updated').length, { timeout: 20_000 }).toBe(100);
  });

  test('two at once, of different fields of 50 events, both take effect', async () => {
    const { api } = events.newCompany();
    const all = await Promise.all(Array.from({ length: 50 }, async () => created(api(), '/events', concert)));
    const replies = await Promise.all(
      all.flatMap(({ id }) => [
        api(0).patch(`/events/${id}`, { name: 'Changed' }),
        api(1).patch(`/events/${id}`, { capacity: 1 }),
      ]),
    );
    expect(replies.filter(({ status }) => status !== 200)).toEqual([]);
    const read = await Promise.all(all.map(async ({ id }) => (await api().get(`/events/${id}`)).body.data));
    for (const event of read) expect(event).toMatchObject({ name: 'Changed', capacity: 1 });
  });
});

describe('another company', () => {
  test('looks as if the event did not exist', async () => {
    const { api: owner } = events.newCompany();
    const { api } = events.newCompany();
    const series = await created(owner(), '/events', { ...concert, kind: 'series' });
    const instance = await created(owner(), `/events/${series.id}/instances`, {});
    const asked = async (send: (id: string) => Promise<{ status: number; body: any }>, id: string) => {
      const [theirs, nobodys] = [await send(id), await send(UNKNOWN)];
      const said = ({ status, body }: { status: number; body: any }, of: string) =>
        `${status} ${body.error.code} ${body.message.replace(of, 'ID')}`;
      expect(said(theirs, id)).toBe(said(nobodys, UNKNOWN));
      return [theirs.status, theirs.body.error.code];
    };
    expect(await asked(async (id) => api().get(`/events/${id}`), series.id)).toEqual([404, 'EVENT_NOT_FOUND']);
    expect(await asked(async (id) => api().patch(`/events/${id}`, {}), instance.id)).toEqual([404, 'EVENT_NOT_FOUND']);
    expect(await asked(async (id) => api().post(`/events/${id}/instances`, {}), series.id)).toEqual([
      404,
      'SERIES_NOT_FOUND',
    ]);
    const revert = async (id: string) =>
      api().post(`/events/${id}/instances/${instance.id}/revert`, { fields: ['name'] });
    expect(await asked(revert, series.id)).toEqual([404, 'SERIES_NOT_FOUND']);
    expect((await api().get(`/events?seriesId=${series.id}`)).body.data).toEqual([]);
    expect((await api().get('/events')).body).toEqual({ data: [], page: { next: null, limit: 50 } });
  });
});

test('every change of events is published once, with the state that results', async () => {
  const { companyId, api } = events.newCompany();
  const heard = await events.listen(companyId);
  const series = await created(api(), '/events', { ...concert, kind: 'series' });
  await api().patch(`/events/${series.id}`, { name: 'Renamed' });
  await api().patch(`/events/${series.id}`, { name: 'Renamed' });
  const instance = await created(api(), `/events/${series.id}/instances`, { capacity: 10, venueId: 'ven_hall' });
  const revert = `/events/${series.id}/instances/${instance.id}/revert`;
  await api().post(revert, { fields: ['capacity', 'name'] });
  await api().post(revert, { fields: ['capacity'] });

  await expect.poll(() => heard.length, { timeout: 10_000 }).toBeGreaterThanOrEqual(4);
  const facts = heard.map(({ type, subject, data }) => ({ type, subject, data: data as Record<string, unknown> }));
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
