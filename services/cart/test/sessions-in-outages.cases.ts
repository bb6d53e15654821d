// Runs in `sessions.int.test.ts`, on its servers.

import { adjustmentBody } from '@event-commerce/test-kit';
import { describe, expect, test } from 'vitest';
import type { Carts } from './cart-fixture.ts';
import { createAdjustment, item, newSession, setItem } from './session-requests.ts';

export function describeOutages(carts: () => Carts): void {
  describe('while another service is down, or cannot price', () => {
    test('pricing: a change is 503 and changes nothing, a read returns the prices of the last change', async () => {
      const company = carts().newCompany();
      const id = newSession();
      const before = await setItem(company, id, item('a', 1, { price: 100 }));
      await carts().pricing.kill9();
      try {
        const began = performance.now();
        const changed = await setItem(company, id, item('a', 2));
        expect([changed.status, changed.body.error.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
        expect(changed.headers.get('retry-after')).toBe('1');
        expect(performance.now() - began).toBeLessThan(3_000);
        expect((await setItem(company, 'unmade', item('a', 2, { price: 1 }))).status).toBe(503);
        expect((await company.api().get('/cart/sessions/unmade')).status).toBe(404);
        const read = await company.api().get(`/cart/sessions/${id}`);
        expect(read.body.data).toEqual({ ...before.body.data, priceStatus: 'stored' });
      } finally {
        await carts().pricing.restart();
      }
      await expect.poll(async () => (await setItem(company, id, item('a', 2))).body.data?.total).toBe(200);
    });

    test('pricing refuses: a change is 400 at its items, a read returns the prices of the last change, and a join is done', async () => {
      const company = carts().newCompany();
      const id = newSession();
      const expensive = item('a', 100, { price: 1_000_000_000_000 });
      const before = (await setItem(company, id, expensive)).body.data;
      const surcharge = { kind: 'percentage_surcharge', percent: 1_000 };
      for (const name of ['once', 'twice']) {
        const automatic = { name, type: 'fee', category: name, stacking: 'stackable', effectBase: 'current-price' };
        await createAdjustment(company, adjustmentBody('', { ...automatic, conditions: {}, effect: surcharge }));
      }
      const changed = await setItem(company, id, { ...expensive, quantity: 90 });
      expect([changed.status, changed.body.error.details]).toEqual([
        400,
        [{ path: 'items', message: 'would cost more than can be kept exactly' }],
      ]);
      const read = await company.api().get(`/cart/sessions/${id}`);
      expect([read.status, read.body.data]).toEqual([200, { ...before, priceStatus: 'stored' }]);
      const table = (await company.api().post('/cart/table-commitments', { contextId: 'evt_1', seats: 1 })).body.data
        .id;
      const joined = await company.api().post(`/cart/sessions/${id}/join-table`, { tableCommitmentId: table });
      expect([joined.status, joined.body.data?.tableCommitmentId]).toEqual([200, table]);
    });

    test('the catalogue: unknown prices are not taken from the body', async () => {
      const company = carts().newCompany();
      const id = newSession();
      await carts().catalogue.pause();
      try {
        const reply = await setItem(company, id, item('off_1', 1, { price: 1 }));
        expect([reply.status, reply.body.error.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
        expect((await company.api().get(`/cart/sessions/${id}`)).status).toBe(404);
      } finally {
        carts().catalogue.resume();
        await carts().bus.nats.flush();
      }
      expect((await setItem(company, id, item('off_1', 1, { price: 1 }))).status).toBe(200);
    });
  });
}
