import type { TicketedEvent } from '@event-commerce/contracts';
import { type Caller, noQuotas } from '@event-commerce/service-kit';
import { liveTenant } from '@event-commerce/test-kit';
import mongoose from 'mongoose';
import { beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { type Services, sharedServices } from '../../../tests/harness/services.ts';
import { eventRepository } from '../src/events/event.repository.ts';
import { listEvents } from '../src/events/show-events.ts';
import { offeringRepository } from '../src/offerings/offering.repository.ts';
import { ticketPools } from '../src/tickets/ticket-pools.ts';
import { type EventsModels, eventsModels } from '../src/models.ts';
import { insertEvents } from './insert-events.ts';
import { claimTickets, tellOfOrder, ticket } from './tickets.ts';

let services: Services;
beforeAll(async () => {
  services = await sharedServices();
});

const eur = (amount: number) => ({ price: { amount, currency: 'EUR' } });

async function newEvent(fields: object = {}) {
  const company = services.newCompany();
  const { events: api } = company;
  const event = (await api.post('/events', { name: 'Gala', ...fields })).body.data;
  return {
    company,
    api,
    event,
    offer: async (more: object = {}, eventId: string = event.id): Promise<string> =>
      (await api.post(`/events/${eventId}/offerings`, { ...ticket, ...more })).body.data.id,
    shown: async (id: string = event.id) => (await api.get(`/events/${id}?availability=true`)).body.data.availability,
    listed: async (query = '') => (await api.get(`/events?availability=true${query}`)).body.data as TicketedEvent[],
  };
}

describe('the availability of an event', () => {
  test('has what is sold, held and left of all its offerings, in the list and alone', async () => {
    const { company, event, offer, shown, listed } = await newEvent({ capacity: 10 });
    const [a, b] = [await offer({ capacity: 6 }), await offer({ capacity: 100 })];
    expect(await shown()).toMatchObject({ sold: 0, held: 0, left: 10 });
    const { orderId, claims } = await claimTickets(services, company, { [a]: 2, [b]: 1 });
    await tellOfOrder(services, company, 'order.placed', { id: orderId, tickets: claims });
    await claimTickets(services, company, { [b]: 3 });
    await expect.poll(async () => shown()).toMatchObject({ sold: 3, held: 3, left: 4 });
    expect((await listed()).map(({ id, availability }) => [id, availability])).toEqual([[event.id, await shown()]]);
  });

  test('is not shown unless it is asked for, and changes nothing when it is sent back', async () => {
    const { api, event } = await newEvent({ capacity: 10 });
    expect((await api.get(`/events/${event.id}`)).body.data).toEqual(event);
    expect((await api.get('/events')).body.data).toEqual([event]);
    const read = (await api.get(`/events/${event.id}?availability=true`)).body.data;
    expect((await api.patch(`/events/${event.id}`, read)).body.data.version).toBe(1);
  });

  test('has the lowest price of what is on sale and not sold out, for each currency', async () => {
    const { offer, shown } = await newEvent();
    expect(await shown()).toEqual({ sold: 0, held: 0, left: null, lowestPrices: [] });
    await offer(eur(5000));
    await offer(eur(4000));
    await offer({ price: { amount: 6000, currency: 'CHF' } });
    await offer({ ...eur(1000), status: 'inactive' });
    await offer({ ...eur(1100), capacity: 0 });
    await offer({ ...eur(1200), onSaleFrom: '2999-01-01T00:00:00Z' });
    await offer({ ...eur(1300), onSaleUntil: '2020-01-01T00:00:00Z' });
    expect((await shown()).lowestPrices).toEqual([
      { amount: 6000, currency: 'CHF' },
      { amount: 4000, currency: 'EUR' },
    ]);
  });

  test('has the price that adjustments at listing make, and not what others take off at checkout', async () => {
    const { company, offer, shown } = await newEvent();
    const [early, other] = [await offer(eur(5000)), await offer(eur(4800))];
    const adjust = async (offeringId: string, application: string, percent: number) =>
      company.pricing.post('/pricing/adjustments', {
        name: 'Early bird',
        type: 'early-bird',
        category: `early-bird-${application}`,
        application,
        targets: [{ urn: `urn:v1:${company.companyId}:events:offering/${offeringId}` }],
        effect: { kind: 'percentage_off', percent },
      });
    expect((await adjust(early, 'at-listing', 10)).status).toBe(201);
    expect((await adjust(other, 'at-checkout', 50)).status).toBe(201);
    await expect.poll(async () => (await shown()).lowestPrices).toEqual([{ amount: 4500, currency: 'EUR' }]);
  });

  test('has no price of an event that is sold out or off sale', async () => {
    const { company, api, event, offer, shown } = await newEvent({ capacity: 2 });
    const id = await offer();
    await claimTickets(services, company, { [id]: 2 });
    expect(await shown()).toMatchObject({ left: 0, lowestPrices: [] });
    await api.patch(`/events/${event.id}`, { capacity: 3 });
    expect(await shown()).toMatchObject({ left: 1, lowestPrices: [ticket.price] });
    await api.patch(`/events/${event.id}`, { status: 'cancelled' });
    expect(await shown()).toMatchObject({ held: 2, left: 1, lowestPrices: [] });
  });

  test('has nothing left of an event whose offerings are sold out, inactive or no longer on sale', async () => {
    const { api, offer, shown } = await newEvent({ capacity: 10 });
    await offer({ capacity: 0 });
    const open = await offer({ capacity: 4, onSaleFrom: '2999-01-01T00:00:00Z' });
    await offer({ onSaleUntil: '2020-01-01T00:00:00Z' });
    expect((await shown()).left).toBe(4);
    await api.patch(`/offerings/${open}`, { status: 'inactive' });
    expect((await shown()).left).toBe(0);
  });

  test('of an instance follows the series, but counts its own tickets', async () => {
    const { company, api, event, offer, shown, listed } = await newEvent({ kind: 'series', capacity: 8 });
    const instance = async (body: object) => (await api.post(`/events/${event.id}/instances`, body)).body.data.id;
    const [first, second] = [await instance({}), await instance({ capacity: 3 })];
    const ids = [await offer({}, first), await offer({}, second)];
    await claimTickets(services, company, { [ids[0] ?? '']: 1 });
    expect([(await shown(first)).left, (await shown(second)).left, (await shown()).left]).toEqual([7, 3, 8]);
    const onPage = await listed('&kind=instance');
    expect(onPage.map(({ availability }) => availability?.left)).toEqual([3, 7]);
  });

  test('costs two more reads for a whole page', async () => {
    const { companyId, events: api } = services.newCompany();
    const [series] = await insertEvents(services.models.events, companyId, [
      { kind: 'series', own: { name: 'S', status: 'published', capacity: 9, tags: [] } },
    ]);
    const { _id: seriesId = '' } = series ?? {};
    const dates = Array.from({ length: 60 }, () => ({ kind: 'instance' as const, seriesId, own: {} }));
    const [one, other] = await insertEvents(services.models.events, companyId, dates);
    for (const event of [one, one, other]) await api.post(`/events/${event?._id}/offerings`, ticket);

    const monitored = mongoose.createConnection(inject('mongoUrl'), {
      dbName: services.databases.events.name,
      monitorCommands: true,
    });
    await monitored.asPromise();
    onTestFinished(async () => monitored.close());
    let read = 0;
    monitored.getClient().on('commandStarted', ({ commandName }) => {
      if (['find', 'aggregate', 'getMore'].includes(commandName)) read += 1;
    });
    const deps = depsOf(eventsModels(monitored));
    const caller = { tenant: liveTenant(companyId) } as Caller;
    const reads = async (availability: boolean) => {
      read = 0;
      const query = { seriesId, limit: 50, sort: 'created' as const, availability, facets: false };
      const { data } = await listEvents(deps, caller, query);
      expect(data.filter((event) => event.availability?.left === 9)).toHaveLength(availability ? 50 : 0);
      return read;
    };
    await reads(false);
    const without = await reads(false);
    expect(without).toBeGreaterThan(0);
    expect(await reads(true)).toBe(without + 2);
  });
});

function depsOf(models: EventsModels) {
  const unused = { publish: () => {}, stop: async () => {} };
  const clock = () => new Date();
  return {
    events: eventRepository(models, unused, noQuotas),
    offerings: offeringRepository(models, unused, noQuotas),
    pools: ticketPools(models, clock),
    listedPrices: async () => new Map(),
    clock,
  };
}

describe('near', () => {
  test('lists what is on at a time and what comes next, soonest first', async () => {
    const { events: api } = services.newCompany();
    const create = async (name: string, startsAt: string, endsAt: string) =>
      api.post('/events', { name, startsAt: `2027-05-${startsAt}:00Z`, endsAt: `2027-05-${endsAt}:00Z` });
    await create('later', '20T18:00', '20T20:00');
    await create('over', '01T18:00', '01T20:00');
    await create('next', '10T18:00', '10T20:00');
    await create('running', '02T10:00', '12T20:00');
    const near = '2027-05-05T00:00:00Z';
    const { data, page } = (await api.get(`/events?near=${near}&limit=2`)).body;
    expect(data.map((event: TicketedEvent) => event.name)).toEqual(['running', 'next']);
    const rest = await api.get(`/events?near=${near}&limit=2&cursor=${page.next}`);
    expect(rest.body.data.map((event: TicketedEvent) => event.name)).toEqual(['later']);
    const same = await api.get(`/events?endsAfter=${near}&sort=startsAt&limit=2`);
    expect(same.body).toEqual({ ...same.body, data, page });
  });

  test('cannot be sent with endsAfter', async () => {
    const { events: api } = services.newCompany();
    const time = '2027-05-05T00:00:00Z';
    const { status, body } = await api.get(`/events?near=${time}&endsAfter=${time}`);
    expect([status, body.error.details[0].path]).toEqual([400, 'near']);
  });
});

describe('facets', () => {
  test('count the events that match, by venue and status, whatever the page', async () => {
    const { events: api } = services.newCompany();
    const create = async (body: object) => (await api.post('/events', { name: 'Gala', ...body })).body.data;
    await create({ venueId: 'ven_a' });
    await create({ venueId: 'ven_a', status: 'draft' });
    await create({});
    const series = await create({ kind: 'series', venueId: 'ven_b', status: 'postponed' });
    await api.post(`/events/${series.id}/instances`, {});
    await api.post(`/events/${series.id}/instances`, { venueId: 'ven_a', status: 'cancelled' });

    expect((await api.get('/events?facets=true&limit=1')).body.page.facets).toEqual({
      venues: [
        { venueId: 'ven_a', count: 3 },
        { venueId: 'ven_b', count: 2 },
      ],
      statuses: [
        { status: 'postponed', count: 2 },
        { status: 'published', count: 2 },
        { status: 'cancelled', count: 1 },
        { status: 'draft', count: 1 },
      ],
      complete: true,
    });
    expect((await api.get('/events?facets=true&kind=instance&venueId=ven_b')).body.page.facets).toEqual({
      venues: [{ venueId: 'ven_b', count: 1 }],
      statuses: [{ status: 'postponed', count: 1 }],
      complete: true,
    });
    expect((await api.get('/events')).body.page).toEqual({ next: null, limit: 50 });
  });
});
