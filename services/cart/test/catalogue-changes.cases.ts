// Runs in `sessions.int.test.ts`, on its servers.

import { describe, expect, test } from 'vitest';
import type { Carts } from './cart-fixture.ts';
import { item, newSession, setItem } from './session-requests.ts';

export function describeCatalogueChanges(carts: () => Carts): void {
  describe('a session', () => {
    test('follows a price that changes in the catalogue, on every replica', async () => {
      const company = carts().newCompany();
      await company.offer({ id: 'off_1' });
      const id = newSession();
      await setItem(company, id, item('off_1', 1));
      await company.api(1).get(`/cart/sessions/${id}`);
      const asked = carts().catalogue.requests();
      await company.api(1).get(`/cart/sessions/${id}`);
      expect(carts().catalogue.requests()).toBe(asked);

      await company.offer({ id: 'off_1', price: { amount: 6_000, currency: 'EUR' } });
      for (const replica of [0, 1]) {
        await expect
          .poll(async () => (await company.api(replica).get(`/cart/sessions/${id}`)).body.data.total, { interval: 10 })
          .toBe(6_000);
      }
      await company.offer({ id: 'off_1', price: { amount: 6_000, currency: 'USD' } });
      await expect
        .poll(async () => (await company.api().get(`/cart/sessions/${id}`)).body.data, { interval: 10 })
        .toMatchObject({ total: 6_000, currency: 'USD' });
    });

    test('learns an offering that is created after it was asked for', async () => {
      const company = carts().newCompany();
      const id = newSession();
      expect((await setItem(company, id, item('late', 1))).body.data.items[0].priced).toBe(false);
      await company.offer({ id: 'late' });
      await expect
        .poll(async () => (await company.api().get(`/cart/sessions/${id}`)).body.data.total, { interval: 10 })
        .toBe(5_000);
    });
  });
}
