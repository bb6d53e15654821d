import { type ApiClient, newCode, orderBody, rounds } from '@event-commerce/test-kit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { create, ledger, PATIENT, send, settled, statuses } from './copies-of-orders.ts';
import { statusOf, totalWith } from './coupon-state.ts';
import { type CommerceAndPricing, type Company, startCommerceAndPricing } from './harness.ts';

// Within one process, requests for one code take turns, so these replicas have processes of their own.

let platform: CommerceAndPricing;
beforeAll(async () => {
  platform = await startCommerceAndPricing({ replicas: 2, killable: true });
});
afterAll(async () => platform?.stop());

/** Alternately by each replica. */
const by = (company: Company, n: number) => company.replicas[n % 2] as ApiClient;

test('a coupon that two processes change 40 times at once counts every change, and has the price of the last', async () => {
  const company = platform.newCompany();
  const code = newCode();
  const { id } = (await by(company, 0).post('/coupons', { code, percentOff: 20 })).body.data;
  const replies = await Promise.all(
    Array.from({ length: 40 }, async (_, n) => by(company, n).patch(`/coupons/${id}`, { percentOff: (n + 1) / 2 })),
  );
  expect(replies.filter(({ status }) => status !== 200)).toEqual([]);
  const { version, percentOff } = (await by(company, 0).get(`/coupons/${id}`)).body.data;
  expect(version).toBe(41);
  expect(await totalWith(platform, company, code)).toBe(10_000 - percentOff * 100);
});

describe('a code that two processes are asked for at once', () => {
  test('is held by one of 20 coupons, and the others are 409, round after round', async () => {
    for (let round = 0; round < rounds(20); round++) {
      const company = platform.newCompany();
      const code = newCode();
      const replies = await Promise.all(
        Array.from({ length: 20 }, (_, n) => by(company, n).post('/coupons', { code, percentOff: 20 })),
      );
      expect(statuses(replies)).toEqual([201, ...Array.from({ length: 19 }, () => 409)]);
      expect(new Set(replies.map(({ body }) => body.error?.code))).toEqual(new Set([undefined, 'COUPON_CODE_TAKEN']));
      expect(await totalWith(platform, company, code)).toBe(8_000);
    }
  });

  test('goes to one of ten coupons that are changed to it, and the others keep theirs', async () => {
    for (let round = 0; round < rounds(10); round++) {
      const company = platform.newCompany();
      const wanted = newCode();
      const made = await Promise.all(
        Array.from({ length: 10 }, async (_, n) => {
          const { body } = await by(company, n).post('/coupons', { code: newCode(), percentOff: 20 });
          return body.data as { id: string; code: string };
        }),
      );
      const replies = await Promise.all(
        made.map(async ({ id }, n) => by(company, n).patch(`/coupons/${id}`, { code: wanted })),
      );
      expect(statuses(replies)).toEqual([200, ...Array.from({ length: 9 }, () => 409)]);
      for (const [n, { id, code }] of made.entries()) {
        const kept = replies[n]?.status === 200 ? wanted : code;
        expect((await by(company, n).get(`/coupons/${id}`)).body.data.code).toBe(kept);
        expect(await statusOf(company, id)).toBe('active');
        expect(await totalWith(platform, company, kept)).toBe(8_000);
      }
    }
  });

  test('with one place left gives it to one order, whichever process the ten copies of it reach', async () => {
    for (let round = 0; round < rounds(30); round++) {
      const company = platform.newCompany();
      const code = newCode();
      const id = await create(company, code, { maxRedemptions: 1 });
      const copy = orderBody(company.companyId, { coupons: [code] });
      const replies = await Promise.all(Array.from({ length: 10 }, async (_, n) => send(company, copy, n)));
      expect(statuses(replies)).toEqual([...Array.from({ length: 9 }, () => 200), 201]);
      await expect.poll(async () => ledger(platform, id), PATIENT).toEqual([replies[0]?.body.data.order.id]);
      expect(await settled(platform, id)).toEqual({ confirmed: 1, claimed: 1 });
    }
  }, 120_000);
});
