import { newCode, orderBody, type Reply } from '@event-commerce/test-kit';
import { beforeAll, describe, expect, test } from 'vitest';
import { sharedPlatform, type SharedPlatform } from '../harness/platform.ts';
import { createAdjustment, ledger, newCompany } from './redemptions.ts';

let platform: SharedPlatform;
beforeAll(async () => {
  platform = await sharedPlatform();
});

describe('a cap of 10', () => {
  test('admits exactly 10 of 40 concurrent redemptions', async () => {
    const { api } = await newCompany(platform);
    const id = await createAdjustment(api, newCode(), { maxRedemptions: 10 });
    const replies = await Promise.all(
      Array.from({ length: 40 }, (_, n) => api.post(`/v1/pricing/adjustments/${id}/redemptions`, { orderId: `o${n}` })),
    );
    expect(replies.filter((reply) => reply.status === 201)).toHaveLength(10);
    const refused = replies.filter((reply) => reply.status !== 201);
    expect(new Set(refused.map((reply) => `${reply.status} ${reply.body.error.code}`))).toEqual(
      new Set(['409 REDEMPTION_LIMIT_REACHED']),
    );
    expect(await ledger(api, id)).toHaveLength(10);
  });

  test('admits exactly 10 of 30 concurrent orders', async () => {
    const { companyId, api } = await newCompany(platform);
    const code = newCode();
    const id = await createAdjustment(api, code, { maxRedemptions: 10 });
    const replies = await Promise.all(
      Array.from({ length: 30 }, () => api.post('/v1/orders', orderBody(companyId, { coupons: [code] }))),
    );
    const placed = replies.filter((reply) => reply.status === 201);
    expect(placed).toHaveLength(10);
    expect(new Set(replies.filter((reply) => reply.status !== 201).map((reply) => reply.status))).toEqual(
      new Set([409]),
    );
    await expect.poll(async () => ledger(api, id)).toHaveLength(10);
    const orderIds = placed.map((reply) => reply.body.data.order.id);
    expect(new Set((await ledger(api, id)).map((redemption) => redemption.orderId))).toEqual(new Set(orderIds));
  });

  test('admits an order once if it is sent ten times at once, with or without an Idempotency-Key', async () => {
    for (let round = 0; round < 2; round++) {
      const { companyId, api } = await newCompany(platform);
      const code = newCode();
      const id = await createAdjustment(api, code, { maxRedemptions: 1 });
      const body = orderBody(companyId, { coupons: [code] });
      const keys = ['one', 'one', 'one', 'two', 'two', undefined, undefined, undefined, undefined, undefined];
      const send = async (key: string | undefined): Promise<Reply> => {
        const reply = await api.post('/v1/orders', body, key === undefined ? {} : { 'idempotency-key': key });
        // The first request with this key is still in progress.
        return reply.body.error?.code === 'IDEMPOTENCY_KEY_IN_USE' ? await send(key) : reply;
      };
      const replies = await Promise.all(keys.map(send));
      expect(new Set(replies.map((reply) => reply.body.data?.order.id)).size).toBe(1);
      expect(replies.every(({ status }) => status === 200 || status === 201)).toBe(true);
      await expect.poll(async () => ledger(api, id)).toHaveLength(1);
    }
  });

  test('counts an order once if it is redeemed ten times at once', async () => {
    const { api } = await newCompany(platform);
    const id = await createAdjustment(api, newCode(), { maxRedemptions: 10 });
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => api.post(`/v1/pricing/adjustments/${id}/redemptions`, { orderId: 'same' })),
    );
    expect(new Set(replies.map((reply) => reply.body.data?.redemption.id)).size).toBe(1);
    expect(replies.filter((reply) => reply.status === 201).length).toBeLessThanOrEqual(1);
    const again = await api.post(`/v1/pricing/adjustments/${id}/redemptions`, { orderId: 'same' });
    expect(again.body.data.usage).toEqual({ redeemed: 1, remaining: 9 });
  });
});
