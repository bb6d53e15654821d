// Runs in `sessions.int.test.ts`, on its servers.

import { describe, expect, test } from 'vitest';
import type { Carts } from './cart-fixture.ts';
import { item, newSession, setItem } from './session-requests.ts';

export function describeOutages(carts: () => Carts): void {
  describe('while another service is down', () => {
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
