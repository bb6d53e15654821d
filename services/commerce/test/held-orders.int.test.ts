import { beforeAll, describe, expect, test } from 'vitest';
import { type Services, sharedServices } from '../../../tests/harness/services.ts';
import { send } from './copies-of-orders.ts';
import { held, newScarceShop, sold } from './held-orders.ts';
import { PATIENT } from './shop.ts';

let services: Services;
beforeAll(async () => {
  services = await sharedServices();
});

describe('a pending order', () => {
  test('holds its tickets and redemptions for longer than any claim, and sells them when it is confirmed', async () => {
    const shop = await newScarceShop(services);
    const { id } = await shop.place({ expiresInSeconds: 3_600 });
    await expect.poll(shop.pending, PATIENT).toBe(0);
    expect(await shop.counts()).toEqual(held(1));
    await shop.commerce.post(`/orders/${id}/confirm`);
    await expect.poll(shop.counts, PATIENT).toEqual(sold(1));
  });

  test('releases exactly what it held when it is cancelled, whatever other orders hold', async () => {
    const shop = await newScarceShop(services);
    const first = await shop.place({ status: 'pending' });
    await shop.place({ status: 'pending' });
    await shop.commerce.post(`/orders/${first.id}/cancel`);
    await expect.poll(shop.counts, PATIENT).toEqual(held(1));
    await shop.place({ status: 'pending' });
    await expect.poll(shop.counts, PATIENT).toEqual(held(2));
  });

  test('takes one place, even if ten copies of it are sent at once', async () => {
    const shop = await newScarceShop(services);
    const sent = shop.body({ expiresInSeconds: 600 });
    const replies = await Promise.all(Array.from({ length: 10 }, async (_, n) => send(shop, sent, n)));
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([...Array(9).fill(200), 201]);
    await expect.poll(shop.pending, PATIENT).toBe(0);
    expect(await shop.counts()).toEqual(held(1));
  });
});
