import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Services, startServices } from '../../../tests/harness/services.ts';
import { checkOut } from './checkouts.ts';
import { changeOffer, offer } from './offers.ts';
import { item, newSessionId, setItem } from './sessions.ts';

let services: Services;
beforeAll(async () => {
  services = await startServices({ replicas: { cart: 2, pricing: 1, events: 1 }, asProcesses: ['pricing', 'events'] });
});
afterAll(async () => services?.stop());

describe('while another service is down', () => {
  test('pricing: a change is 503 and changes nothing, a read returns the prices of the last change', async () => {
    const company = services.newCompany();
    const id = newSessionId();
    const before = await setItem(company, id, item('a', 1, { price: 100 }));
    await services.replicas.pricing[0]?.kill9();
    try {
      const began = performance.now();
      const changed = await setItem(company, id, item('a', 2));
      expect([changed.status, changed.body.error.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
      expect(changed.headers.get('retry-after')).toBe('1');
      expect(performance.now() - began).toBeLessThan(3_000);
      expect((await setItem(company, 'unmade', item('a', 2, { price: 1 }))).status).toBe(503);
      expect((await company.cart.get('/cart/sessions/unmade')).status).toBe(404);
      const read = await company.cart.get(`/cart/sessions/${id}`);
      expect(read.body.data).toEqual({ ...before.body.data, priceStatus: 'stored' });
    } finally {
      await services.replicas.pricing[0]?.restart();
    }
    await expect.poll(async () => (await setItem(company, id, item('a', 2))).body.data?.total).toBe(200);
  });

  test('the catalogue: unknown prices are not taken from the body', async () => {
    const company = services.newCompany();
    const id = newSessionId();
    await services.replicas.events[0]?.kill9();
    try {
      const reply = await setItem(company, id, item('off_1', 1, { price: 1 }));
      expect([reply.status, reply.body.error.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
      expect((await company.cart.get(`/cart/sessions/${id}`)).status).toBe(404);
    } finally {
      await services.replicas.events[0]?.restart();
    }
    expect((await setItem(company, id, item('off_1', 1, { price: 1 }))).status).toBe(200);
  });

  test('the catalogue: a checkout is 503, and reserves nothing', async () => {
    const company = services.newCompany();
    await offer(company, { id: 'off_1' });
    const sessionId = newSessionId();
    await setItem(company, sessionId, item('off_1', 1));
    await changeOffer(company, 'off_1', { name: 'Changed' });
    await services.replicas.events[0]?.kill9();
    try {
      await expect(checkOut(services, company, { sessionId })).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    } finally {
      await services.replicas.events[0]?.restart();
    }
    expect((await checkOut(services, company, { sessionId })).items[0]?.offering).toMatchObject({
      name: 'Changed',
      version: 2,
    });
  });
});
