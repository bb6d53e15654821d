import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { type Services, sharedServices } from '../../../tests/harness/services.ts';
import { cancelTickets, claimTickets, tellOfOrder, ticket } from './tickets.ts';

let services: Services;
beforeAll(async () => {
  services = await sharedServices();
});

test('sold out is not final while an order that may still be refused holds the last ticket', async () => {
  const company = services.newCompany();
  const { events: api } = company;
  const event = (await api.post('/events', { name: 'Gala' })).body.data;
  const { id } = (await api.post(`/events/${event.id}/offerings`, { ...ticket, capacity: 1 })).body.data;
  const claim = async () => claimTickets(services, company, { [id]: 1 });

  const refused = await claim();
  await expect(claim()).rejects.toMatchObject({
    code: 'SOLD_OUT',
    message: `Offering ${id} has no tickets left, and the order asks for 1. Unconfirmed orders hold the rest and may release it. Try again in a moment.`,
    retryAfterSeconds: 1,
  });
  await cancelTickets(services, company, refused);
  const { orderId, claims: tickets } = await claim();

  await tellOfOrder(services, company, 'order.placed', { id: orderId, tickets });
  await services.followedOrders('events');
  await expect(claim()).rejects.toMatchObject({
    code: 'SOLD_OUT',
    message: `Offering ${id} has no tickets left, and the order asks for 1.`,
    retryAfterSeconds: undefined,
  });
});

test('a consumer of a change finds it in other services, even if its writer was killed before announcing it', async () => {
  const { events: api } = services.newCompany();
  const event = (await api.post('/events', { name: 'Gala' })).body.data;
  const { id } = (await api.post(`/events/${event.id}/offerings`, ticket)).body.data;
  const heard: string[] = [];
  const { nats } = services.bus;
  const notices = nats.subscribe('broadcast.events.offering-changed', {
    callback: (_error, message) => {
      const notice = message.json<{ id: string; version: number }>();
      if (notice.id === id) heard.push(`notice of version ${notice.version}`);
    },
  });
  const updates = nats.subscribe('domain.events.offering.updated', {
    callback: (_error, message) => {
      if (message.json<{ subject: string }>().subject === id) heard.push('event');
    },
  });
  onTestFinished(() => {
    notices.unsubscribe();
    updates.unsubscribe();
  });
  await nats.flush();
  const written = { id: `${id}-2`, type: 'offering.updated', at: new Date() };
  await services.models.events.offerings.collection.updateOne(
    { offeringId: id },
    {
      $set: { name: 'Seat', outbox: [written] },
      $inc: { version: 1 },
    },
  );
  await expect.poll(() => heard).toContain('event');
  expect(heard.slice(0, heard.indexOf('event'))).toContain('notice of version 2');
});
