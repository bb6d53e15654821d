// Runs in `tickets.int.test.ts`, on its servers.

import { describe, expect, test } from 'vitest';
import type { CommerceAndPricing } from './harness.ts';
import { newShop, PATIENT } from './shop.ts';

export function describeOffSale(platform: () => CommerceAndPricing): void {
  describe('of an event that is cancelled', () => {
    test.each([{}, { capacity: 10_000 }])(
      'with %j no order is placed that is sent after that, by many buyers over two replicas',
      PATIENT,
      async (fields) => {
        const { replicas, events, eventId, offer, body } = await newShop(platform());
        await events.patch(`/events/${eventId}`, fields);
        // Of an offering that has no capacity of its own.
        const offeringId = await offer('Standing', 3_000, { capacity: null });
        let [placed, isCancelled] = [0, false];
        const late: string[] = [];
        const buy = async (n: number): Promise<void> => {
          const sentAfter = isCancelled;
          const reply = await replicas[n % 2]?.post('/orders', body({ items: [{ offeringId, quantity: 1 }] }));
          const told = reply?.status === 201 ? 'placed' : reply?.body.error.code;
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

    test('a pending order can be confirmed, and a cancelled one cannot be reopened', PATIENT, async () => {
      const { commerce, events, eventId, order, ticket } = await newShop(platform());
      const buy = async (more: object) =>
        (await order({ items: [{ offeringId: ticket, quantity: 1 }], ...more })).body.data.order;
      const [pending, over] = [await buy({ expiresInSeconds: 600 }), await buy({})];
      await commerce.post(`/orders/${over.id}/cancel`);
      await events.patch(`/events/${eventId}`, { status: 'cancelled' });

      const confirmed = await commerce.post(`/orders/${pending.id}/confirm`);
      expect([confirmed.status, confirmed.body.data.status]).toEqual([200, 'placed']);
      const refused = await commerce.post(`/orders/${over.id}/reopen`);
      expect([refused.status, refused.body.error.code, refused.body.error.details]).toMatchObject([
        409,
        'NOT_FOR_SALE',
        [{ path: 'id', offeringId: ticket, message: expect.stringContaining(`event ${eventId}, which is cancelled`) }],
      ]);
      await events.patch(`/events/${eventId}`, { status: 'postponed' });
      expect((await commerce.post(`/orders/${over.id}/reopen`)).body.data.status).toBe('placed');
    });
  });
}
