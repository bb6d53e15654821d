import type { CouponState } from '@event-commerce/contracts';
import { adjustmentBody, liveTenant, newCode } from '@event-commerce/test-kit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Company, type PricingReplicas, startPricingReplicas } from './harness.ts';

const path = '/pricing/adjustments';
let pricing: PricingReplicas;
beforeAll(async () => {
  pricing = await startPricingReplicas({ replicas: 1, env: { QUOTAS: 'adjustments=3:1,liveAdjustments=2:1' } });
});
afterAll(async () => pricing?.stop());

const couponOf = ({ companyId }: Company, changes: Partial<CouponState> = {}): CouponState => ({
  id: `cpn_${companyId}`,
  companyId,
  version: 1,
  code: newCode(),
  percentOff: 20,
  enabled: true,
  offeringIds: [],
  contextIds: [],
  ...changes,
});
const adjustmentsOf = async ({ api }: Company) => (await api().get(path)).body.data;

test('a coupon that was refused for a quota, and undone, leaves nothing', async () => {
  const company = pricing.newCompany();
  for (let n = 0; n < 3; n++) await company.api().post(path, adjustmentBody(newCode(), { status: 'draft' }));
  const coupon = couponOf(company);
  await expect(pricing.followCoupon(company.companyId, coupon)).rejects.toMatchObject({ code: 'QUOTA_EXCEEDED' });
  const undone = { ...coupon, version: 2, enabled: false };
  expect(await pricing.followCoupon(company.companyId, undone)).toEqual({ codeConflict: false });
  expect(await adjustmentsOf(company)).toHaveLength(3);
});

test('a waiting coupon takes over the code once there is room for it, too', async () => {
  const company = pricing.newCompany();
  const [code, otherCode] = [newCode(), newCode()];
  const { id } = (await company.api().post(path, adjustmentBody(code))).body.data;
  expect(await pricing.followCoupon(company.companyId, couponOf(company, { code }))).toMatchObject({
    codeConflict: true,
  });
  expect((await company.api().post(path, adjustmentBody(otherCode))).status).toBe(201);
  expect((await company.api().patch(`${path}/${id}`, { conditions: { code: newCode() } })).status).toBe(200);
  const statuses = async () => (await adjustmentsOf(company)).map(({ status }: { status: string }) => status);
  expect(await statuses()).toEqual(['active', 'paused', 'active']);
  expect((await company.api().delete(`${path}/${id}`)).status).toBe(200);
  await expect.poll(statuses).toEqual(['active', 'active', 'archived']);
});

test('a company over its bytes can pause and archive every adjustment', async () => {
  const company = pricing.newCompany();
  const promotion = { type: 'promotion', conditions: {} };
  const bodies = [
    adjustmentBody(newCode()),
    adjustmentBody('', promotion),
    adjustmentBody(newCode(), { status: 'draft' }),
  ];
  const ids = [];
  for (const body of bodies) ids.push((await company.api().post(path, body)).body.data.id);
  const quotas = pricing.models.adjustments.db.collection('quotas');
  const over = { $set: { 'used.adjustments.bytes': 2 ** 21 } };
  expect((await quotas.updateOne({ _id: liveTenant(company.companyId) }, over)).matchedCount).toBe(1);
  const replies = [];
  for (const id of ids) {
    replies.push(await company.api().patch(`${path}/${id}`, { status: 'paused' }));
    replies.push(await company.api().delete(`${path}/${id}`));
  }
  expect(replies.map(({ status, body }) => [status, body.error?.code])).toEqual(replies.map(() => [200, undefined]));
  const longer = await company.api().patch(`${path}/${ids[0]}`, { name: 'A longer name than it had before'.repeat(3) });
  expect([longer.status, longer.body.error.details[0]]).toMatchObject([409, { quota: 'adjustments', unit: 'bytes' }]);
});
