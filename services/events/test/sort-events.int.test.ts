import type { TicketedEvent } from '@event-commerce/contracts';
import { collectionOf } from '@event-commerce/service-kit';
import { type ApiClient, liveTenant } from '@event-commerce/test-kit';
import fc from 'fast-check';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { pageOfEvents } from '../src/events/event-list.ts';
import { type Services, sharedServices } from '../../../tests/harness/services.ts';
import { allPages } from './pages.ts';
import { insertEvents, soonestFirst } from './insert-events.ts';

let services: Services;
beforeAll(async () => {
  services = await sharedServices();
});
afterEach(() => vi.restoreAllMocks());

async function make(api: ApiClient, body: object): Promise<string> {
  return (await api.post('/events', { kind: 'single', name: 'Gala', ...body })).body.data.id;
}

async function listed(api: ApiClient, query: string): Promise<string[]> {
  return (await api.get(`/events?${query}`)).body.data.map(({ id }: TicketedEvent) => id);
}

const day = (n: number) => new Date(Date.UTC(2027, 0, 1 + n));

describe('sort=startsAt', () => {
  test('is soonest first by the start that each event returns, own or inherited, with events without a start last', async () => {
    const api = services.newCompany().events;
    const unknown = await make(api, {});
    const june = await make(api, { startsAt: '2027-06-01T18:00:00Z' });
    const series = await make(api, { kind: 'series', startsAt: '2027-05-01T18:00:00Z' });
    const inherits = await make(api, { kind: 'instance', seriesId: series, name: undefined });
    const moved = await make(api, { kind: 'instance', seriesId: series, startsAt: '2027-07-01T18:00:00Z' });
    const open = await make(api, { kind: 'series' });
    const nobodyKnows = await make(api, { kind: 'instance', seriesId: open });
    const april = await make(api, { startsAt: '2027-04-01T18:00:00Z' });
    const last = [nobodyKnows, open, unknown];
    expect(await listed(api, 'sort=startsAt')).toEqual([april, inherits, series, june, moved, ...last]);
    expect(await listed(api, 'sort=startsAt&from=2027-05-01T18:00:00Z&limit=3')).toEqual([inherits, series, june]);
    expect(await listed(api, 'sort=startsAt&to=2027-05-01T18:00:00Z')).toEqual([april, inherits, series]);
    expect(await listed(api, `sort=startsAt&seriesId=${series}`)).toEqual([inherits, moved]);

    await api.patch(`/events/${series}`, { startsAt: '2027-06-15T18:00:00Z' });
    await api.patch(`/events/${open}`, { startsAt: '2027-01-01T18:00:00Z' });
    expect(await listed(api, 'sort=startsAt')).toEqual([
      nobodyKnows,
      open,
      april,
      june,
      inherits,
      series,
      moved,
      unknown,
    ]);
    expect(await listed(api, 'sort=created')).toEqual(await listed(api, ''));
  });

  test('has each event once, in order, on pages of any size, however far apart the events are', async () => {
    const { companyId, events: api } = services.newCompany();
    const times = [
      '1000-01-01',
      '1969-12-31',
      '2027-01-01',
      '2027-01-01T00:00:00.001Z',
      '2027-01-02',
      '2031-01-01',
      '9999-12-31',
    ];
    const startOf = (n: number) => (n % 9 < times.length ? { startsAt: new Date(times[n % 9] ?? '') } : {});
    const own = { name: 'E', status: 'draft' as const, tags: [] };
    const series = await insertEvents(
      services.models.events,
      companyId,
      Array.from({ length: 9 }, (_, n) => ({ kind: 'series' as const, own: { ...own, ...startOf(n * 2) } })),
    );
    await insertEvents(
      services.models.events,
      companyId,
      Array.from({ length: 60 }, (_, n) =>
        n % 2 === 0
          ? { kind: 'single' as const, own: { ...own, ...startOf(n) } }
          : { kind: 'instance' as const, seriesId: series[n % 9]?._id ?? '', own: n % 3 === 0 ? startOf(n) : {} },
      ),
    );
    const all: TicketedEvent[] = await allPages(api, '/events', 200);
    const query = fc.record({ limit: fc.integer({ min: 4, max: 70 }), from: fc.option(fc.constantFrom(...times)) });
    await fc.assert(
      fc.asyncProperty(query, async ({ limit, from }) => {
        const since = from === null ? undefined : new Date(from).toISOString();
        const found = await allPages(api, `/events?sort=startsAt${since === undefined ? '' : `&from=${since}`}`, limit);
        const wanted = all.filter(({ startsAt = '' }) => since === undefined || startsAt >= since);
        expect(found.map(({ id }) => id)).toEqual(soonestFirst(wanted).map(({ id }) => id));
      }),
      { numRuns: 10 },
    );
  });

  test('continues after the last event of a page, whatever is added before or after it', async () => {
    const api = services.newCompany().events;
    const on = async (n: number) => make(api, { startsAt: day(n).toISOString() });
    const [first, third, unknown] = [await on(1), await on(3), await make(api, {})];
    const page = async (cursor?: string) =>
      (await api.get(`/events?sort=startsAt&limit=1${cursor === undefined ? '' : `&cursor=${cursor}`}`)).body;
    const one = await page();
    await on(0);
    const alsoFirst = await on(1);
    const second = await on(2);
    const two = await page(one.page.next);
    const three = await page(two.page.next);
    const four = await page(three.page.next);
    expect([one, two, three, four].map(({ data }) => data[0].id)).toEqual([first, second, third, unknown]);
    expect(four.page.next).toBeNull();
    expect((await listed(api, 'sort=startsAt')).slice(1, 3)).toEqual([alsoFirst, first]);
  });

  test.each(['created', 'startsAt'])('refuses a cursor of an order other than %s, and a made-up one', async (sort) => {
    const api = services.newCompany().events;
    for (const n of [1, 2]) await make(api, { startsAt: day(n).toISOString() });
    const other = sort === 'created' ? 'startsAt' : 'created';
    const { next } = (await api.get(`/events?sort=${other}&limit=1`)).body.page;
    const madeUp = Buffer.from(`events-by-start ${'9'.repeat(20)} evt_x`).toString('base64url');
    for (const cursor of [next, madeUp, 'x']) {
      const { status, body } = await api.get(`/events?sort=${sort}&cursor=${cursor}`);
      expect([status, body.error.details[0].path]).toEqual([400, 'cursor']);
    }
  });

  test('needs one query for the next events of a known list', async () => {
    const { companyId } = services.newCompany();
    const own = { name: 'E', status: 'published' as const, tags: [] };
    const many = Array.from({ length: 400 }, (_, n) => ({
      kind: 'single' as const,
      own: { ...own, startsAt: day(n) },
    }));
    await insertEvents(services.models.events, companyId, many);
    const ofEvents = collectionOf(services.models.events.events);
    const ask = async (n: number, limit = 20) =>
      pageOfEvents(ofEvents, liveTenant(companyId), {
        sort: 'startsAt',
        from: day(n).toISOString(),
        limit,
        kind: 'single',
      });
    await ask(10);
    await ask(395);
    const queries = vi.spyOn(ofEvents, 'aggregate');
    expect((await ask(20)).data).toHaveLength(20);
    expect((await ask(396)).data).toHaveLength(4);
    expect(queries.mock.calls).toHaveLength(2);
  });
});

test('venueId finds an event by the venue that it returns, own or inherited', async () => {
  const api = services.newCompany().events;
  const series = await make(api, { kind: 'series', venueId: 'hall' });
  const inherits = await make(api, { kind: 'instance', seriesId: series });
  const elsewhere = await make(api, { kind: 'instance', seriesId: series, venueId: 'club', status: 'draft' });
  const single = await make(api, { venueId: 'club' });
  expect(await listed(api, 'venueId=hall')).toEqual([inherits, series]);
  expect(await listed(api, 'venueId=club')).toEqual([single, elsewhere]);
  expect(await listed(api, 'venueId=club&status=draft')).toEqual([elsewhere]);
  expect(await listed(api, 'venueId=hall&kind=instance')).toEqual([inherits]);
  await api.patch(`/events/${series}`, { venueId: 'barn' });
  expect(await listed(api, 'venueId=barn&sort=startsAt')).toEqual([inherits, series]);
});
