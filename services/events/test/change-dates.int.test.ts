import { beforeAll, describe, expect, test } from 'vitest';
import { type Services, sharedServices } from '../../../tests/harness/services.ts';
import { claimTickets, ticket } from './tickets.ts';

let services: Services;
beforeAll(async () => {
  services = await sharedServices();
});

/** A series in Berlin at 20:00, on the Fridays and Saturdays around a change of the clocks, with 80 seats each. */
async function newSeries() {
  const company = services.newCompany();
  const { events } = company;
  const series = await events.post('/events', {
    kind: 'series',
    name: 'Jazz',
    timezone: 'Europe/Berlin',
    startsAt: '2027-01-01T20:00',
    endsAt: '2027-01-01T22:30',
    capacity: 100,
  });
  const { id } = series.body.data;
  const path = `/events/${id}/instances`;
  const made = await events.post(`${path}/by-rule`, {
    rule: 'FREQ=WEEKLY;BYDAY=FR,SA;UNTIL=20270403',
    startsAt: '2027-03-26T20:00',
    capacity: 80,
  });
  const ids: string[] = made.body.data.dates.map(({ eventId }: { eventId: string }) => eventId);
  return {
    company,
    events,
    path,
    ids,
    change: async (body: object) => events.patch(path, { filter: {}, ...body }),
    read: async (eventId = '') => (await events.get(`/events/${eventId}`)).body.data,
  };
}

const idsOf = (dates: { eventId: string }[]) => dates.map(({ eventId }) => eventId);

describe('a change of many dates', () => {
  test('moves those that the filter matches to a clock time, even when the clocks change, and publishes each', async () => {
    const { company, change, ids, read } = await newSeries();
    const [first, , third] = ids;
    const later = {
      filter: { from: '2027-03-26', to: '2027-04-02', weekdays: ['fri'] },
      change: { startsAt: '20:30' },
    };
    const dates = [
      { eventId: first, startsAt: '2027-03-26T19:00:00.000Z', movedTo: '2027-03-26T19:30:00.000Z' },
      { eventId: third, startsAt: '2027-04-02T18:00:00.000Z', movedTo: '2027-04-02T18:30:00.000Z' },
    ];
    const preview = await change({ ...later, dryRun: true });
    expect([preview.status, preview.body.data]).toEqual([200, { status: 'preview', total: 2, dates, leftAlone: [] }]);
    expect(await read(first)).toMatchObject({ startsAt: '2027-03-26T19:00:00.000Z', version: 1 });

    const { status, body } = await change(later);
    expect([status, body.data]).toEqual([200, { ...preview.body.data, id: expect.any(String), status: 'done' }]);
    expect(await read(third)).toMatchObject({ startsAt: dates[1]?.movedTo, endsAt: '2027-04-02T21:00:00.000Z' });
    await expect
      .poll(() => company.published('event.updated').map(({ data }) => data.id))
      .toEqual(expect.arrayContaining([first, third]));
  });

  test('leaves alone what was set for one date unless it includes that, but not what dates were given together', async () => {
    const { events, change, ids, read } = await newSeries();
    const [first = '', second = ''] = ids;
    await events.patch(`/events/${first}`, { capacity: 40 });
    await events.patch(`/events/${second}`, { startsAt: '2027-03-27T18:00' });
    for (const capacity of [90, 95]) {
      const { dates, leftAlone } = (await change({ change: { capacity } })).body.data;
      expect(idsOf(dates)).toEqual(ids.slice(1));
      expect(leftAlone).toMatchObject([
        { eventId: first, reason: 'overridden', why: expect.stringContaining('capacity 40') },
      ]);
    }
    const moved = (await change({ change: { startsAt: '21:00', endsAt: '01:00' } })).body.data;
    expect(moved.leftAlone).toMatchObject([
      { eventId: second, reason: 'overridden', why: expect.stringContaining('startsAt "18:00"') },
    ]);
    expect(await read(first)).toMatchObject({ endsAt: '2027-03-27T00:00:00.000Z', capacity: 40 });

    const all = (await change({ change: { capacity: null }, include: ['overridden'] })).body.data;
    expect([idsOf(all.dates), all.leftAlone]).toEqual([ids, []]);
    expect(await read(first)).toMatchObject({ capacity: 100, overrides: ['startsAt', 'endsAt'] });
    expect((await change({ change: { capacity: null } })).body.data).toMatchObject({
      dates: [],
      leftAlone: ids.map((eventId) => ({ eventId, reason: 'same' })),
    });
  });

  test('leaves alone dates with tickets that it would move, cancel or make too small, and those that are over', async () => {
    const { company, events, change, ids } = await newSeries();
    const [first = '', second = '', third = ''] = ids;
    const offering = (await events.post(`/events/${first}/offerings`, ticket)).body.data;
    await claimTickets(services, company, { [offering.id]: 3 });
    await events.patch(`/events/${second}`, { status: 'cancelled' });
    await events.patch(`/events/${third}`, { startsAt: '2020-01-03T20:00' });
    const reasons = async (body: object) =>
      (await change(body)).body.data.leftAlone.map(({ eventId, reason }: any) => [eventId, reason]);
    const notOn = [
      [third, 'over'],
      [second, 'cancelled'],
    ];
    const sold = [third, first, second].map((id, index) => [id, ['over', 'sold', 'cancelled'][index]]);
    for (const one of [{ startsAt: '21:00' }, { venueId: 'ven_hall' }, { capacity: 2 }, { status: 'cancelled' }]) {
      expect(await reasons({ change: one, dryRun: true })).toEqual(sold);
    }
    expect(await reasons({ change: { startsAt: '21:00' } })).toEqual(sold);
    expect(await reasons({ change: { capacity: 3, name: 'Swing' }, dryRun: true })).toEqual(notOn);
    expect(await reasons({ change: { startsAt: '22:00' }, include: ['sold'] })).toEqual(notOn);
    const include = ['over', 'cancelled'];
    expect(await reasons({ change: { description: 'With supper' }, include })).toEqual([]);
  });

  test('answers plainly when nothing matches, and leaves alone what would not be valid', async () => {
    const { events, path, change, ids } = await newSeries();
    const none = await change({ filter: { from: '2030-01-01' }, change: { capacity: 1 } });
    expect([none.status, none.body.data]).toMatchObject([200, { status: 'done', total: 0, dates: [], leftAlone: [] }]);
    await events.patch(`/events/${ids[0]}`, { endsAt: '2027-03-26T23:00' });
    const late = (await change({ filter: { to: '2027-03-26' }, change: { startsAt: '23:30' } })).body.data;
    expect(late.leftAlone).toMatchObject([
      { reason: 'invalid', why: expect.stringContaining('endsAt must be after startsAt') },
    ]);
    const again = await events.get(`${path.replace('instances', 'date-jobs')}/${late.id}`);
    expect(again.body.data).toEqual(late);
  });

  test.each([
    [{ change: {} }, 'change', 'must name at least one field'],
    [{ change: { startsAt: '2027-03-26T20:30' } }, 'change.startsAt', 'must be a time of day, such as 17:00'],
    [{ change: { startsAt: null } }, 'change.startsAt', ''],
    [{ change: { seats: 3 } }, 'change.seats', 'is unknown; did you mean capacity?'],
    [{ change: { kind: 'single' } }, 'change.kind', 'is unknown'],
    [{ change: { capacity: 1 }, filter: { days: ['fri'] } }, 'filter.days', 'is unknown'],
    [{ change: { capacity: 1 }, filter: { weekdays: ['friday'] } }, 'filter.weekdays[0]', 'fri'],
    [
      { change: { capacity: 1 }, filter: { from: '2027-05-02', to: '2027-05-01' } },
      'filter.to',
      'must not be before from',
    ],
    [{ change: { capacity: 1 }, filter: undefined }, 'filter', ''],
    [{ change: { capacity: 1 }, force: true }, 'force', 'is unknown'],
  ])('is refused for %j, naming the field', async (body, path, message) => {
    const { events } = services.newCompany();
    const series = (await events.post('/events', { kind: 'series', name: 'Jazz' })).body.data;
    const refused = await events.patch(`/events/${series.id}/instances`, { filter: {}, ...body });
    expect([refused.status, refused.body.error.details[0]]).toMatchObject([
      400,
      { path, message: expect.stringContaining(message) },
    ]);
  });

  test('needs the scope of a change, and a series of the company', async () => {
    const { company, path } = await newSeries();
    const body = { filter: {}, change: { capacity: 1 } };
    expect((await company.events.as('events:read').patch(path, body)).status).toBe(403);
    expect((await services.newCompany().events.patch(path, body)).status).toBe(404);
  });
});
