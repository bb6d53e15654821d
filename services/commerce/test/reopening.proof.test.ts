import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Services, startServices } from '../../../tests/harness/services.ts';
import { newShop, PATIENT } from './shop.ts';

let services: Services;
beforeAll(async () => {
  services = await startServices({
    replicas: { pricing: 1, commerce: 2, events: 1 },
    asProcesses: ['pricing', 'events'],
  });
});
afterAll(async () => services?.stop());

test('a reopening that many ask for at once, or against a cancellation, happens once at a time', async () => {
  const { body, adjust, claimed, commerce, sold, ticket } = await newShop(services);
  const { code, id: adjustmentId } = await adjust({ conditions: { maxRedemptions: 1 } });
  const sent = body({ items: [{ offeringId: ticket, quantity: 1 }], coupons: [code] });
  const id = (await commerce.post('/orders', sent)).body.data.order.id;
  const send = async (what: string, n: number) => (await commerce.replica(n % 2).post(`/orders/${id}/${what}`)).body;
  const each = async <T>(task: (n: number) => Promise<T>) =>
    await Promise.all(Array.from({ length: 8 }, (_, n) => task(n)));
  for (let round = 0; round < 5; round++) {
    expect((await send('cancel', 0)).error).toBeUndefined();
    const reopened = await each((n) => send('reopen', n));
    expect(reopened.flatMap(({ error }) => error ?? [])).toEqual([]);
    expect(new Set(reopened.map(({ data }) => data.version)).size).toBe(1);
    await each(async (n) => {
      for (const what of ['cancel', 'reopen', 'cancel', 'reopen']) {
        const { error } = await send(what, n);
        // Of requests that undo each other, one may lose to the others for as long as it has.
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
