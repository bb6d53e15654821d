import { noQuotas } from '@event-commerce/service-kit';
import { tenantOfKey } from '@event-commerce/contracts';
import { outboxEntry } from '@event-commerce/outbox';
import { adjustmentBody, liveTenant, newCode } from '@event-commerce/test-kit';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Company, type Services, sharedServices } from '../../../tests/harness/services.ts';
import { couponRepository } from '../src/coupons/coupon.repository.ts';
import { statusOf, totalWith } from './coupon-state.ts';

let services: Services;
beforeAll(async () => {
  services = await sharedServices();
});

/** Writes a coupon as if pricing had not been asked, and its event not handled yet. */
const store = async ({ companyId }: Company, _id: string, code: string, offeringIds: string[] = []) => {
  const now = new Date();
  await services.models.commerce.coupons.create({
    _id,
    companyId: liveTenant(companyId),
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
};

describe("a coupon's code", () => {
  test('that an adjustment holds is 409, and nothing is written', async () => {
    const company = services.newCompany();
    const code = newCode();
    await company.pricing.post('/pricing/adjustments', adjustmentBody(code));
    const { status, body } = await company.commerce.post('/coupons', { code: code.toLowerCase(), percentOff: 20 });
    expect([status, body.error.code]).toEqual([409, 'COUPON_CODE_TAKEN']);
    expect((await company.commerce.get('/coupons')).body.data).toEqual([]);
  });

  test.each([
    ['full-width', 'ｓｕｍｍｅｒ', 'SUMMER'],
    ['decomposed', 'cafe\u0301', 'CAFÉ'],
  ])('in %s characters is the same code in pricing', async (_, typed, code) => {
    const company = services.newCompany();
    expect((await company.commerce.post('/coupons', { code: typed, percentOff: 10 })).status).toBe(201);
    const taken = await company.pricing.post('/pricing/adjustments', adjustmentBody(code));
    expect([taken.status, taken.body.error?.code]).toEqual([409, 'COUPON_CODE_TAKEN']);
    const { body } = await company.pricing.get(`/pricing/adjustments?code=${encodeURIComponent(typed)}`);
    expect(body.data).toMatchObject([{ conditions: { code } }]);
    expect(await totalWith(services, company, code)).toBe(9_000);
  });

  test('is held by one of four coupons that race for it', async () => {
    const company = services.newCompany();
    const code = newCode();
    const replies = await Promise.all(
      Array.from({ length: 4 }, () => company.commerce.post('/coupons', { code, percentOff: 20 })),
    );
    expect(replies.map((reply) => reply.status).toSorted((a, b) => a - b)).toEqual([201, 409, 409, 409]);
  });

  test('that a change would take from an adjustment is 409, and the coupon stays as it was', async () => {
    const company = services.newCompany();
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
    expect(await totalWith(services, company, kept)).toBe(5_000);
  });

  test('is not put in conflict by an event that arrives late', async () => {
    const company = services.newCompany();
    const { body } = await company.commerce.post('/coupons', { code: newCode(), percentOff: 20 });
    const { id } = body.data;
    const coupons = couponRepository(
      services.models.commerce,
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
    const company = services.newCompany();
    const code = newCode();
    const adjustment = await company.pricing.post(
      '/pricing/adjustments',
      adjustmentBody(code, { effect: { kind: 'percentage_off', percent: 50 } }),
    );
    // The coupon as if the adjustment had been created right after the check: written, its event not handled yet.
    const id = `cpn_${code.toLowerCase()}`;
    await store(company, id, code);
    await expect.poll(() => statusOf(company, id)).toBe('conflict');
    expect(await totalWith(services, company, code)).toBe(5_000);
    await company.pricing.delete(`/pricing/adjustments/${adjustment.body.data.id}`);
    await expect.poll(() => statusOf(company, id)).toBe('active');
    expect(await totalWith(services, company, code)).toBe(8_000);
  });

  test('with more targets than fit into an event takes effect even if pricing learns of it only from the event', async () => {
    const company = services.newCompany();
    const code = newCode();
    const offeringIds = Array.from({ length: 500 }, (_, n) => `${n}-${'o'.repeat(200)}`);
    const heard: string[] = [];
    const subscription = services.bus.nats.subscribe('domain.commerce.coupon.created', {
      callback: (_error, message) => {
        heard.push(message.string());
      },
    });
    await services.bus.nats.flush();
    await store(company, `cpn_${code.toLowerCase()}`, code, offeringIds);
    const adjustments = async () => (await company.pricing.get(`/pricing/adjustments?code=${code}`)).body.data;
    await expect.poll(async () => (await adjustments()).length, { timeout: 10_000 }).toBe(1);
    expect((await adjustments())[0].targets).toHaveLength(500);
    subscription.unsubscribe();
    const event = heard.find((text) => text.includes(code)) ?? '';
    expect(event).toContain(`cpn_${code.toLowerCase()}`);
    expect(event.length).toBeLessThan(4_096);
  });
});
