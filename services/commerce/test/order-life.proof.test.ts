import { proofSize, type Reply } from '@event-commerce/test-kit';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Services, startServices } from '../../../tests/harness/services.ts';
import { movableClocks, place, plain, read, toldOf } from './plain-orders.ts';
import { PATIENT } from './shop.ts';

const { clock, clocks, later } = movableClocks();
let services: Services;
beforeAll(async () => {
  services = await startServices({ replicas: { pricing: 1, commerce: 2 }, clock });
});
afterAll(async () => services?.stop());
afterEach(() => {
  clocks.secondAheadMs = 0;
});

/** The possible outcomes of a pending order that is confirmed, extended and cancelled, and may expire. */
const LIVES = [
  ['order.cancelled', 'order.pending'],
  ['order.expired', 'order.pending'],
  ['order.cancelled', 'order.confirmed', 'order.pending'],
];

describe('a pending order', () => {
  test('has one outcome, however many requests for different ones reach two replicas', async () => {
    for (let round = 0; round < proofSize(8, 30); round++) {
      const company = services.newCompany();
      const { id } = await place(company, { expiresInSeconds: 60 });
      if (round % 2 === 1) later(60);
      const asked = [
        'confirm',
        'cancel',
        'extend',
        'confirm',
        'cancel',
        'extend',
        'confirm',
        'cancel',
        'confirm',
        'cancel',
      ];
      const replies = await Promise.all(
        asked.map((what, n) =>
          company.commerce
            .replica((n >> 1) % 2)
            .post(`/orders/${id}/${what}`, what === 'extend' ? { expiresInSeconds: 61 } : undefined),
        ),
      );
      later(2);
      const final = await read(company, id);
      await expect.poll(() => toldOf(company, id).length, PATIENT).toBe(final.version);
      const told = toldOf(company, id).filter((type) => type !== 'order.updated');
      expect(LIVES).toContainEqual(told);
      // No response reported a confirmation that is not in the order's history, or a second end.
      const confirmed = replies.filter(({ body }) => body.data?.status === 'placed');
      if (confirmed.length > 0) expect(told).toContain('order.confirmed');
      const ends = new Set(
        replies.map(({ body }) => body.data?.status).filter((one) => one && one !== 'placed' && one !== 'pending'),
      );
      expect([...ends]).toEqual([final.status]);
    }
  });

  test('is either confirmed or expired at its last moment, even with clocks a second apart', async () => {
    const company = services.newCompany();
    clocks.secondAheadMs = 1_000;
    const orders = await Promise.all(Array.from({ length: 40 }, () => place(company, { expiresInSeconds: 60 })));
    // By the first replica's clock half a second is left; by the second's, the time is over.
    clocks.aheadMs += 59_500;
    const replies = await Promise.all(orders.map(({ id }) => company.commerce.post(`/orders/${id}/confirm`)));
    later(2);
    for (const [n, { id }] of orders.entries()) {
      const reply = replies[n] as Reply;
      const final = await read(company, id);
      if (reply.status === 200) expect(final.status).toBe('placed');
      else {
        expect(reply.body.error.code).toBe('ORDER_EXPIRED');
        expect(final.status).toBe('expired');
      }
      expect(final.version).toBe(2);
    }
  });

  test('is a single order, even if its first ten copies arrive at once', async () => {
    for (let round = 0; round < proofSize(4, 10); round++) {
      const company = services.newCompany();
      const sent = plain(company, { expiresInSeconds: 60 });
      const replies = await Promise.all(
        Array.from({ length: 10 }, (_, n) => company.commerce.replica(n % 2).post('/orders', sent)),
      );
      expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
      expect(new Set(replies.map(({ body }) => JSON.stringify(body.data.order))).size).toBe(1);
    }
  });
});

test('concurrent changes on two replicas all take effect; with the same If-Match, one does', async () => {
  const company = services.newCompany();
  const { id } = await place(company);
  const names = Array.from({ length: 100 }, (_, n) => `m${n}`);
  const patchAll = async (headers?: Record<string, string>) =>
    await Promise.all(
      names.map((name, n) => company.commerce.replica(n % 2).patch(`/orders/${id}`, { meta: { [name]: n } }, headers)),
    );
  expect((await patchAll()).map(({ status }) => status)).toEqual(names.map(() => 200));
  const { meta, version } = (await company.commerce.get(`/orders/${id}`)).body.data;
  expect([Object.keys(meta).toSorted(), version]).toEqual([names.toSorted(), 101]);

  await company.commerce.patch(`/orders/${id}`, { meta: null });
  const replies = await patchAll({ 'if-match': '"102"' });
  const conflicts = replies.filter(({ status }) => status === 409);
  expect(conflicts).toHaveLength(99);
  expect(new Set(conflicts.map(({ body }) => body.error.message))).toEqual(
    new Set(['The order does not match If-Match: it is at version 103. Read it and try again.']),
  );
});
