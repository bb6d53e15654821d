import { type TicketedEvent, wordsOf } from '@event-commerce/contracts';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Services, sharedServices } from '../../../tests/harness/services.ts';
import { insertEvents, type NewEvent, soonestFirst } from './insert-events.ts';
import { allPages } from './pages.ts';

let services: Services;
beforeAll(async () => {
  services = await sharedServices();
});

const insert = async (companyId: string, all: NewEvent[]) => insertEvents(services.models.events, companyId, all);

/**
 * Whether an event, as the API shows it, ends after a time: without an end, it lasts a day from its start, or forever.
 */
function isOnAfter({ startsAt, endsAt }: TicketedEvent, time: string): boolean {
  if (endsAt !== undefined) return endsAt > time;
  return startsAt === undefined || Date.parse(startsAt) > Date.parse(time) - 86_400_000;
}

const day = (n: number) => new Date(Date.UTC(2027, 0, 1 + n));

describe('the list', () => {
  test('is newest first, in pages without gaps or repeats', async () => {
    const { companyId, events: api } = services.newCompany();
    const documents = await insert(
      companyId,
      Array.from({ length: 25 }, (_, n) => ({
        kind: 'single' as const,
        own: { name: `E${n}`, status: 'draft' as const, tags: [] },
      })),
    );
    const found = await allPages(api, '/events', 7);
    expect(found.map(({ id }) => id)).toEqual(documents.map(({ _id }) => _id).toReversed());
    expect((await api.get('/events')).body.page).toEqual({ next: null, limit: 50 });
  });

  test('ends a page early if many instances inherit much', async () => {
    const { companyId, events: api } = services.newCompany();
    const tags = Array.from({ length: 500 }, (_, n) => `${n}-${'t'.repeat(58)}`);
    const own = { name: 'S', status: 'draft' as const, tags };
    const [series] = await insert(companyId, [{ kind: 'series', own }]);
    const { _id: seriesId = '' } = series ?? {};
    const instances = await insert(
      companyId,
      Array.from({ length: 150 }, () => ({ kind: 'instance' as const, seriesId, own: {} })),
    );
    const { body } = await api.get('/events?limit=200');
    expect(body.data.length).toBeGreaterThan(20);
    expect(JSON.stringify(body).length).toBeLessThan(1_100_000);
    const found = await allPages(api, '/events', 200);
    expect(found).toHaveLength(instances.length + 1);
  });

  test.each([
    'limit=0',
    'limit=201',
    'limit=1e9',
    'limit=x',
    'cursor=%2A%2A',
    'kind=party',
    'status=live',
    'status=draft&status=published',
    'from=tomorrow',
    'from=2027-02-01T00:00:00Z&to=2027-01-01T00:00:00Z',
    `q=${'x'.repeat(257)}`,
    'q=a%00b',
    'q=%3F!',
    'seriesId=%00',
    'sort=name',
    'sort=startsAt&sort=created',
    'seriesId[$ne]=x',
    'name=x',
  ])('refuses the query %s', async (query) => {
    const { events: api } = services.newCompany();
    const { status, body } = await api.get(`/events?${query}`);
    expect([status, body.error.code]).toEqual([400, 'VALIDATION_FAILED']);
  });

  test('finds an instance by inherited values, but not by overridden ones', async () => {
    const { events: api } = services.newCompany();
    const series = (
      await api.post('/events', {
        kind: 'series',
        name: 'Jazz (late) on Mondays',
        description: 'Bring a+b friends',
        status: 'published',
        startsAt: '2027-05-03T18:00:00Z',
      })
    ).body.data;
    const make = async (own: object) => (await api.post(`/events/${series.id}/instances`, own)).body.data.id;
    const plain = await make({});
    const renamed = await make({ name: 'Blues' });
    const moved = await make({ startsAt: '2027-06-01T18:00:00Z' });
    const called = await make({ status: 'cancelled', description: 'off' });
    const ids = async (query: string) =>
      (await api.get(`/events?kind=instance&${query}`)).body.data.map(({ id }: { id: string }) => id);

    expect(await ids('status=published')).toEqual([moved, renamed, plain]);
    expect(await ids('status=cancelled')).toEqual([called]);
    expect(await ids('from=2027-05-03T18:00:00Z&to=2027-05-03T18:00:00Z')).toEqual([called, renamed, plain]);
    expect(await ids('from=2027-05-04T00:00:00Z')).toEqual([moved]);
    expect(await ids('q=JAZZ%20(late)')).toEqual([called, moved, plain]);
    expect(await ids('q=A%2BB')).toEqual([moved, renamed, plain]);
    expect(await ids('q=jazz&status=published&from=2027-05-04T00:00:00Z')).toEqual([moved]);
    expect(await ids(`seriesId=${series.id}&q=blues`)).toEqual([renamed]);
    const { status, body } = await api.get('/events?q=!');
    expect([status, body.error.details[0].path]).toEqual([400, 'q']);

    await api.patch(`/events/${series.id}`, { name: 'Soul', status: 'archived', startsAt: '2028-01-01T00:00:00Z' });
    expect(await ids('q=soul')).toEqual([called, moved, plain]);
    expect(await ids('status=published')).toEqual([]);
    expect(await ids('from=2028-01-01T00:00:00Z')).toEqual([called, renamed, plain]);
  });

  test.each(['(gala)+$', '[gal-e', String.raw`\E.ga.*`, '{$ne:gala}', '%gala', 'GÁLA ne'])(
    'searches %s as words',
    async (q) => {
      const { companyId, events: api } = services.newCompany();
      const own = { name: 'Gala {ne} E', status: 'draft' as const, tags: [], description: 'E' };
      const single = { kind: 'single' as const, own };
      await insert(companyId, [{ ...single, own: { ...own, name: 'agala' } }, single]);
      const { body } = await api.get(`/events?q=${encodeURIComponent(q)}`);
      expect(body.data.map(({ name }: TicketedEvent) => name)).toEqual(['Gala {ne} E']);
    },
  );

  test('returns, for any query, the same as a filter over every merged event', async () => {
    const { companyId, events: api } = services.newCompany();
    const pick = <T>(of: readonly T[], n: number) => of[n % of.length] as T;
    const statuses = ['draft', 'published', 'cancelled'] as const;
    const venues = ['hall', 'club'];
    const names = ['Jazz night', 'jazz day', 'Blues', 'Soul.*', 'Rock'];
    const own = (n: number, mask: number) => ({
      ...(mask & 1 ? { name: pick(names, n) } : {}),
      ...(mask & 2 ? { status: pick(statuses, n) } : {}),
      ...(mask & 4 ? { startsAt: day(n % 10) } : {}),
      ...(mask & 8 ? { description: pick(names, n + 3) } : {}),
      ...(mask & 16 ? { venueId: pick(venues, n) } : {}),
      ...(mask & 32 ? { endsAt: new Date(day(n % 10).getTime() + 30 * 3_600_000) } : {}),
    });
    const parents = await insert(
      companyId,
      Array.from({ length: 12 }, (_, n) => ({
        kind: pick(['series', 'series', 'single'] as const, n),
        own: { ...own(n * 7, 3 | ((n % 4) << 2) | ((n >> 1) << 4)), tags: [] },
      })),
    );
    const series = parents.filter(({ kind }) => kind === 'series');
    await insert(
      companyId,
      Array.from({ length: 160 }, (_, n) => ({
        kind: 'instance' as const,
        seriesId: pick(series, n)._id,
        own: own(n * 3, (n >> 1) & 63),
      })),
    );
    const all: TicketedEvent[] = await allPages(api, '/events', 200);
    expect(all).toHaveLength(172);

    const query = fc.record(
      {
        kind: fc.constantFrom('single', 'series', 'instance'),
        seriesId: fc.constantFrom(...series.map(({ _id }) => _id), 'evt_nobody'),
        venueId: fc.constantFrom(...venues, 'nowhere'),
        status: fc.constantFrom(...statuses),
        sort: fc.constantFrom('created', 'startsAt'),
        from: fc.nat(9).map((n) => day(n).toISOString()),
        days: fc.nat(9),
        endsAfter: fc.nat(120).map((hours) => new Date(day(0).getTime() + hours * 3_600_000).toISOString()),
        q: fc.constantFrom('jazz', 'JAZZ N', 'n blu', 's', 'nothing'),
        limit: fc.integer({ min: 3, max: 200 }),
      },
      { requiredKeys: ['limit'] },
    );
    await fc.assert(
      fc.asyncProperty(query, async ({ limit, days, ...asked }) => {
        const to =
          days === undefined
            ? undefined
            : new Date(Date.parse(asked.from ?? day(0).toISOString()) + days * 86_400_000).toISOString();
        const given = { ...asked, ...(to === undefined ? {} : { to }) };
        const expected = all.filter(
          (event) =>
            (asked.kind === undefined || event.kind === asked.kind) &&
            (asked.seriesId === undefined || event.seriesId === asked.seriesId) &&
            (asked.venueId === undefined || event.venueId === asked.venueId) &&
            (asked.status === undefined || event.status === asked.status) &&
            (asked.from === undefined || (event.startsAt !== undefined && event.startsAt >= asked.from)) &&
            (asked.endsAfter === undefined || isOnAfter(event, asked.endsAfter)) &&
            (to === undefined || (event.startsAt !== undefined && event.startsAt <= to)) &&
            (asked.q === undefined ||
              wordsOf(asked.q).every((searched) =>
                wordsOf(`${event.name} ${event.description ?? ''}`).some((word) => word.startsWith(searched)),
              )),
        );
        const found = await allPages(api, `/events?${new URLSearchParams(given).toString()}`, limit);
        expect(found).toEqual(asked.sort === 'startsAt' ? soonestFirst(expected) : expected);
      }),
      { numRuns: 30 },
    );
  });
});
