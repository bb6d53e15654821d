import { OVERRIDABLE_FIELDS } from '@event-commerce/contracts';
import type { ApiClient, Reply } from '@event-commerce/test-kit';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Services, sharedServices } from '../../../tests/harness/services.ts';

let services: Services;
beforeAll(async () => {
  services = await sharedServices();
});

const parent = {
  kind: 'series',
  name: 'Jazz on Mondays',
  description: 'Every week',
  startsAt: '2027-05-03T18:00:00.000Z',
  endsAt: '2027-05-03T21:00:00.000Z',
  timezone: 'Europe/Berlin',
  venueId: 'ven_club',
  organizerId: 'org_club',
  capacity: 120,
  status: 'published',
  tags: ['jazz'],
};
const overrides = {
  name: 'Jazz special',
  description: 'Once',
  startsAt: '2027-06-07T18:00:00.000Z',
  endsAt: '2027-06-07T23:00:00.000Z',
  timezone: 'Europe/Vienna',
  venueId: 'ven_hall',
  organizerId: 'org_hall',
  capacity: 900,
  maxPerCustomer: 6,
  status: 'postponed',
  tags: ['jazz', 'special'],
};

async function newSeries(own: Record<string, unknown> = {}, ofSeries: Record<string, unknown> = parent) {
  const { events: api } = services.newCompany();
  const series = (await api.post('/events', ofSeries)).body.data;
  const reply = await api.post(`/events/${series.id}/instances`, own);
  expect(reply).toMatchObject({ status: 201 });
  const instance = reply.body.data;
  const path = `/events/${series.id}/instances/${instance.id}`;
  const read = async () => (await api.get(`/events/${instance.id}`)).body.data;
  return { api, series, instance, path, read };
}

function shown(event: Record<string, unknown>) {
  return Object.fromEntries(OVERRIDABLE_FIELDS.map((field) => [field, event[field]]));
}

const revert = async (api: ApiClient, path: string, fields: unknown) => api.post(`${path}/revert`, { fields });

describe('an instance', () => {
  test('without overrides shows its series’ values, and stores none of them', async () => {
    const { instance, series, read } = await newSeries();
    expect(instance).toMatchObject({ kind: 'instance', seriesId: series.id, overrides: [] });
    expect(instance.id).not.toBe(series.id);
    expect(shown(instance)).toEqual(shown(series));
    expect(await read()).toEqual(instance);
    const kept = await services.models.events.events.collection.findOne({ _id: instance.id } as never);
    expect(kept?.['own']).toEqual({});
  });

  test('can override every field except identity, kind and timestamps', async () => {
    const { instance, read } = await newSeries({ ...overrides, id: 'evt_x', kind: 'single', seriesId: 'evt_y' });
    expect(shown(instance)).toEqual(overrides);
    expect(instance.overrides).toEqual(Object.keys(overrides));
    expect(await read()).toEqual(instance);
  });

  test('shows a change of its series at once, in each field that it does not override', async () => {
    const { api, series, read } = await newSeries({ capacity: 50 });
    await api.patch(`/events/${series.id}`, { name: 'Blues', capacity: 10, tags: ['blues'] });
    expect(await read()).toMatchObject({ name: 'Blues', capacity: 50, tags: ['blues'], overrides: ['capacity'] });
    await api.patch(`/events/${series.id}`, { venueId: null });
    expect(await read()).not.toHaveProperty('venueId');
  });

  test('is changed in the same way under its series and as an event', async () => {
    const { api, instance, path, read } = await newSeries();
    const below = await api.patch(path, { name: 'A' });
    expect(below.body.data).toMatchObject({ name: 'A', overrides: ['name'], description: parent.description });
    const asEvent = await api.patch(`/events/${instance.id}`, { capacity: 1 });
    expect(asEvent.body.data).toMatchObject({ name: 'A', capacity: 1, overrides: ['name', 'capacity'] });
    expect(await read()).toEqual(asEvent.body.data);
  });

  test('overrides only fields that are sent with a value other than its present one', async () => {
    const { api, series, path, read } = await newSeries();
    await api.patch(path, { ...parent, kind: 'instance', name: 'Jazz special', startsAt: '2027-05-03T20:00:00' });
    expect(await read()).toMatchObject({ name: 'Jazz special', overrides: ['name'] });
    await api.patch(`/events/${series.id}`, { name: 'Blues', venueId: 'ven_hall' });
    expect(await read()).toMatchObject({ name: 'Jazz special', venueId: 'ven_hall', overrides: ['name'] });
  });

  test('that is sent back with another start ends at the end that was sent', async () => {
    const { api, path, read } = await newSeries();
    await api.patch(path, { ...(await read()), startsAt: '2027-05-03T19:00:00Z' });
    expect(await read()).toMatchObject({ endsAt: parent.endsAt, overrides: ['startsAt', 'endsAt'] });
  });

  test('that is patched with null inherits again', async () => {
    const { api, path } = await newSeries(overrides);
    const { body } = await api.patch(path, { name: null, capacity: null });
    expect(body.data).toMatchObject({ name: parent.name, capacity: parent.capacity });
    expect(body.data.overrides).not.toContain('name');
  });

  test('is validated as a whole: its own end against the inherited start', async () => {
    const { api, series, path } = await newSeries();
    const early = { endsAt: '2027-05-03T17:00:00Z' };
    for (const refused of [await api.post(`/events/${series.id}/instances`, early), await api.patch(path, early)]) {
      expect([refused.status, refused.body.error.details[0].path]).toEqual([400, 'endsAt']);
      expect(refused.body.message).toContain('inherited from the series');
    }
    const both = await api.patch(path, { ...early, startsAt: '2027-05-03T16:00:00Z' });
    expect(both.body.data.overrides).toEqual(['startsAt', 'endsAt']);
  });

  test('that overrides only its start keeps the duration of its series, even when that changes', async () => {
    const { api, series, path, instance, read } = await newSeries({ startsAt: '2027-05-10T19:00:00Z' });
    expect(instance).toMatchObject({ endsAt: '2027-05-10T22:00:00.000Z', overrides: ['startsAt'] });
    const { body } = await api.patch(path, { startsAt: '2027-06-07T12:00:00Z' });
    expect(body.data).toMatchObject({ endsAt: '2027-06-07T15:00:00.000Z', overrides: ['startsAt'] });
    await api.patch(`/events/${series.id}`, { endsAt: '2027-05-03T20:00:00Z' });
    expect(await read()).toMatchObject({ endsAt: '2027-06-07T14:00:00.000Z', overrides: ['startsAt'] });
    await revert(api, path, ['startsAt']);
    expect(await read()).toMatchObject({ startsAt: parent.startsAt, endsAt: '2027-05-03T20:00:00.000Z' });
  });

  test('reads a time without a zone in its own or its series’ time zone', async () => {
    const { api, series, path } = await newSeries({ endsAt: '2027-05-03T23:30' });
    const timesOf = async (reply: Promise<Reply>) => {
      const { startsAt, endsAt } = (await reply).body.data;
      return [startsAt, endsAt];
    };
    expect(await timesOf(api.get(path.replace(`/${series.id}/instances`, '')))).toEqual([
      parent.startsAt,
      '2027-05-03T21:30:00.000Z',
    ]);
    const inNewYork = { timezone: 'America/New_York', endsAt: '2027-05-03T23:30:00' };
    expect(await timesOf(api.patch(path, inNewYork))).toEqual(['2027-05-04T00:00:00.000Z', '2027-05-04T03:30:00.000Z']);
    expect(await timesOf(api.patch(path, { timezone: null }))).toEqual([parent.startsAt, '2027-05-03T21:30:00.000Z']);
    const single = { name: 'Gala', timezone: 'Asia/Tokyo', startsAt: '2027-05-03T20:00' };
    expect(await timesOf(api.post('/events', single))).toEqual(['2027-05-03T11:00:00.000Z', undefined]);
  });

  test('can still be changed in other fields if its series moved past its end', async () => {
    const { api, series, path } = await newSeries({ endsAt: '2027-05-03T22:00:00Z' });
    const moved = { startsAt: '2028-05-01T18:00:00Z', endsAt: '2028-05-01T21:00:00Z' };
    expect((await api.patch(`/events/${series.id}`, moved)).status).toBe(200);
    expect((await api.patch(path, { name: 'Renamed' })).status).toBe(200);
    expect((await api.patch(path, { endsAt: '2028-05-01T17:00:00Z' })).status).toBe(400);
  });

  test('of an unknown series, or of an event that is not a series, cannot be created', async () => {
    const { api, instance } = await newSeries();
    const single = (await api.post('/events', { name: 'Gala' })).body.data;
    for (const id of ['evt_nobody', single.id, instance.id]) {
      const { status, body } = await api.post(`/events/${id}/instances`, {});
      expect([status, body.error.code]).toEqual([404, 'SERIES_NOT_FOUND']);
    }
  });
});

describe('revert', () => {
  test('restores the current values of the series', async () => {
    const { api, series, path, read } = await newSeries(overrides);
    await api.patch(`/events/${series.id}`, { capacity: 7 });
    const { status, body } = await revert(api, path, ['name', 'capacity', 'name']);
    expect([status, body]).toEqual([200, { data: { success: true } }]);
    const event = await read();
    expect(event).toMatchObject({ name: parent.name, capacity: 7, venueId: overrides.venueId });
    expect(event.overrides).toEqual(OVERRIDABLE_FIELDS.filter((field) => field !== 'name' && field !== 'capacity'));
  });

  test.each([parent, { kind: 'series', name: 'Jazz' }])('of everything leaves what %o says', async (ofSeries) => {
    const { api, series, path, read } = await newSeries(overrides, ofSeries);
    await revert(api, path, [...OVERRIDABLE_FIELDS]);
    const event = await read();
    expect(shown(event)).toEqual(shown(series));
    expect(event.overrides).toEqual([]);
  });

  test('of a field that is not overridden is not an error, and changes nothing', async () => {
    const { api, path, read } = await newSeries({ capacity: 1 });
    const before = await read();
    expect((await revert(api, path, ['name'])).body).toEqual({ data: { success: true } });
    expect(await read()).toEqual(before);
  });

  test('is never refused because of the resulting times', async () => {
    const before = { startsAt: '2027-04-05T18:00:00.000Z', endsAt: '2027-04-05T20:00:00.000Z' };
    const { api, path, read } = await newSeries(before);
    expect((await revert(api, path, ['startsAt'])).status).toBe(200);
    expect(await read()).toMatchObject({ startsAt: parent.startsAt, endsAt: before.endsAt });
  });

  test.each<[string, unknown]>([
    ['no fields', []],
    ['fields that are missing', undefined],
    ['fields that are null', null],
    ['a name that is no field', ['name', 'colour']],
    ['a field that is never overridden', ['companyId']],
    ['a text instead of a list', 'name'],
    ['an operator', [{ a: 1 }]],
    ['an inherited property of objects', ['toString']],
    ['501 fields', Array.from({ length: 501 }, () => 'name')],
  ])('refuses %s', async (_what, fields) => {
    const { api, path, read } = await newSeries({ name: 'Own' });
    const { status, body } = await revert(api, path, fields);
    expect([status, body.error.code]).toEqual([400, 'VALIDATION_FAILED']);
    expect((await read()).name).toBe('Own');
  });

  test('names the fields that are allowed', async () => {
    const { api, path } = await newSeries();
    const { body } = await revert(api, path, ['colour']);
    expect(body.error.details).toEqual([
      { path: 'fields[0]', message: `must be one of ${OVERRIDABLE_FIELDS.join(', ')} (got "colour")` },
    ]);
  });

  test('of an unknown series, an unknown instance, or an instance of another series finds nothing', async () => {
    const { api, series, instance } = await newSeries(overrides);
    const other = (await api.post('/events', parent)).body.data;
    const single = (await api.post('/events', { name: 'Gala' })).body.data;
    const codeOf = async (seriesId: string, instanceId: string) => {
      const { status, body } = await revert(api, `/events/${seriesId}/instances/${instanceId}`, ['name']);
      return [status, body.error.code];
    };
    expect(await codeOf('evt_nobody', instance.id)).toEqual([404, 'SERIES_NOT_FOUND']);
    expect(await codeOf(single.id, instance.id)).toEqual([404, 'SERIES_NOT_FOUND']);
    expect(await codeOf(instance.id, instance.id)).toEqual([404, 'SERIES_NOT_FOUND']);
    expect(await codeOf(series.id, 'evt_nobody')).toEqual([404, 'INSTANCE_NOT_FOUND']);
    expect(await codeOf(series.id, series.id)).toEqual([404, 'INSTANCE_NOT_FOUND']);
    expect(await codeOf(series.id, single.id)).toEqual([404, 'INSTANCE_NOT_FOUND']);
    expect(await codeOf(other.id, instance.id)).toEqual([404, 'INSTANCE_NOT_FOUND']);
    const patched = await api.patch(`/events/${other.id}/instances/${instance.id}`, { name: 'x' });
    expect([patched.status, patched.body.error.code]).toEqual([404, 'INSTANCE_NOT_FOUND']);
  });

  test('loses no concurrent changes of other fields', async () => {
    const { api, path, read } = await newSeries(overrides);
    const patches = Array.from({ length: 20 }, async (_, n) => api.patch(path, { capacity: n, description: `d${n}` }));
    const reverts = (['name', 'venueId', 'tags', 'status'] as const).map(async (field) => revert(api, path, [field]));
    const replies = await Promise.all([...patches, ...reverts]);
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200));
    const event = await read();
    const left = ['description', 'startsAt', 'endsAt', 'timezone', 'organizerId', 'capacity', 'maxPerCustomer'];
    expect(event.overrides).toEqual(left);
    expect(event.description).toBe(`d${event.capacity}`);
  });
});
