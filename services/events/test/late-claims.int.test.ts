import type { Claim, PoolDefinition } from '@event-commerce/claims';
import { newId, noQuotas } from '@event-commerce/service-kit';
import { liveTenant } from '@event-commerce/test-kit';
import { beforeAll, expect, test } from 'vitest';
import { type EventRepository, eventRepository } from '../src/events/event.repository.ts';
import { ticketPools } from '../src/tickets/ticket-pools.ts';
import { eventSales } from '../src/tickets/ticket-limits.ts';
import { created } from './concert.ts';
import { type Services, sharedServices } from '../../../tests/harness/services.ts';

let services: Services;
beforeAll(async () => {
  services = await sharedServices();
});

const relay = { publish: () => {}, stop: async () => {} };

/** `repository`, with something happening between the first read and the next. */
function afterFirst(repository: EventRepository, happens: () => Promise<void>): EventRepository {
  let readings = 0;
  return {
    ...repository,
    async findAll(...asked) {
      const found = await repository.findAll(...asked);
      readings += 1;
      if (readings === 1) await happens();
      return found;
    },
  };
}

/** A series with an instance that has an offering. */
async function newSeries(capacity: number) {
  const company = services.newCompany();
  const [api, tenant] = [company.events, liveTenant(company.companyId)];
  const series = await created(api, '/events', { kind: 'series', name: 'Jazz', capacity });
  const { id } = await created(api, `/events/${series.id}/instances`, {});
  await created(api, `/events/${id}/offerings`, { name: 'Ticket', price: { amount: 5000, currency: 'EUR' } });
  const repository = eventRepository(services.models.events, relay, noQuotas);
  return {
    repository,
    seriesId: series.id as string,
    change: async (what: 'series' | 'instance', patch: object) => {
      const { status } = await api.patch(`/events/${what === 'series' ? series.id : id}`, patch);
      expect(status).toBe(200);
    },
    /** The pool of the instance, as an order reads it from `from`, perhaps together with other events. */
    poolFrom: async (from: EventRepository, others: string[] = []) => {
      const pool = (await eventSales({ events: from }, tenant, [...others, id])).get(id)?.pool;
      if (pool === undefined) throw new Error('there is no such instance');
      return pool;
    },
    claim: async (pool: PoolDefinition, quantity: number) => {
      const claim: Claim = {
        id: newId('tkt'),
        poolId: pool.id,
        companyId: tenant,
        orderId: newId('ord'),
        quantity,
        status: 'pending',
        settledBy: 'commerce',
      };
      const pools = ticketPools(services.models.events, () => new Date());
      return await pools.hold({ claim, pool });
    },
  };
}

test('a lowered capacity of a series applies at once to an instance without orders, even for an order that read the earlier one', async () => {
  const { repository, change, poolFrom, claim } = await newSeries(3);
  const pool = await poolFrom(repository);
  await change('series', { capacity: 2 });
  expect(await claim(pool, 3)).toEqual({ kind: 'outdated' });
});

test.each(['series', 'instance'] as const)(
  'an instance that is cancelled by its %s sells nothing to an order that read it before',
  async (what) => {
    const { repository, change, poolFrom, claim } = await newSeries(3);
    const pool = await poolFrom(repository);
    await change(what, { status: 'cancelled' });
    expect(await claim(pool, 1)).toEqual({ kind: 'outdated' });
  },
);

test.each([
  ['one more change', 1],
  ['two more changes', 2],
])(
  'a lowered capacity of an instance applies at once, even for an order that read the instance before it and the series after %s',
  async (_what, changes) => {
    const { repository, change, poolFrom, claim } = await newSeries(100);
    const reading = afterFirst(repository, async () => {
      await change('instance', { capacity: 1 });
      for (let n = 1; n <= changes; n++) await change('series', { name: `Jazz ${n}` });
    });
    const pool = await poolFrom(reading);
    expect(pool.limit).toBe(100);
    expect(await claim(pool, 2)).toEqual({ kind: 'outdated' });
    expect(await claim(await poolFrom(repository), 2)).toMatchObject({ kind: 'full', claimed: 0 });
  },
);

test('an instance is read before its series, even if both are requested', async () => {
  const { repository, seriesId, change, poolFrom } = await newSeries(100);
  const reading = afterFirst(repository, async () => change('series', { capacity: 1 }));
  expect((await poolFrom(reading, [seriesId])).limit).toBe(1);
});
