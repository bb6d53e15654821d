import { serve } from '@event-commerce/bus';
import {
  PlatformError,
  RPC,
  type SettleOrderReply,
  type SettleOrderRequest,
  settleOrderRequest,
} from '@event-commerce/contracts';
import { newId, toPlatformError, validate } from '@event-commerce/service-kit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Services, startServices } from '../../../tests/harness/services.ts';
import { claimTickets, ticket } from './tickets.ts';

const PATIENT = { timeout: 20_000 };

/** Answers like commerce about orders; undefined: it cannot tell now. Returns a function that stops it. */
function serveCommerce({ bus }: Services, outcomeOf: (request: SettleOrderRequest) => SettleOrderReply | undefined) {
  const options = { group: 'commerce', inFlightMax: 100, toPlatformError };
  return serve(bus, RPC.settleOrder, options, (request) => {
    const data = outcomeOf(validate(settleOrderRequest, JSON.parse(String(request.body))));
    if (data === undefined) throw new PlatformError('SERVICE_UNAVAILABLE', 'The database does not answer.');
    return JSON.stringify({ data });
  });
}

/** An offering with five tickets, all claimed by one order. */
async function soldOut(services: Services, order: { orderId: string; revision?: number }) {
  const company = services.newCompany();
  const { events: api } = company;
  const event = (await api.post('/events', { name: 'Gala', capacity: 9 })).body.data;
  const { id } = (await api.post(`/events/${event.id}/offerings`, { ...ticket, capacity: 5 })).body.data;
  const { claims } = await claimTickets(services, company, { [id]: 5 }, order);
  return {
    ticketIds: claims.map(({ claimId }) => claimId),
    availability: async () => (await api.get(`/offerings/${id}`)).body.data?.availability,
  };
}

test('tickets of an order that was never written are released after a kill', async () => {
  const killed = await startServices({ replicas: { events: 1 }, asProcesses: ['events'], claimTtlMs: 500 });
  const asked = new Set<string>();
  const stop = serveCommerce(killed, ({ orderId, revision }) => {
    asked.add(`${orderId} ${revision}`);
    return { outcome: 'void' };
  });
  try {
    const orderId = newId('ord');
    const { availability } = await soldOut(killed, { orderId, revision: 2 });
    const [process] = killed.replicas.events;
    await process?.kill9();
    await process?.restart();
    await expect.poll(availability, PATIENT).toEqual({ sold: 0, held: 0, left: 5 });
    expect([...asked]).toEqual([`${orderId} 2`]);
  } finally {
    await stop();
    await killed.stop();
  }
});

describe('tickets of an order that nobody confirms', () => {
  const outcomes = new Map<string, SettleOrderReply>();
  /** The orders that commerce could not answer about. */
  const refused: string[] = [];
  let services: Services;
  let stop: () => Promise<void>;
  beforeAll(async () => {
    services = await startServices({ replicas: { events: 2 }, claimTtlMs: 300 });
    stop = serveCommerce(services, ({ orderId }) => {
      if (!outcomes.has(orderId)) refused.push(orderId);
      return outcomes.get(orderId);
    });
  });
  afterAll(async () => {
    await stop?.();
    await services?.stop();
  });

  test('stay held while commerce cannot tell the outcome of the order, however often it is asked', async () => {
    const orderId = newId('ord');
    const { ticketIds, availability } = await soldOut(services, { orderId });
    await expect.poll(() => refused.filter((one) => one === orderId).length, PATIENT).toBeGreaterThan(2);
    expect(await availability()).toEqual({ sold: 0, held: 5, left: 0 });
    outcomes.set(orderId, { outcome: 'placed', ticketIds });
    await expect.poll(availability, PATIENT).toEqual({ sold: 5, held: 0, left: 0 });
  });

  test('are released if the order was placed with others: these are of a copy that was too late', async () => {
    const orderId = newId('ord');
    outcomes.set(orderId, { outcome: 'placed', ticketIds: ['tkt_other'] });
    const { availability } = await soldOut(services, { orderId });
    await expect.poll(availability, PATIENT).toEqual({ sold: 0, held: 0, left: 5 });
  });
});
