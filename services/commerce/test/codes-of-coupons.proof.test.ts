import { noQuotas } from '@event-commerce/service-kit';
import { tenantOfKey } from '@event-commerce/contracts';
import { outboxEntry } from '@event-commerce/outbox';
import { adjustmentBody, liveTenant, newCode, orderBody } from '@event-commerce/test-kit';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Company, type Services, sharedServices } from '../../../tests/harness/services.ts';
import { couponRepository } from '../src/coupons/coupon.repository.ts';
import { statusOf, totalWith } from './coupon-state.ts';

let services: Services;
beforeAll(async () => {
  services = await sharedServices();
});

/** Writes a coupon as if pricing had not been asked and its event was not handled yet. */
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

const soon = () => new Date(Date.now() + 500).toISOString();

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

  test.each([
    ['a zero-width space', (code: string) => `${code}\u200b`],
    ['an en dash', (code: string) => code.replace('-', '\u2013')],
    ['a Cyrillic letter', (code: string) => code.replace('I', '\u0406')],
  ])('with %s is the same code for evaluations, orders, filters and other coupons', async (_, spell) => {
    const company = services.newCompany();
    const code = `GI-${newCode()}`;
    const typed = spell(code);
    const { body } = await company.commerce.post('/coupons', { code, percentOff: 20 });
    expect(await totalWith(services, company, typed)).toBe(8_000);
    const twins = await Promise.all([
      company.commerce.post('/coupons', { code: typed, percentOff: 50 }),
      company.pricing.post('/pricing/adjustments', adjustmentBody(typed)),
    ]);
    const { id } = body.data;
    for (const twin of twins) expect([twin.status, twin.body.error?.details[0].couponId]).toEqual([409, id]);

    const order = orderBody(company.companyId, { coupons: [typed, code] });
    const placed = await company.commerce.post('/orders', order);
    expect([placed.status, placed.body.data.order.coupons.length, placed.body.data.order.costs.total]).toEqual([
      201, 1, 8_000,
    ]);
    const query = `code=${encodeURIComponent(typed)}`;
    const found = await Promise.all([
      company.commerce.get(`/coupons?${query}`),
      company.commerce.get(`/orders?${query}`),
      company.pricing.get(`/pricing/adjustments?${query}`),
    ]);
    expect(found.map((reply) => reply.body.data.length)).toEqual([1, 1, 1]);
  });

  test('is free once the coupon has ended, and moving its end is 409 while another has the code', async () => {
    const company = services.newCompany();
    const code = newCode();
    const ended = await company.commerce.post('/coupons', { code, percentOff: 50, expiresAt: soon() });
    const url = `/coupons/${ended.body.data.id}`;
    await expect.poll(async () => (await company.commerce.get(url)).body.data.status).toBe('expired');
    const takers = await Promise.all(
      Array.from({ length: 6 }, () => company.commerce.post('/coupons', { code, percentOff: 20 })),
    );
    expect(takers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409, 409, 409, 409, 409]);
    expect(await totalWith(services, company, code)).toBe(8_000);

    const moved = await company.commerce.patch(url, { expiresAt: '2099-01-01T00:00:00Z' });
    const id = takers.find(({ status }) => status === 201)?.body.data.id;
    expect([moved.status, moved.body.error?.code]).toEqual([409, 'COUPON_CODE_TAKEN']);
    expect(moved.body.error.details).toMatchObject([
      { couponId: id, message: expect.stringContaining('archive that') },
    ]);
    expect((await company.commerce.patch(url, { description: 'Last year' })).status).toBe(200);
    await company.commerce.delete(`/coupons/${id}`);
    expect((await company.commerce.patch(url, { expiresAt: '2099-01-01T00:00:00Z' })).status).toBe(200);
    expect(await totalWith(services, company, code)).toBe(5_000);
  });

  test('of an ended adjustment can be used by a coupon, and that of an ended coupon by an adjustment', async () => {
    const company = services.newCompany();
    const codes = [newCode(), newCode()] as const;
    const adjustment = adjustmentBody(codes[0], { conditions: { code: codes[0], endsAt: soon() } });
    const path = `/pricing/adjustments/${(await company.pricing.post('/pricing/adjustments', adjustment)).body.data.id}`;
    const coupon = await company.commerce.post('/coupons', { code: codes[1], percentOff: 50, expiresAt: soon() });
    const couponPath = `/coupons/${coupon.body.data.id}`;
    await expect.poll(async () => (await company.commerce.get(couponPath)).body.data.status).toBe('expired');
    const replies = [
      await company.commerce.post('/coupons', { code: codes[0], percentOff: 20 }),
      await company.pricing.post('/pricing/adjustments', adjustmentBody(codes[1])),
    ];
    expect(replies.map(({ status }) => status)).toEqual([201, 201]);
    for (const code of codes) expect(await totalWith(services, company, code)).toBe(8_000);
    const moved = await company.pricing.patch(path, { conditions: { endsAt: '2099-01-01T00:00:00Z' } });
    expect([moved.status, moved.body.error?.details[0].couponId]).toEqual([409, replies[0]?.body.data.id]);
    expect((await company.commerce.patch(couponPath, { expiresAt: null })).status).toBe(409);
  });

  test('stays with a coupon that is used up, and the refusal names it and says what to do', async () => {
    const company = services.newCompany();
    const code = newCode();
    const { body } = await company.commerce.post('/coupons', { code, percentOff: 20, limit: 1, description: 'First' });
    await company.commerce.post('/orders', orderBody(company.companyId, { coupons: [code] }));
    const again = await company.commerce.post('/coupons', { code, percentOff: 20 });
    expect([again.status, again.body.error.details]).toMatchObject([
      409,
      [
        {
          path: 'code',
          couponId: body.data.id,
          message: `is held by coupon ${body.data.id} ("First"), which is used up but not archived; archive that coupon first, or choose another code`,
        },
      ],
    ]);
    await company.commerce.delete(`/coupons/${body.data.id}`);
    expect((await company.commerce.post('/coupons', { code, percentOff: 20 })).status).toBe(201);
  });

  test('is held by exactly one of four coupons that race for it', async () => {
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
    // As if the adjustment had been created right after the check: the coupon is written, its event not handled yet.
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
