import { serve } from '@event-commerce/bus';
import { RPC, type SettleOrderReply, settleOrderRequest } from '@event-commerce/contracts';
import { newId, toPlatformError, validate } from '@event-commerce/service-kit';
import { expect, test } from 'vitest';
import { startEventsReplicas } from './harness.ts';

const PATIENT = { timeout: 20_000 };
const ticket = { name: 'Ticket', price: { amount: 5000, currency: 'EUR' } };

test('tickets of an order that was never written come back after a kill', { timeout: 60_000 }, async () => {
  const killed = await startEventsReplicas({ replicas: 1, asProcesses: true, claimTtlMs: 500 });
  const asked = new Set<string>();
  const stop = serve(
    killed.bus,
    RPC.settleOrder,
    { group: 'commerce', inFlightMax: 100, toPlatformError },
    async (request) => {
      const { orderId, reopening } = validate(settleOrderRequest, JSON.parse(String(request.body)));
      asked.add(`${orderId} ${reopening}`);
      return JSON.stringify({ data: { outcome: 'void' } satisfies SettleOrderReply });
    },
  );
  try {
    const { api, companyId } = killed.newCompany();
    const event = (await api().post('/events', { name: 'Gala', capacity: 9 })).body.data;
    const { id } = (await api().post(`/events/${event.id}/offerings`, { ...ticket, capacity: 5 })).body.data;
    const orderId = newId('ord');
    await killed.claimTickets(companyId, { [id]: 5 }, { orderId, reopening: 2 });
    await killed.replicas[0]?.kill9();
    await killed.replicas[0]?.restart();
    const availability = async () => (await api().get(`/offerings/${id}`)).body.data?.availability;
    await expect.poll(availability, PATIENT).toEqual({ sold: 0, held: 0, left: 5 });
    expect([...asked]).toEqual([`${orderId} 2`]);
  } finally {
    await stop();
    await killed.stop();
  }
});
