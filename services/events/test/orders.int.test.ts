import type { ClaimTicketsRequest } from '@event-commerce/contracts';
import { newId } from '@event-commerce/service-kit';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Services, sharedServices } from '../../../tests/harness/services.ts';
import { claimTickets, tellOfOrder, ticket } from './tickets.ts';

let services: Services;
beforeAll(async () => {
  services = await sharedServices();
});

async function newOffering(fields: object = {}) {
  const company = services.newCompany();
  const { events: api } = company;
  const event = (await api.post('/events', { name: 'Gala' })).body.data;
  const offering = (await api.post(`/events/${event.id}/offerings`, { ...ticket, ...fields })).body.data;
  return {
    company,
    api,
    id: offering.id as string,
    availability: async () => (await api.replica(1).get(`/offerings/${offering.id}`)).body.data.availability,
    claim: async (request: Partial<ClaimTicketsRequest> = {}) =>
      await claimTickets(services, company, { [offering.id]: 1 }, request),
    /** Claims one ticket of the offering at `version`. */
    claimAt: async (version: number | undefined, offeringId: string = offering.id) =>
      await claimTickets(services, company, {}, { items: [{ index: 0, offeringId, quantity: 1, version }] }),
  };
}

/** The events about two tickets, in this order, and what is sold and held in the end of a capacity of ten. */
const LIVES: [life: [type: `order.${string}`, state?: string][], sold: number, held: number][] = [
  [[['order.pending', 'pending']], 0, 2],
  [[['order.placed']], 2, 0],
  [[['order.placed'], ['order.cancelled']], 0, 0],
  [
    [
      ['order.pending', 'pending'],
      ['order.confirmed', 'placed'],
    ],
    2,
    0,
  ],
  [
    [
      ['order.confirmed', 'placed'],
      ['order.pending', 'pending'],
    ],
    2,
    0,
  ],
  [
    [
      ['order.pending', 'pending'],
      ['order.expired', 'expired'],
    ],
    0,
    0,
  ],
  [
    [
      ['order.expired', 'expired'],
      ['order.pending', 'pending'],
      ['order.placed', 'placed'],
    ],
    0,
    0,
  ],
  [
    [
      ['order.cancelled', 'cancelled'],
      ['order.confirmed', 'placed'],
      ['order.pending', 'pending'],
    ],
    0,
    0,
  ],
  [
    [
      ['order.pending', 'pending'],
      ['order.confirmed', 'on its way'],
    ],
    0,
    2,
  ],
  // A late event has the state of its order when it is published.
  [
    [
      ['order.pending', 'placed'],
      ['order.confirmed', 'placed'],
    ],
    2,
    0,
  ],
];

describe('tickets follow their order', () => {
  test.each(LIVES)('through %j, delivered twice: %i sold, %i held', async (life, sold, held) => {
    const { company, claim, availability } = await newOffering({ capacity: 10 });
    const orders = await Promise.all([claim(), claim()]);
    expect(await availability()).toEqual({ sold: 0, held: 2, left: 8 });
    for (const repeated of [false, true]) {
      for (const [type, state] of life) {
        for (const { orderId: id, claims: tickets } of orders) {
          await tellOfOrder(services, company, type as 'order.placed', { id, tickets, ...(state && { state }) });
        }
        // Each type has a consumer of its own: only this delivers the first round in order.
        if (!repeated) await services.followedOrders('events');
      }
    }
    await services.followedOrders('events');
    expect(await availability()).toEqual({ sold, held, left: 10 - sold - held });
  });
});

describe('an order that knows a different version of an offering', () => {
  test('claims nothing and gets the current offering', async () => {
    const { api, id, claimAt, availability } = await newOffering({ capacity: 10 });
    await api.patch(`/offerings/${id}`, { price: { amount: 6000, currency: 'EUR' } });
    for (const version of [1, 0]) {
      expect(await claimAt(version)).toMatchObject({
        claims: [],
        changed: [{ id, version: 2, price: { amount: 6000, currency: 'EUR' } }],
      });
    }
    expect((await availability()).held).toBe(0);
    const claimed = await claimAt(2);
    expect(claimed.claims).toHaveLength(2);
    expect(claimed).not.toHaveProperty('changed');
  });

  test('gets the offering even if nothing is limited, but not one that is not in the catalogue', async () => {
    const { id, claimAt } = await newOffering();
    expect((await claimAt(0)).changed).toMatchObject([{ id, version: 1 }]);
    expect((await claimAt(1)).claims).toHaveLength(2);
    expect(await claimAt(1)).not.toHaveProperty('changed');
    expect(await claimAt(0, 'off_unknown')).not.toHaveProperty('changed');
  });

  test('may leave the version out, as a reopened order does', async () => {
    const { claimAt } = await newOffering({ capacity: 1 });
    expect((await claimAt(undefined)).claims).toHaveLength(2);
  });

  test('is refused if the offering is no longer for sale', async () => {
    const { api, id, claimAt } = await newOffering();
    await api.patch(`/offerings/${id}`, { status: 'inactive' });
    await expect(claimAt(1)).rejects.toMatchObject({ code: 'NOT_FOR_SALE' });
  });
});

test.each(['pending', 'placed', 'cancelled'] as const)(
  'a reopened order releases what it held before, %s, and then claims again',
  async (state) => {
    const { company, claim, availability } = await newOffering({ capacity: 1 });
    const orderId = newId('ord');
    const { claims: former } = await claim({ orderId });
    await tellOfOrder(services, company, 'order.placed', { id: orderId, tickets: former, state });
    await services.followedOrders('events');
    const reopened = await claim({ orderId, revision: 1, former });
    expect(reopened).toMatchObject({ orderId, claims: [{ quantity: 1 }, { quantity: 1 }] });
    expect(reopened.claims[0]?.claimId).not.toBe(former[0]?.claimId);
    // Its events may arrive late, with the claims that it had then.
    await tellOfOrder(services, company, 'order.placed', { id: orderId, tickets: former, state: 'placed' });
    await tellOfOrder(services, company, 'order.cancelled', { id: orderId, tickets: former, state: 'cancelled' });
    await tellOfOrder(services, company, 'order.reopened', { id: orderId, tickets: reopened.claims, state: 'placed' });
    await services.followedOrders('events');
    expect(await availability()).toEqual({ sold: 1, held: 0, left: 0 });
  },
);
