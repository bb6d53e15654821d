import { noQuotas } from '@event-commerce/service-kit';
import { call } from '@event-commerce/bus';
import { type Evaluation, RPC, tenantOfKey } from '@event-commerce/contracts';
import { outboxEntry } from '@event-commerce/outbox';
import {
  adjustmentBody,
  type ApiClient,
  evaluationBody,
  liveTenant,
  newCode,
  orderBody,
  rounds,
} from '@event-commerce/test-kit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { couponRepository } from '../src/store/coupon.repository.ts';
import { type CommerceAndPricing, type Company, startCommerceAndPricing } from './harness.ts';

let platform: CommerceAndPricing;
beforeAll(async () => {
  platform = await startCommerceAndPricing({ replicas: 2 });
});
afterAll(async () => platform.stop());

const totalWith = async ({ companyId }: Company, code: string) => {
  const body = evaluationBody({ codes: [code] });
  return (await call<Evaluation>(platform.bus, RPC.evaluate, body, platform.context(companyId))).summary.total;
};
const statusOf = async ({ commerce }: Company, id: string) => (await commerce.get(`/coupons/${id}`)).body.data.status;

describe('a coupon', () => {
  test('is returned with the given fields and those that the platform adds', async () => {
    const company = platform.newCompany();
    const code = `  ${newCode().toLowerCase()} `;
    const given = { description: 'Early', type: 'percent', percentOff: 12.5, limit: 10, contextIds: ['evt_1'] };
    const { status, body } = await company.commerce.post('/coupons', {
      ...given,
      code,
      id: 'cpn_mine',
      quantitySold: 7,
    });
    expect(status).toBe(201);
    expect(body.data).toMatchObject({
      ...given,
      companyId: company.companyId,
      code: code.trim(),
      offeringIds: [],
      quantitySold: 0,
      status: 'active',
    });
    expect(body.data.id).toMatch(/^cpn_[0-9a-z]{26}$/);
    expect((await company.commerce.get(`/coupons/${body.data.id}`)).body.data).toEqual(body.data);
  });

  test('can be changed and archived even if its code is longer than today’s limit', async () => {
    const { commerce } = platform.newCompany();
    const code = 'S'.repeat(80);
    const { body } = await commerce.post('/coupons', { code: newCode(), percentOff: 10 });
    await platform.models.coupons.collection.updateOne(
      { _id: body.data.id },
      {
        $set: { 'definition.code': code, heldCode: code, matchedCode: code },
      },
    );
    const changed = await commerce.patch(`/coupons/${body.data.id}`, { percentOff: 20 });
    expect([changed.status, changed.body.data?.percentOff]).toEqual([200, 20]);
    expect((await commerce.delete(`/coupons/${body.data.id}`)).status).toBe(200);
  });

  test('may be blank', async () => {
    const { status, body } = await platform.newCompany().commerce.post('/coupons', {});
    expect([status, body.data.status]).toEqual([201, 'active']);
  });

  test('accepts the aliases of its fields', async () => {
    const sample = {
      code: newCode(),
      discountType: 'percentage',
      discountValue: 20,
      maxUses: 100,
      expiresAt: '2099-01-01T00:00:00Z',
    };
    const { body } = await platform.newCompany().commerce.post('/coupons', sample);
    expect(body.data).toMatchObject({
      type: 'percentage',
      percentOff: 20,
      limit: 100,
      expiresAt: '2099-01-01T00:00:00.000Z',
    });
  });

  test('takes discountValue alone as the value of its present discount', async () => {
    const { commerce } = platform.newCompany();
    const percent = (await commerce.post('/coupons', { percentOff: 10, type: 'mine' })).body.data;
    const amount = (await commerce.post('/coupons', { amountOff: 500 })).body.data;
    const change = async (id: string, body: unknown) => (await commerce.patch(`/coupons/${id}`, body)).body.data;
    expect(await change(percent.id, { discountValue: 15 })).toMatchObject({ percentOff: 15, type: 'mine' });
    expect(await change(amount.id, { discountValue: 700 })).toMatchObject({ amountOff: 700 });
    expect(await change(amount.id, { discountValue: 30, percentOff: 30 })).toMatchObject({ percentOff: 30 });
    expect(await change(amount.id, { discountValue: 25 })).not.toHaveProperty('amountOff');
    for (const [id, body] of [
      [percent.id, { discountValue: 101 }],
      [percent.id, { discountValue: 20, percentOff: 30 }],
      [percent.id, { discountValue: 20, percentOff: null }],
      [(await commerce.post('/coupons', {})).body.data.id, { discountValue: 15 }],
    ]) {
      const refused = await commerce.patch(`/coupons/${id}`, body);
      expect([refused.status, refused.body.error.details?.[0].path]).toEqual([400, 'discountValue']);
    }
  });

  test('takes an amountOff of 0 as no discount', async () => {
    const { commerce } = platform.newCompany();
    const created = await commerce.post('/coupons', { code: newCode(), percentOff: 10, amountOff: 0 });
    expect([created.status, created.body.data.percentOff]).toEqual([201, 10]);
    expect(created.body.data).not.toHaveProperty('amountOff');
    const other = await commerce.post('/coupons', { amountOff: 500 });
    const cleared = await commerce.patch(`/coupons/${other.body.data.id}`, { amountOff: 0 });
    expect(cleared.status).toBe(200);
    expect(cleared.body.data).not.toHaveProperty('amountOff');
  });

  test('is found by its code while it is inactive, too', async () => {
    const { commerce } = platform.newCompany();
    const code = newCode();
    const found = async () => (await commerce.get(`/coupons?code=${code.toLowerCase()}`)).body.data;
    const { body } = await commerce.post('/coupons', { code, percentOff: 10, status: 'inactive' });
    expect(await found()).toEqual([body.data]);
    const taking = await commerce.post('/coupons', { code, percentOff: 20 });
    expect(await found()).toEqual([taking.body.data, body.data]);
    await commerce.patch(`/coupons/${body.data.id}`, { code: null });
    expect(await found()).toEqual([taking.body.data]);
  });

  test.each<[string, unknown, string]>([
    ['both discounts', { percentOff: 10, amountOff: 100 }, 'percentOff'],
    ['an alias that contradicts its field', { limit: 5, maxUses: 6 }, 'maxUses'],
    [
      'a discount value that contradicts',
      { percentOff: 10, discountType: 'percentage', discountValue: 20 },
      'discountValue',
    ],
    ['an unknown discount type', { discountType: 'bogus', discountValue: 20 }, 'discountType'],
    ['more than 100 percent', { percentOff: 101 }, 'percentOff'],
    ['no discount at all as a percentage', { percentOff: 0 }, 'percentOff'],
    ['half a cent', { amountOff: 0.5 }, 'amountOff'],
    ['half a use', { limit: 1.5 }, 'limit'],
    ['a negative limit', { limit: -1 }, 'limit'],
    ['a blank code', { code: '  ' }, 'code'],
    ['a code as a number', { code: 5 }, 'code'],
    ['ids that are not a list', { contextIds: 'evt_1' }, 'contextIds'],
    ['a body that is a list', [], 'body'],
  ])('with %s is refused, naming the field', async (_what, body, path) => {
    const reply = await platform.newCompany().commerce.post('/coupons', body);
    expect([reply.status, reply.body.error.code]).toEqual([400, 'VALIDATION_FAILED']);
    expect(reply.body.error.details.map((detail: { path: string }) => detail.path)).toContain(path);
  });

  test('without a body is refused', async () => {
    expect((await platform.newCompany().commerce.post('/coupons')).status).toBe(400);
  });

  test('of another company is not found', async () => {
    const { body } = await platform.newCompany().commerce.post('/coupons', {});
    const stranger = platform.newCompany().commerce;
    const url = `/coupons/${body.data.id}`;
    const replies = await Promise.all([stranger.get(url), stranger.patch(url, {}), stranger.delete(url)]);
    expect(replies.map((reply) => [reply.status, reply.body.error.code])).toEqual(
      replies.map(() => [404, 'COUPON_NOT_FOUND']),
    );
  });
});

describe('a coupon in prices', () => {
  test('is in effect for the next request, and so is every change', async () => {
    const company = platform.newCompany();
    const code = newCode();
    const { body } = await company.commerce.post('/coupons', { code, percentOff: 20 });
    const url = `/coupons/${body.data.id}`;
    expect(await totalWith(company, code)).toBe(8_000);

    await company.commerce.patch(url, { amountOff: 1_000 });
    expect(await totalWith(company, code)).toBe(8_000);
    expect((await company.commerce.get(url)).body.data).not.toHaveProperty('percentOff');
    await company.commerce.patch(url, { amountOff: 500 });
    expect(await totalWith(company, code)).toBe(9_000);
    await company.commerce.patch(url, { contextIds: ['evt_other'] });
    expect(await totalWith(company, code)).toBe(10_000);
    await company.commerce.patch(url, { contextIds: null, offeringIds: ['off_1'] });
    expect(await totalWith(company, code)).toBe(9_000);
    await company.commerce.patch(url, { status: 'inactive' });
    expect(await totalWith(company, code)).toBe(10_000);
    await company.commerce.patch(url, { status: 'active' });
    expect(await totalWith(company, code)).toBe(9_000);
    await company.commerce.delete(url);
    expect(await totalWith(company, code)).toBe(10_000);
  });

  test('ends in its last state, however fast it is changed', async () => {
    const company = platform.newCompany();
    const code = newCode();
    const { body } = await company.commerce.post('/coupons', { code, percentOff: 50 });
    const changes = Array.from({ length: 20 }, (_, n) =>
      company.commerce.patch(`/coupons/${body.data.id}`, { percentOff: n + 1 }),
    );
    await Promise.all(changes);
    await company.commerce.patch(`/coupons/${body.data.id}`, { percentOff: 30 });
    await expect.poll(() => totalWith(company, code)).toBe(7_000);
    const { body: list } = await company.pricing.get('/pricing/adjustments');
    expect(list.data).toHaveLength(1);
  });

  test('is in effect as returned for the next order and the next evaluation on any replica, round after round', async () => {
    const outcomesOf = async (count: number) => {
      const outcomes: string[] = [];
      for (let round = 0; round < count; round++) {
        // Each with its own identity, because one expires after 30 seconds.
        const company = platform.newCompany();
        const code = newCode();
        let requests = round;
        const commerce = () => company.replicas[requests++ % company.replicas.length] as ApiClient;
        const order = async () => commerce().post('/orders', orderBody(company.companyId, { coupons: [code] }));
        const { body } = await commerce().post('/coupons', { code, percentOff: 20, limit: 1 });
        const url = `/coupons/${body.data.id}`;
        const [created, full] = [await order(), await order()];
        await commerce().patch(url, { limit: 2, percentOff: 50 });
        const changed = await totalWith(company, code);
        const raised = await order();
        await commerce().delete(url);
        const archived = await order();
        outcomes.push([created.status, full.status, changed, raised.status, archived.status].join());
      }
      return outcomes;
    };
    const outcomes = (await Promise.all(Array.from({ length: 5 }, async () => outcomesOf(rounds(20))))).flat();
    expect(outcomes).toEqual(outcomes.map(() => '201,409,5000,201,400'));
  }, 240_000);

  test('is sold out when its limit is reached, and on sale again when an order is cancelled', async () => {
    const company = platform.newCompany();
    const code = newCode();
    const { body } = await company.commerce.post('/coupons', { code, percentOff: 20, limit: 1 });
    await expect.poll(() => totalWith(company, code)).toBe(8_000);
    const order = await company.commerce.post('/orders', orderBody(company.companyId, { coupons: [code] }));
    expect(order.status).toBe(201);
    await expect.poll(() => statusOf(company, body.data.id)).toBe('depleted');
    expect((await company.commerce.get(`/coupons/${body.data.id}`)).body.data.quantitySold).toBe(1);
    await company.commerce.post(`/orders/${order.body.data.order.id}/cancel`);
    await expect.poll(() => statusOf(company, body.data.id)).toBe('active');
    expect((await company.commerce.get(`/coupons/${body.data.id}`)).body.data.quantitySold).toBe(0);
  });

  test('is expired after its end', async () => {
    const company = platform.newCompany();
    const { body } = await company.commerce.post('/coupons', {
      code: newCode(),
      percentOff: 20,
      expiresAt: '2020-01-01T00:00:00Z',
    });
    expect(body.data.status).toBe('expired');
  });
});

describe("a coupon's code", () => {
  test('that an adjustment holds is 409, and nothing is written', async () => {
    const company = platform.newCompany();
    const code = newCode();
    await company.pricing.post('/pricing/adjustments', adjustmentBody(code));
    const { status, body } = await company.commerce.post('/coupons', { code: code.toLowerCase(), percentOff: 20 });
    expect([status, body.error.code]).toEqual([409, 'COUPON_CODE_TAKEN']);
    expect((await company.commerce.get('/coupons')).body.data).toEqual([]);
  });

  test('is held by one of 20 coupons that race for it', async () => {
    const company = platform.newCompany();
    const code = newCode();
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => company.commerce.post('/coupons', { code, percentOff: 20 })),
    );
    expect(replies.map((reply) => reply.status).toSorted((a, b) => a - b)).toEqual([201, ...Array(19).fill(409)]);
  });

  test('has one live holder when a coupon and an adjustment race for it, and the other is 409, round after round', async () => {
    for (let round = 0; round < rounds(50); round++) {
      const company = platform.newCompany();
      const code = newCode();
      const replies = await Promise.all([
        company.commerce.post('/coupons', { code, percentOff: 20 }),
        company.pricing.post('/pricing/adjustments', adjustmentBody(code)),
      ]);
      expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409]);
      expect(await totalWith(company, code)).toBe(8_000);
    }
  }, 60_000);

  test('that a change would take from an adjustment is 409, and the coupon stays as it was', async () => {
    const company = platform.newCompany();
    const [own, taken] = [newCode(), newCode()];
    const { body } = await company.commerce.post('/coupons', { code: own, percentOff: 50 });
    const url = `/coupons/${body.data.id}`;
    const replies = await Promise.all([
      company.commerce.patch(url, { code: taken }),
      company.pricing.post('/pricing/adjustments', adjustmentBody(taken)),
    ]);
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([expect.any(Number), 409]);
    const kept = replies[0]?.status === 409 ? own : taken;
    expect((await company.commerce.get(url)).body.data).toMatchObject({ code: kept, status: 'active' });
    expect(await totalWith(company, kept)).toBe(5_000);
  });

  test('is not put in conflict by an event that arrives late', async () => {
    const company = platform.newCompany();
    const { body } = await company.commerce.post('/coupons', { code: newCode(), percentOff: 20 });
    const { id } = body.data;
    const coupons = couponRepository(
      platform.models,
      { publish: () => undefined, stop: async () => undefined },
      noQuotas,
    );
    const tenant = tenantOfKey(company.companyId);
    const say = async (adjustmentVersion: number, codeConflict: boolean) =>
      coupons.setCodeConflict(tenant, id, { couponVersion: 1, adjustmentVersion, codeConflict });
    await say(12, true);
    expect(await statusOf(company, id)).toBe('conflict');
    await say(13, false);
    await say(12, true);
    expect(await statusOf(company, id)).toBe('active');
  });

  test('that was taken between the check and the event ends in conflict, and is taken over when it is free', async () => {
    const company = platform.newCompany();
    const code = newCode();
    const adjustment = await company.pricing.post(
      '/pricing/adjustments',
      adjustmentBody(code, { effect: { kind: 'percentage_off', percent: 50 } }),
    );
    // The coupon as if the adjustment had been created right after the check: written, its event not handled yet.
    const now = new Date();
    const id = `cpn_${code.toLowerCase()}`;
    await platform.models.coupons.create({
      _id: id,
      companyId: liveTenant(company.companyId),
      definition: { code, percentOff: 20, offeringIds: [], contextIds: [], enabled: true },
      heldCode: code,
      quantitySold: 0,
      usageVersion: -1,
      codeConflict: false,
      archived: false,
      version: 1,
      created: now,
      changed: now,
      outbox: [outboxEntry('coupon.created', now)],
    });
    await expect.poll(() => statusOf(company, id), { timeout: 5_000 }).toBe('conflict');
    expect(await totalWith(company, code)).toBe(5_000);
    await company.pricing.delete(`/pricing/adjustments/${adjustment.body.data.id}`);
    await expect.poll(() => statusOf(company, id)).toBe('active');
    expect(await totalWith(company, code)).toBe(8_000);
  });

  test('with more targets than fit into an event takes effect even if pricing learns of it only from the event', async () => {
    const company = platform.newCompany();
    const code = newCode();
    const now = new Date();
    const offeringIds = Array.from({ length: 500 }, (_, n) => `${n}-${'o'.repeat(200)}`);
    const heard: string[] = [];
    const subscription = platform.bus.nats.subscribe('domain.commerce.coupon.created', {
      callback: (_error, message) => {
        heard.push(message.string());
      },
    });
    await platform.bus.nats.flush();
    await platform.models.coupons.create({
      _id: `cpn_${code.toLowerCase()}`,
      companyId: liveTenant(company.companyId),
      definition: { code, percentOff: 20, offeringIds, contextIds: [], enabled: true },
      heldCode: code,
      quantitySold: 0,
      usageVersion: -1,
      codeConflict: false,
      archived: false,
      version: 1,
      created: now,
      changed: now,
      outbox: [outboxEntry('coupon.created', now)],
    });
    const adjustments = async () => (await company.pricing.get(`/pricing/adjustments?code=${code}`)).body.data;
    await expect.poll(async () => (await adjustments()).length, { timeout: 10_000 }).toBe(1);
    expect((await adjustments())[0].targets).toHaveLength(500);
    subscription.unsubscribe();
    const event = heard.find((text) => text.includes(code)) ?? '';
    expect(event).toContain(`cpn_${code.toLowerCase()}`);
    expect(event.length).toBeLessThan(4_096);
  });
});
