import { newId } from '@event-commerce/service-kit';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Services, sharedServices } from '../../../tests/harness/services.ts';
import { cancelTickets, claimTickets, tellOfOrder, ticket } from './tickets.ts';

let services: Services;
beforeAll(async () => {
  services = await sharedServices();
});

async function newEvent(fields: object = {}) {
  const company = services.newCompany();
  const { events: api } = company;
  const event = (await api.post('/events', { name: 'Gala', ...fields })).body.data;
  return {
    company,
    api,
    event,
    offer: async (more: object = {}): Promise<string> => {
      const { status, body } = await api.post(`/events/${event.id}/offerings`, { ...ticket, ...more });
      expect(status).toBe(201);
      return body.data.id;
    },
    availability: async (id: string) => (await api.replica(1).get(`/offerings/${id}`)).body.data.availability,
    claim: async (items: Record<string, number>, request = {}) => await claimTickets(services, company, items, request),
    /** Whether the claim succeeds; its refusal must be SOLD_OUT. */
    wins: async (items: Record<string, number>): Promise<boolean> =>
      await claimTickets(services, company, items).then(
        () => true,
        (error: unknown) => {
          expect(error).toMatchObject({ code: 'SOLD_OUT' });
          return false;
        },
      ),
  };
}

const refusal = async (claiming: Promise<unknown>) =>
  await claiming.then(
    () => 'claimed',
    (error: unknown) => error,
  );

describe('the capacity of an offering', () => {
  test('is never exceeded: of 80 orders for 20 tickets, on two replicas, 20 get one', async () => {
    const { offer, wins, availability } = await newEvent();
    const id = await offer({ capacity: 20 });
    const won = await Promise.all(Array.from({ length: 80 }, async () => wins({ [id]: 1 })));
    expect(won.filter(Boolean)).toHaveLength(20);
    expect(await availability(id)).toEqual({ sold: 0, held: 20, left: 0 });
  });

  test('belongs to one company, even if others sell the same id at the same moment', async () => {
    const limits = [5, 10, 15];
    const companies = await Promise.all(limits.map(async () => newEvent()));
    await Promise.all(companies.map(async ({ offer }, n) => offer({ id: 'off_1', capacity: limits[n] })));
    const claim = async () => Promise.all(companies.map(async ({ wins }) => wins({ off_1: 1 })));
    const won = await Promise.all(Array.from({ length: 25 }, claim));
    expect(limits.map((_, n) => won.filter((each) => each[n]).length)).toEqual(limits);
    const left = await Promise.all(companies.map(async ({ availability }) => availability('off_1')));
    expect(left).toEqual(limits.map((limit) => ({ sold: 0, held: limit, left: 0 })));
  });

  test('refuses an order with the items that lack tickets and what is left of each', async () => {
    const { offer, claim } = await newEvent();
    const [few, many] = [await offer({ capacity: 2 }), await offer({ capacity: 100 })];
    expect(await refusal(claim({ [many]: 1, [few]: 3 }))).toMatchObject({
      code: 'SOLD_OUT',
      message: `Offering ${few} has 2 tickets left, and the order asks for 3.`,
      details: [{ path: 'order.items[1]', offeringId: few, left: 2 }],
    });
  });

  test('holds nothing for an order that is refused', async () => {
    const { offer, claim, availability } = await newEvent();
    const [few, many] = [await offer({ capacity: 2 }), await offer({ capacity: 100 })];
    await refusal(claim({ [many]: 1, [few]: 3 }));
    expect(await availability(many)).toEqual({ sold: 0, held: 0, left: 100 });
    expect(await availability(few)).toEqual({ sold: 0, held: 0, left: 2 });
  });

  test('may be lowered below what is held, removed and set again: nothing is left then, and no ticket is forgotten', async () => {
    const { api, offer, claim, wins, availability } = await newEvent();
    const id = await offer({ capacity: 10 });
    await claim({ [id]: 6 });
    expect((await api.patch(`/offerings/${id}`, { capacity: 5 })).body.data.availability).toEqual({
      sold: 0,
      held: 6,
      left: 0,
    });
    expect(await wins({ [id]: 1 })).toBe(false);
    expect((await api.patch(`/offerings/${id}`, { capacity: null })).body.data).not.toHaveProperty('capacity');
    await claim({ [id]: 2 });
    expect(await availability(id)).toEqual({ sold: 0, held: 8, left: null });
    await api.patch(`/offerings/${id}`, { capacity: 9 });
    expect(await wins({ [id]: 2 })).toBe(false);
    expect(await wins({ [id]: 1 })).toBe(true);
  });

  test('that is lowered during a sale is never exceeded by an order that is sent after the response', async () => {
    const { api, offer, wins, availability } = await newEvent();
    const id = await offer({ capacity: 1_000 });
    const before = Array.from({ length: 40 }, async () => wins({ [id]: 1 }));
    const { body } = await api.patch(`/offerings/${id}`, { capacity: 5 });
    const held = Math.max(5, body.data.availability.held);
    await Promise.all([...before, ...Array.from({ length: 20 }, async () => wins({ [id]: 1 }))]);
    expect((await availability(id)).held).toBeLessThanOrEqual(held);
  });

  test('that is set after the sale began counts every ticket since the first order', async () => {
    const { company, api, offer, claim, wins, availability } = await newEvent();
    const id = await offer();
    const { orderId, claims } = await claim({ [id]: 3, off_unknown: 1 });
    await tellOfOrder(services, company, 'order.placed', { id: orderId, tickets: claims });
    await services.followedOrders('events');
    await claim({ [id]: 2 });
    expect(await availability(id)).toEqual({ sold: 3, held: 2, left: null });
    const { body } = await api.patch(`/offerings/${id}`, { capacity: 6 });
    expect(body.data.availability).toEqual({ sold: 3, held: 2, left: 1 });
    expect(await wins({ [id]: 2 })).toBe(false);
    expect(await wins({ [id]: 1 })).toBe(true);
  });

  test('that is set during a sale is never exceeded by more than what was ordered before the response', async () => {
    const { api, offer, claim, wins, availability } = await newEvent();
    const id = await offer();
    await claim({ [id]: 10 });
    const racing = Array.from({ length: 60 }, async () => wins({ [id]: 1 }));
    const { body } = await api.patch(`/offerings/${id}`, { capacity: 20 });
    const most = Math.max(20, body.data.availability.held);
    await Promise.all([...racing, ...Array.from({ length: 40 }, async () => wins({ [id]: 1 }))]);
    expect(await availability(id)).toEqual({ sold: 0, held: most, left: 0 });
  });
});

describe('the capacity of an event', () => {
  test('limits its offerings together: of 60 orders for three offerings, 20 get a ticket', async () => {
    const { offer, wins, availability } = await newEvent({ capacity: 20 });
    const ids = [await offer(), await offer({ capacity: 15 }), await offer({ capacity: 15 })];
    const won = await Promise.all(Array.from({ length: 60 }, async (_, n) => wins({ [ids[n % 3] as string]: 1 })));
    expect(won.filter(Boolean)).toHaveLength(20);
    const states = await Promise.all(ids.map(availability));
    expect(states.map(({ left }) => left)).toEqual([0, 0, 0]);
    expect(states.reduce((sum, { held }) => sum + held, 0)).toBe(20);
  });

  test('that is set after the sale began counts the tickets of all offerings since the first order', async () => {
    const { api, event, offer, claim, wins, availability } = await newEvent();
    const [one, other] = [await offer(), await offer()];
    await claim({ [one]: 2, [other]: 3 });
    expect((await api.patch(`/events/${event.id}`, { capacity: 6 })).status).toBe(200);
    expect(await Promise.all([one, other].map(availability))).toMatchObject([{ left: 1 }, { left: 1 }]);
    expect(await wins({ [other]: 2 })).toBe(false);
    expect(await wins({ [other]: 1 })).toBe(true);
  });

  test('is returned with what the event has left', async () => {
    const { offer, claim } = await newEvent({ capacity: 5 });
    const [one, other] = [await offer(), await offer()];
    expect(await refusal(claim({ [one]: 3, [other]: 3 }))).toMatchObject({
      code: 'SOLD_OUT',
      details: [
        {
          path: 'order.items[0]',
          left: 5,
          message: 'belongs to an event that has 5 tickets left, and the order asks for 6',
        },
        { path: 'order.items[1]', left: 5 },
      ],
    });
  });
});

describe('an offering is for sale', () => {
  test.each([
    [{ status: 'inactive' }, 'is inactive, and cannot be ordered; to sell it, set its status to active'],
    [{ onSaleFrom: '2999-01-01T00:00:00Z' }, 'goes on sale at 2999-01-01T00:00:00.000Z'],
    [{ onSaleUntil: '2020-01-01T00:00:00Z' }, 'went off sale at 2020-01-01T00:00:00.000Z'],
    [{ maxPerOrder: 2 }, 'is limited to 2 per order, and this order asks for 3'],
  ])('with %o only within its limits', async (fields, detail) => {
    const { offer, claim } = await newEvent();
    const id = await offer(fields);
    expect(await refusal(claim({ [id]: 3 }))).toMatchObject({
      code: 'NOT_FOR_SALE',
      message: `Offering ${id} ${detail}.`,
      details: [{ path: 'order.items[0]', message: detail }],
    });
  });

  const over = (at: string) => `which was over at ${at}; to go on selling it, set its onSaleUntil`;
  test.each([
    [{ endsAt: '2020-05-01T18:00:00Z' }, over('2020-05-01T18:00:00.000Z')],
    [{ startsAt: '2020-05-01T18:00:00Z' }, over('2020-05-02T18:00:00.000Z')],
    [{ startsAt: '2020-05-01T18:00:00Z', endsAt: '2020-05-03T18:00:00Z' }, over('2020-05-03T18:00:00.000Z')],
  ])('until its event is over, if that has %j, unless it has an onSaleUntil', async (fields, why) => {
    const { api, event, offer, claim } = await newEvent(fields);
    const id = await offer();
    const detail = `belongs to event ${event.id}, ${why}`;
    expect(await refusal(claim({ [id]: 1 }))).toMatchObject({
      code: 'NOT_FOR_SALE',
      message: `Offering ${id} ${detail}.`,
      details: [{ path: 'order.items[0]', message: detail }],
    });
    await api.patch(`/offerings/${id}`, { onSaleUntil: '2999-01-01T00:00:00Z' });
    expect((await claim({ [id]: 1 })).claims).toHaveLength(2);
    await api.patch(`/offerings/${id}`, { onSaleUntil: null });
    expect(await refusal(claim({ [id]: 1 }))).toMatchObject({ code: 'NOT_FOR_SALE' });
  });

  test('until its event is over, and forever if the event has no known end', async () => {
    const anHourAgo = new Date(Date.now() - 3_600_000).toISOString();
    for (const fields of [{}, { startsAt: anHourAgo }, { endsAt: '2999-01-01T00:00:00Z' }]) {
      const { offer, claim } = await newEvent(fields);
      expect((await claim({ [await offer()]: 1 })).claims).toHaveLength(2);
    }
  });

  test('at an instance until that is over, and at a series forever: its times are those of one date', async () => {
    const times = { startsAt: '2020-05-01T20:00:00Z', endsAt: '2020-05-01T22:00:00Z' };
    const { api, event, offer, claim } = await newEvent({ kind: 'series', ...times });
    expect((await claim({ [await offer()]: 1 })).claims).toHaveLength(2);
    const at = async (more: object) => {
      const { id } = (await api.post(`/events/${event.id}/instances`, more)).body.data;
      return (await api.post(`/events/${id}/offerings`, ticket)).body.data.id as string;
    };
    expect((await claim({ [await at({ startsAt: '2999-05-01T20:00:00Z' })]: 1 })).claims).toHaveLength(2);
    expect(await refusal(claim({ [await at({ startsAt: '2020-06-01T20:00:00Z' })]: 1 }))).toMatchObject({
      message: expect.stringContaining('was over at 2020-06-01T22:00:00.000Z'),
    });
  });

  test('in a window in the event’s local time that ends after it begins', async () => {
    const { api, event } = await newEvent({ timezone: 'Europe/Berlin' });
    const path = `/events/${event.id}/offerings`;
    const window = { onSaleFrom: '2027-07-01T10:00', onSaleUntil: '2027-07-02T10:00' };
    expect((await api.post(path, { ...ticket, ...window })).body.data).toMatchObject({
      onSaleFrom: '2027-07-01T08:00:00.000Z',
      onSaleUntil: '2027-07-02T08:00:00.000Z',
    });
    const { status, body } = await api.post(path, { ...ticket, ...window, onSaleUntil: '2027-06-01T10:00' });
    expect([status, body.error.details[0].path]).toEqual([400, 'onSaleUntil']);
  });
});

test('a claim is one place for all copies of an order, until the order is declared void', async () => {
  const { company, offer, claim, availability } = await newEvent({ capacity: 20 });
  const id = await offer({ capacity: 10 });
  const orderId = newId('ord');
  const copies = await Promise.all(Array.from({ length: 10 }, async () => claim({ [id]: 2 }, { orderId })));
  expect(new Set(copies.map((copy) => JSON.stringify(copy))).size).toBe(1);
  expect(await availability(id)).toEqual({ sold: 0, held: 2, left: 8 });
  const { claims = [] } = copies[0] ?? {};
  for (let repeat = 0; repeat < 2; repeat++) {
    await cancelTickets(services, company, { orderId, claims, unwritten: true });
    expect(await availability(id)).toEqual({ sold: 0, held: 0, left: 10 });
  }
});

test('selling out and having tickets left again are each published once, in that order', async () => {
  const { company, offer, claim, wins } = await newEvent({ capacity: 3 });
  const [one, other] = [await offer({ capacity: 2 }), await offer()];
  const told = (id: string) =>
    company
      .published()
      .filter(({ subject, type }) => subject === id && /sold_out|available/.test(type))
      .map(({ type }) => type);
  const first = await claim({ [one]: 2 });
  await expect.poll(() => told(one)).toEqual(['offering.sold_out']);
  expect(told(other)).toEqual([]);
  await claim({ [other]: 1 });
  await expect.poll(() => told(other)).toEqual(['offering.sold_out']);
  expect(await wins({ [one]: 1 })).toBe(false);
  await cancelTickets(services, company, first);
  await expect
    .poll(() => [told(one), told(other)])
    .toEqual([
      ['offering.sold_out', 'offering.available'],
      ['offering.sold_out', 'offering.available'],
    ]);
});
