import type { Claim } from '@event-commerce/claims';
import { createLogger, newId, noQuotas } from '@event-commerce/service-kit';
import { liveTenant } from '@event-commerce/test-kit';
import { beforeAll, describe, expect, test } from 'vitest';
import { eventRepository } from '../src/events/event.repository.ts';
import { offeringRepository } from '../src/offerings/offering.repository.ts';
import { offeringPool, poolIdOf, ticketPools } from '../src/tickets/ticket-pools.ts';
import { followOffering } from '../src/tickets/follow-capacity.ts';
import { createOrderTickets, toTicket } from '../src/tickets/order-tickets.ts';
import { availabilityTeller } from '../src/tickets/tell-availability.ts';
import { type LimitDeps, sellableReader } from '../src/tickets/ticket-limits.ts';
import { type Services, sharedServices } from '../../../tests/harness/services.ts';
import { claimTickets, tellOfOrder } from './tickets.ts';

let services: Services;
beforeAll(async () => {
  services = await sharedServices();
});

const ticket = { name: 'Ticket', price: { amount: 5000, currency: 'EUR' }, capacity: 1 };

/** An offering whose last ticket was claimed by a process that was killed before it published that. */
async function untold() {
  const company = services.newCompany();
  const { companyId, events: api } = company;
  const tenant = liveTenant(companyId);
  const event = (await api.post('/events', { name: 'Gala' })).body.data;
  const offering = (await api.post(`/events/${event.id}/offerings`, ticket)).body.data;
  const killed = ticketPools(services.models.events, () => new Date());
  const claim: Claim = {
    id: newId('tkt'),
    poolId: poolIdOf('offering', tenant, offering.id),
    companyId: tenant,
    orderId: newId('ord'),
    quantity: 1,
    status: 'pending',
    settledBy: 'commerce',
  };
  const pool = offeringPool(tenant, { ...offering, version: 1, soldOut: false });
  return {
    company,
    api,
    eventId: event.id as string,
    offeringId: offering.id as string,
    claim,
    killed,
    take: async () => expect(await killed.hold({ claim, pool })).toMatchObject({ kind: 'held' }),
    told: () =>
      company
        .published()
        .map(({ type }) => type)
        .filter((type) => /sold_out|available/.test(type)),
  };
}

describe('selling out is published after a crash', () => {
  test('by the next sweep, while the order is being placed', async () => {
    const { take, told } = await untold();
    await take();
    await expect.poll(told).toEqual(['offering.sold_out']);
  });

  test('when the order is placed', async () => {
    const { company, take, killed, claim, told } = await untold();
    await take();
    await killed.followOrder(claim, 'placed');
    // As if the killed process had not acknowledged the event.
    await tellOfOrder(services, company, 'order.placed', { id: claim.orderId, tickets: [toTicket(claim)] });
    await expect.poll(told).toEqual(['offering.sold_out']);
  });

  test('when the offering is read, and so is having tickets left again', async () => {
    const { api, offeringId, take, killed, claim, told } = await untold();
    await take();
    await killed.followOrder(claim, 'placed');
    await api.get(`/offerings/${offeringId}`);
    await expect.poll(told).toEqual(['offering.sold_out']);
    await killed.followOrder(claim, 'cancelled');
    await api.get(`/offerings/${offeringId}`);
    await expect.poll(told).toEqual(['offering.sold_out', 'offering.available']);
  });
});

describe('publishing that nothing is left', () => {
  const relay = { publish: () => {}, stop: async () => {} };
  /** What publishing needs, with `sellables` instead of the reader. */
  const tellingBy = (sellables: (read: LimitDeps['sellables']) => LimitDeps['sellables']) => {
    const stores = {
      events: eventRepository(services.models.events, relay, noQuotas),
      offerings: offeringRepository(services.models.events, relay, noQuotas),
      pools: ticketPools(services.models.events, () => new Date()),
    };
    const logger = createLogger({ service: 'test', level: 'silent' });
    const deps = { ...stores, sellables: sellables(sellableReader(stores)), clock: () => new Date(), logger };
    return { ...deps, tellAvailability: availabilityTeller(deps) };
  };

  test('for an offering reads only that one, however many the event has', async () => {
    const { company, api, eventId, offeringId, take, claim } = await untold();
    await Promise.all(Array.from({ length: 20 }, async () => api.post(`/events/${eventId}/offerings`, ticket)));
    await take();
    const asked: string[] = [];
    const { tellAvailability } = tellingBy((read) => async ({ tenant, ids }) => {
      asked.push(...ids);
      return await read({ tenant, ids });
    });
    await tellAvailability.ofPools(liveTenant(company.companyId), [claim.poolId]);
    expect(new Set(asked)).toEqual(new Set([offeringId]));
    // Once before it published, and once after.
    expect(asked.length).toBeLessThanOrEqual(2);
  });

  test('or something is again, for an event reads only offerings sold out because of the event, and released ones', async () => {
    const company = services.newCompany();
    const { companyId, events: api } = company;
    const tenant = liveTenant(companyId);
    const event = (await api.post('/events', { name: 'Gala', capacity: 3 })).body.data;
    const seats: string[] = await Promise.all(
      Array.from({ length: 9 }, async () => (await api.post(`/events/${event.id}/offerings`, ticket)).body.data.id),
    );
    const [first, second, third, ...unsold] = seats as [string, string, string, ...string[]];
    const asked = new Set<string>();
    const deps = tellingBy((read) => async ({ tenant: of, ids }) => {
      for (const id of ids) asked.add(id);
      return await read({ tenant: of, ids });
    });
    const settleOrder = async () => ({ outcome: 'void' as const });
    const orderTickets = createOrderTickets({ ...deps, settleOrder, waitingOrders: async () => new Set() });
    const sell = async (seat: string) => {
      const { orderId: id, claims } = await claimTickets(services, company, { [seat]: 1 });
      await deps.tellAvailability.ofPools(
        tenant,
        claims.map(({ poolId }) => poolId),
      );
      return async () => {
        asked.clear();
        await orderTickets.cancel({ tenant, id, claims });
        return asked;
      };
    };
    // It need not read what the service's own sweep, which runs at the same time, has published.
    const expectOnly = (read: ReadonlySet<string>, may: string[]) =>
      expect([...read].filter((id) => !may.includes(id))).toEqual([]);
    const soldOut = async () => {
      const found = await deps.offerings.findAll(tenant, seats);
      return new Set(found.filter((seat) => seat.soldOut).map(({ id }) => id));
    };

    const releaseFirst = await sell(first);
    const releaseSecond = await sell(second);
    // The event has room, and nothing else was sold out because of it.
    expectOnly(await releaseFirst(), [first]);
    const releaseAgain = await sell(first);
    const releaseThird = await sell(third);
    await expect.poll(soldOut).toEqual(new Set(seats));
    expectOnly(await releaseSecond(), [second, ...unsold]);
    await expect.poll(soldOut).toEqual(new Set([first, third]));

    await api.patch(`/events/${event.id}`, { capacity: 1 });
    await expect.poll(soldOut).toEqual(new Set(seats));
    // From now on only the event keeps it sold out.
    expectOnly(await releaseAgain(), [first]);
    expect(await soldOut()).toEqual(new Set(seats));
    await releaseThird();
    await expect.poll(soldOut).toEqual(new Set());
  });

  test('does not make a change of the capacity fail', async () => {
    const { company, offeringId } = await untold();
    const deps = tellingBy(() => async () => Promise.reject(new Error('the database is slow')));
    const tenant = liveTenant(company.companyId);
    const offering = await deps.offerings.find(tenant, offeringId);
    if (offering === undefined) throw new Error('there is one');
    await expect(followOffering(deps, tenant, offering)).resolves.toBeUndefined();
  });
});
