import { adjustmentBody, newCode, orderBody, proofSize } from '@event-commerce/test-kit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Company, type Services, startServices } from '../../../tests/harness/services.ts';
import { create, ledger, send, settled, statuses } from './copies-of-orders.ts';
import { statusOf, totalWith } from './coupon-state.ts';
import { PATIENT } from './shop.ts';

// Within one process, requests for one code take turns, so these replicas have processes of their own.

let services: Services;
beforeAll(async () => {
  services = await startServices({
    replicas: { pricing: 2, commerce: 2, events: 1 },
    asProcesses: ['commerce'],
  });
});
afterAll(async () => services?.stop());

/** Uses the replicas alternately. */
const by = (company: Company, n: number) => company.commerce.replica(n % 2);

test('a coupon that two processes change 20 times at once counts every change, and prices follow the last', async () => {
  const company = services.newCompany();
  const code = newCode();
  const { id } = (await by(company, 0).post('/coupons', { code, percentOff: 20 })).body.data;
  const replies = await Promise.all(
    Array.from({ length: 20 }, async (_, n) => by(company, n).patch(`/coupons/${id}`, { percentOff: n + 1 })),
  );
  expect(replies.filter(({ status }) => status !== 200)).toEqual([]);
  const { version, percentOff } = (await by(company, 0).get(`/coupons/${id}`)).body.data;
  expect(version).toBe(21);
  expect(await totalWith(services, company, code)).toBe(10_000 - percentOff * 100);
  expect((await company.pricing.get('/pricing/adjustments')).body.data).toHaveLength(1);
});

describe('a code that two processes are asked for at the same time', () => {
  test('is held by one of 20 coupons, and the others are 409, round after round', async () => {
    for (let round = 0; round < proofSize(3, 10); round++) {
      const company = services.newCompany();
      const code = newCode();
      const replies = await Promise.all(
        Array.from({ length: 20 }, (_, n) => by(company, n).post('/coupons', { code, percentOff: 20 })),
      );
      expect(statuses(replies)).toEqual([201, ...Array.from({ length: 19 }, () => 409)]);
      expect(new Set(replies.map(({ body }) => body.error?.code))).toEqual(new Set([undefined, 'COUPON_CODE_TAKEN']));
      expect(await totalWith(services, company, code)).toBe(8_000);
    }
  });

  test('has one holder when a coupon and an adjustment race for it, and the other is 409, round after round', async () => {
    for (let round = 0; round < proofSize(6, 20); round++) {
      const company = services.newCompany();
      const code = newCode();
      const replies = await Promise.all([
        by(company, round).post('/coupons', { code, percentOff: 20 }),
        company.pricing.post('/pricing/adjustments', adjustmentBody(code)),
      ]);
      expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409]);
      expect(await totalWith(services, company, code)).toBe(8_000);
    }
  });

  test('goes to one of ten coupons that are changed to it, and the others keep theirs', async () => {
    for (let round = 0; round < proofSize(2, 5); round++) {
      const company = services.newCompany();
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
        expect(await totalWith(services, company, kept)).toBe(8_000);
      }
    }
  });

  test('with one place left gives it to one order, whichever processes its ten copies reach', async () => {
    for (let round = 0; round < proofSize(4, 15); round++) {
      const company = services.newCompany();
      const code = newCode();
      const id = await create(company, code, { maxRedemptions: 1 });
      const copy = orderBody(company.companyId, { coupons: [code] });
      const replies = await Promise.all(Array.from({ length: 10 }, async (_, n) => send(company, copy, n)));
      expect(statuses(replies)).toEqual([...Array.from({ length: 9 }, () => 200), 201]);
      await expect.poll(async () => ledger(services, id), PATIENT).toEqual([replies[0]?.body.data.order.id]);
      expect(await settled(services, id)).toEqual({ confirmed: 1, claimed: 1 });
    }
  });
});

test('a coupon is in effect as returned for the next order and evaluation on any replica, round after round', async () => {
  const outcomesOf = async (count: number) => {
    const outcomes: string[] = [];
    for (let round = 0; round < count; round++) {
      const company = services.newCompany();
      const code = newCode();
      let requests = round;
      const commerce = () => by(company, requests++);
      const order = async () => commerce().post('/orders', orderBody(company.companyId, { coupons: [code] }));
      const { body } = await commerce().post('/coupons', { code, percentOff: 20, limit: 1 });
      const url = `/coupons/${body.data.id}`;
      const [created, full] = [await order(), await order()];
      await commerce().patch(url, { limit: 2, percentOff: 50 });
      const changed = await totalWith(services, company, code);
      const raised = await order();
      await commerce().delete(url);
      const archived = await order();
      outcomes.push([created.status, full.status, changed, raised.status, archived.status].join());
    }
    return outcomes;
  };
  const outcomes = (await Promise.all(Array.from({ length: 5 }, async () => outcomesOf(proofSize(2, 6))))).flat();
  expect(outcomes).toEqual(outcomes.map(() => '201,409,5000,201,400'));
}, 240_000);
