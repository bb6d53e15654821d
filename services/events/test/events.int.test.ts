import { beforeAll, describe, expect, test } from 'vitest';
import { type Services, sharedServices } from '../../../tests/harness/services.ts';
import { concert, created } from './concert.ts';

let services: Services;
beforeAll(async () => {
  services = await sharedServices();
});

const offering = { name: 'Seat', price: { amount: 100, currency: 'EUR' } };
const UNKNOWN = 'evt_00000000000000000000000000';

describe('creating an event', () => {
  test('keeps every field, with times in UTC', async () => {
    const { companyId, events: api } = services.newCompany();
    const event = await created(api, '/events', { ...concert, kind: 'single' });
    expect(event).toMatchObject({
      ...concert,
      companyId,
      kind: 'single',
      startsAt: '2027-05-01T18:00:00.000Z',
      endsAt: '2027-05-01T21:00:00.000Z',
    });
    expect(event.id).toMatch(/^evt_[0-9a-z]{26}$/);
    expect((await api.get(`/events/${event.id}`)).body).toEqual({ data: event });
  });

  test('needs only a name; kind, status and tags have defaults', async () => {
    const { events: api } = services.newCompany();
    const event = await created(api, '/events', { name: ' Gala ' });
    expect(event).toMatchObject({ name: 'Gala', kind: 'single', status: 'published', tags: [] });
    expect(event).not.toHaveProperty('overrides');
  });

  test('ignores fields that the server controls, and unknown ones', async () => {
    const { companyId, events: api } = services.newCompany();
    const given = { name: 'Gala', companyId: 'other', created: 'x', changed: 'y', version: 9, foo: 1 };
    const event = await created(api, '/events', given);
    expect(event.companyId).toBe(companyId);
    expect(event).not.toHaveProperty('foo');
    expect(Date.parse(event.created)).toBeGreaterThan(Date.parse('2020-01-01'));
  });

  test("accepts the caller's own id, once per company, everywhere the event is named", async () => {
    const [one, other] = [services.newCompany(), services.newCompany()];
    const api = one.events;
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
      const again = await one.events.replica(1).post('/events', { name: 'x', id });
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
    expect((await other.events.get('/events/evt_tour')).status).toBe(404);
    expect((await created(other.events, '/events', { name: 'Mine', id: 'evt_tour' })).name).toBe('Mine');
    expect((await api.get('/events/evt_tour')).body.data.name).toBe('Tour');
  });

  test('succeeds for one of 60 callers who choose the same id at once', async () => {
    const { events: api } = services.newCompany();
    const replies = await Promise.all(
      Array.from({ length: 60 }, (_, n) => api.replica(n % 2).post('/events', { name: `Gala ${n}`, id: 'evt_gala' })),
    );
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(replies.filter(({ status }) => status === 409)).toHaveLength(59);
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
    ['an abbreviation as zone', { timezone: 'PST', startsAt: '2027-05-01T18:00:00' }, 'timezone'],
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
    ['a single event with a series', { kind: 'single', seriesId: 'evt_tour' }, 'seriesId'],
    ['a series with a series', { kind: 'series', seriesId: 'evt_tour' }, 'seriesId'],
  ])('refuses %s, naming the field', async (_what, change, field) => {
    const { events: api } = services.newCompany();
    const { status, body } = await api.post('/events', { ...concert, ...change });
    expect([status, body.error.code]).toEqual([400, 'VALIDATION_FAILED']);
    expect(body.error.details.map((detail: { path: string }) => detail.path)).toContain(field);
  });

  test.each([
    ['with kind instance', { kind: 'instance' }],
    ['without a kind', {}],
  ])('%s and with a series creates an instance of it', async (_how, kind) => {
    const { events: api } = services.newCompany();
    const series = await created(api, '/events', { ...concert, kind: 'series' });
    const instance = await created(api, '/events', { ...kind, seriesId: series.id, capacity: 10 });
    expect(instance).toMatchObject({
      kind: 'instance',
      seriesId: series.id,
      name: 'Open air',
      overrides: ['capacity'],
    });
  });
});

test('an event that ends at the end of time can be changed, even in a western zone', async () => {
  const { events: api } = services.newCompany();
  const forEver = { name: 'Museum', timezone: 'America/New_York', endsAt: '9999-12-31T23:59:59' };
  const { id, endsAt } = await created(api, '/events', forEver);
  expect(endsAt).toBe('9999-12-31T23:59:59.999Z');
  expect((await api.patch(`/events/${id}`, { name: 'Gallery' })).status).toBe(200);
});

describe('another company', () => {
  test('sees no sign that the event exists', async () => {
    const { events: owner } = services.newCompany();
    const { events: api } = services.newCompany();
    const series = await created(owner, '/events', { ...concert, kind: 'series' });
    const instance = await created(owner, `/events/${series.id}/instances`, {});
    const asked = async (send: (id: string) => Promise<{ status: number; body: any }>, id: string) => {
      const [theirs, nobodys] = [await send(id), await send(UNKNOWN)];
      const said = ({ status, body }: { status: number; body: any }, of: string) =>
        `${status} ${body.error.code} ${body.message.replace(of, 'ID')}`;
      expect(said(theirs, id)).toBe(said(nobodys, UNKNOWN));
      return [theirs.status, theirs.body.error.code];
    };
    expect(await asked(async (id) => api.get(`/events/${id}`), series.id)).toEqual([404, 'EVENT_NOT_FOUND']);
    expect(await asked(async (id) => api.patch(`/events/${id}`, {}), instance.id)).toEqual([404, 'EVENT_NOT_FOUND']);
    expect(await asked(async (id) => api.post(`/events/${id}/instances`, {}), series.id)).toEqual([
      404,
      'SERIES_NOT_FOUND',
    ]);
    const revert = async (id: string) =>
      api.post(`/events/${id}/instances/${instance.id}/revert`, { fields: ['name'] });
    expect(await asked(revert, series.id)).toEqual([404, 'SERIES_NOT_FOUND']);
    expect((await api.get(`/events?seriesId=${series.id}`)).body.data).toEqual([]);
    expect((await api.get('/events')).body).toEqual({ data: [], page: { next: null, limit: 50 } });
  });
});
