import { afterAll, beforeAll, expect, test } from 'vitest';
import { type EventsReplicas, startEventsReplicas } from './harness.ts';

let events: EventsReplicas;
beforeAll(async () => {
  events = await startEventsReplicas({ replicas: 2 });
});
afterAll(async () => events?.stop());

const ticket = { name: 'Ticket', price: { amount: 5000, currency: 'EUR' } };

test('sold out is not final while the last ticket is held by an order that may be refused yet', async () => {
  const { api, companyId } = events.newCompany();
  const event = (await api().post('/events', { name: 'Gala' })).body.data;
  const { id } = (await api().post(`/events/${event.id}/offerings`, { ...ticket, capacity: 1 })).body.data;
  const claim = async () => events.claimTickets(companyId, { [id]: 1 });

  const refused = await claim();
  await expect(claim()).rejects.toMatchObject({
    code: 'SOLD_OUT',
    message: `Offering ${id} has no tickets left, and the order asks for 1. Orders that are being placed hold what is missing, and may give it back; try again in a moment.`,
    retryAfterSeconds: 1,
  });
  await events.cancelTickets(companyId, refused);
  const { orderId, claims: tickets } = await claim();

  await events.tellOfOrder(companyId, 'order.placed', { id: orderId, tickets });
  await events.settled();
  await expect(claim()).rejects.toMatchObject({
    code: 'SOLD_OUT',
    message: `Offering ${id} has no tickets left, and the order asks for 1.`,
    retryAfterSeconds: undefined,
  });
});

test('whoever hears of a change finds it elsewhere, also if its writer was killed before it announced the change', async () => {
  const { api } = events.newCompany();
  const event = (await api().post('/events', { name: 'Gala' })).body.data;
  const { id } = (await api().post(`/events/${event.id}/offerings`, ticket)).body.data;
  const heard: string[] = [];
  const { nats } = events.bus;
  nats.subscribe('broadcast.events.offering-changed', {
    callback: (_error, message) => void heard.push(`notice of version ${message.json<{ version: number }>().version}`),
  });
  nats.subscribe('domain.events.offering.updated', { callback: () => void heard.push('event') });
  await nats.flush();
  const written = { id: `${id}-2`, type: 'offering.updated', at: new Date() };
  await events.models.offerings.collection.updateOne(
    { offeringId: id },
    {
      $set: { name: 'Seat', outbox: [written] },
      $inc: { version: 1 },
    },
  );
  await expect.poll(() => heard).toContain('event');
  expect(heard.slice(0, heard.indexOf('event'))).toContain('notice of version 2');
});
