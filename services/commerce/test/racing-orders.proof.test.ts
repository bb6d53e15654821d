import { proofSize } from '@event-commerce/test-kit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Services, startServices } from '../../../tests/harness/services.ts';
import { statuses } from './copies-of-orders.ts';
import { newShop, PATIENT } from './shop.ts';

// Pricing and events have processes of their own, so that commerce's replicas have time for the race.

let services: Services;
beforeAll(async () => {
  services = await startServices({
    replicas: { pricing: 1, commerce: 2, events: 1 },
    asProcesses: ['pricing', 'events'],
  });
});
afterAll(async () => services?.stop());

test('of 60 orders for 20 tickets, over two replicas, 20 are placed', async () => {
  const { body, commerce, events, eventId, ticket } = await newShop(services);
  await events.patch(`/events/${eventId}`, { capacity: 20 });
  const sent = () => body({ items: [{ offeringId: ticket, quantity: 1 }] });
  const replies = await Promise.all(
    Array.from({ length: 60 }, async (_, n) => commerce.replica(n % 2).post('/orders', sent())),
  );
  expect(statuses(replies)).toEqual([...Array(20).fill(201), ...Array(40).fill(409)]);
  const refused = replies.filter(({ status }) => status !== 201).map(({ body: { error } }) => error.code);
  expect(new Set(refused)).toEqual(new Set(['SOLD_OUT']));
  await expect
    .poll(async () => (await events.get(`/offerings/${ticket}`)).body.data.availability, PATIENT)
    .toEqual({ sold: 20, held: 0, left: 0 });
});

test.each([{}, { capacity: 10_000 }])(
  'no order sent after its event was cancelled is placed, with many buyers on two replicas: an event with %j',
  async (fields) => {
    const { commerce, events, eventId, offer, body } = await newShop(services);
    await events.patch(`/events/${eventId}`, fields);
    // For an offering that has no capacity of its own.
    const offeringId = await offer('Standing', 3_000, { capacity: null });
    let [placed, isCancelled] = [0, false];
    const late: string[] = [];
    const buy = async (n: number): Promise<void> => {
      const sentAfter = isCancelled;
      const reply = await commerce.replica(n % 2).post('/orders', body({ items: [{ offeringId, quantity: 1 }] }));
      const told = reply.status === 201 ? 'placed' : reply.body.error.code;
      if (told === 'placed') placed += 1;
      if (sentAfter) late.push(told);
      else if (told === 'placed') await buy(n);
      else expect(told).toBe('NOT_FOR_SALE');
    };
    const buyers = Array.from({ length: 20 }, async (_, n) => buy(n));
    await expect.poll(() => placed, PATIENT).toBeGreaterThan(20);
    expect((await events.patch(`/events/${eventId}`, { status: 'cancelled' })).status).toBe(200);
    isCancelled = true;
    await Promise.all([...buyers, ...Array.from({ length: 20 }, async (_, n) => buy(n))]);
    expect(late.length).toBeGreaterThanOrEqual(20);
    expect(new Set(late)).toEqual(new Set(['NOT_FOR_SALE']));
  },
);

test('concurrent reopenings of an order take effect once, even while others cancel it', async () => {
  const { body, adjust, claimed, commerce, sold, ticket } = await newShop(services);
  const { code, id: adjustmentId } = await adjust({ conditions: { maxRedemptions: 1 } });
  const sent = body({ items: [{ offeringId: ticket, quantity: 1 }], coupons: [code] });
  const id = (await commerce.post('/orders', sent)).body.data.order.id;
  const send = async (what: string, n: number) => (await commerce.replica(n % 2).post(`/orders/${id}/${what}`)).body;
  const each = async <T>(task: (n: number) => Promise<T>) =>
    await Promise.all(Array.from({ length: 8 }, (_, n) => task(n)));
  for (let round = 0; round < proofSize(2, 5); round++) {
    expect((await send('cancel', 0)).error).toBeUndefined();
    const reopened = await each((n) => send('reopen', n));
    expect(reopened.flatMap(({ error }) => error ?? [])).toEqual([]);
    expect(new Set(reopened.map(({ data }) => data.version)).size).toBe(1);
    await each(async (n) => {
      for (const what of ['cancel', 'reopen', 'cancel', 'reopen']) {
        const { error } = await send(what, n);
        // One of several requests that undo each other may lose to the others until its time is up.
        expect([undefined, 'VERSION_CONFLICT']).toContain(error?.code);
      }
    });
  }
  const status = (await commerce.get(`/orders/${id}`)).body.data.status;
  await expect.poll(() => claimed(adjustmentId), PATIENT).toBe(status === 'placed' ? 1 : 0);
  await expect
    .poll(sold, PATIENT)
    .toEqual({ sold: status === 'placed' ? 1 : 0, held: 0, left: status === 'placed' ? 99 : 100 });
});
