import { beforeAll, expect, test } from 'vitest';
import { type Services, sharedServices } from '../../../tests/harness/services.ts';
import { newShop, PATIENT } from './shop.ts';

let services: Services;
beforeAll(async () => {
  services = await sharedServices();
});

test.each([{}, { capacity: 10_000 }])(
  'no order is placed that is sent after its event was cancelled, by many buyers over two replicas: an event with %j',
  async (fields) => {
    const { commerce, events, eventId, offer, body } = await newShop(services);
    await events.patch(`/events/${eventId}`, fields);
    // Of an offering that has no capacity of its own.
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
