import type { TicketedEvent } from '@event-commerce/contracts';
import { type Caller, noQuotas } from '@event-commerce/service-kit';
import { liveTenant } from '@event-commerce/test-kit';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { type Services, sharedServices } from '../../../tests/harness/services.ts';
import { eventRepository } from '../src/events/event.repository.ts';
import { listEvents } from '../src/events/show-events.ts';
import { insertEvents } from './insert-events.ts';
import { allPages } from './pages.ts';

let services: Services;
beforeAll(async () => {
  services = await sharedServices();
});
afterEach(() => vi.restoreAllMocks());

const day = (n: number) => new Date(Date.UTC(2027, 0, 1 + n));

test('a list of events is refused if its conditions match more series than one list can cover', async () => {
  const { companyId, events: api } = services.newCompany();
  const seriesNamed = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, n) => ({
      kind: 'series' as const,
      ownId: `evt_${from + n}`.padEnd(250, 'x'),
      own: { name: 'Gala', status: 'published' as const, tags: [] },
    }));
  const series = seriesNamed(0, 3_900);
  const [{ ownId: seriesId }] = series as [(typeof series)[0]];
  const instance = { kind: 'instance' as const, seriesId, own: {} };
  // In the order of ids, like the list.
  await insertEvents(services.models.events, companyId, [...series, instance]);
  const names = async (query: string) => {
    const { status, body } = await api.get(`/events?limit=1&${query}`);
    return status === 200 ? body.data.map(({ name, kind }: TicketedEvent) => `${kind} ${name}`) : body.error;
  };
  for (const query of ['q=gala', 'status=published', 'sort=startsAt']) {
    expect(await names(query)).toEqual(['instance Gala']);
  }
  await insertEvents(services.models.events, companyId, seriesNamed(4_000, 4_200));
  for (const query of ['q=gala', 'status=published', 'kind=instance&q=gala', 'sort=startsAt']) {
    expect(await names(query)).toMatchObject({
      code: 'VALIDATION_FAILED',
      details: [{ path: 'seriesId', message: expect.stringContaining('send kind=single or kind=series') }],
    });
  }
  expect(await names('')).toEqual(['series Gala']);
  expect(await names('kind=series&q=gala')).toEqual(['series Gala']);
  expect(await names('kind=single&status=published')).toEqual([]);
  expect(await names(`seriesId=${seriesId}&q=gala`)).toEqual(['instance Gala']);
});

test('a list of 5,000 instances loads their series once per page, however many instances are on it', async () => {
  const { companyId, events: api } = services.newCompany();
  const [series] = await insertEvents(services.models.events, companyId, [
    { kind: 'series', own: { name: 'Daily tour', status: 'published', startsAt: day(0), tags: [] } },
  ]);
  const seriesId = series?._id ?? '';
  await insertEvents(
    services.models.events,
    companyId,
    Array.from({ length: 5000 }, (_, n) => ({
      kind: 'instance' as const,
      seriesId,
      own: { startsAt: day(n % 1000), ...(n % 10 === 0 ? { status: 'cancelled' as const } : {}) },
    })),
  );

  expect(await allPages(api, `/events?seriesId=${seriesId}`, 200)).toHaveLength(5000);
  expect(await allPages(api, `/events?seriesId=${seriesId}&status=cancelled`, 200)).toHaveLength(500);
  expect(await allPages(api, `/events?seriesId=${seriesId}&q=tour&status=published`, 200)).toHaveLength(4500);

  const deps = {
    events: eventRepository(services.models.events, { publish: () => {}, stop: async () => {} }, noQuotas),
    offerings: { pricesOf: async () => [] },
    pools: { countsOf: async () => new Map() },
    listedPrices: async () => new Map(),
    clock: () => new Date(),
  };
  const queries = vi.spyOn(services.models.events.events.collection, 'find');
  const query = { seriesId, limit: 200, sort: 'created' as const, availability: false, facets: false };
  const { data } = await listEvents(deps, { tenant: liveTenant(companyId) } as Caller, query);
  expect(data).toHaveLength(200);
  expect(data.every(({ name }) => name === 'Daily tour')).toBe(true);
  const forTheSeries = queries.mock.calls.filter(([filter]) =>
    JSON.stringify(filter).includes(`"$in":["${seriesId}"]`),
  );
  expect([queries.mock.calls.length, forTheSeries.length]).toEqual([2, 1]);
});
