import { adjustmentBody, liveTenant, newCode } from '@event-commerce/test-kit';
import { beforeAll, expect, test } from 'vitest';
import { type Company, type Services, startServices } from '../../../tests/harness/services.ts';
import { followCoupon } from './purchases.ts';

const path = '/pricing/adjustments';
let services: Services;
beforeAll(async () => {
  const env = () => ({ QUOTAS: 'adjustments=3,liveAdjustments=2' });
  services = await startServices({ replicas: { pricing: 1 }, env });
  return services.stop;
});

const couponOf = ({ companyId }: Company, changes: { code?: string } = {}) => ({
  id: `cpn_${companyId}`,
  companyId,
  version: 1,
  code: newCode(),
  percentOff: 20,
  ...changes,
});
const adjustmentsOf = async ({ pricing }: Company) => (await pricing.get(path)).body.data;

test('a coupon that was refused for a quota and undone leaves nothing', async () => {
  const company = services.newCompany();
  for (let n = 0; n < 3; n++) await company.pricing.post(path, adjustmentBody(newCode(), { status: 'draft' }));
  const coupon = couponOf(company);
  await expect(followCoupon(services, company, coupon)).rejects.toMatchObject({ code: 'QUOTA_EXCEEDED' });
  const undone = { ...coupon, version: 2, archived: true };
  expect(await followCoupon(services, company, undone)).toEqual({ codeConflict: false });
  expect(await adjustmentsOf(company)).toHaveLength(3);
});

test('a waiting coupon takes over its code once the quota has room for it', async () => {
  const company = services.newCompany();
  const [code, otherCode] = [newCode(), newCode()];
  const { id } = (await company.pricing.post(path, adjustmentBody(code))).body.data;
  expect(await followCoupon(services, company, couponOf(company, { code }))).toMatchObject({
    codeConflict: true,
  });
  expect((await company.pricing.post(path, adjustmentBody(otherCode))).status).toBe(201);
  expect((await company.pricing.patch(`${path}/${id}`, { conditions: { code: newCode() } })).status).toBe(200);
  const statuses = async () => (await adjustmentsOf(company)).map(({ status }: { status: string }) => status);
  expect(await statuses()).toEqual(['active', 'paused', 'active']);
  expect((await company.pricing.delete(`${path}/${id}`)).status).toBe(200);
  await expect.poll(statuses).toEqual(['active', 'active', 'archived']);
});

test('a company over its quotas can change, pause and archive every adjustment', async () => {
  const company = services.newCompany();
  const promotion = { type: 'promotion', conditions: {} };
  const bodies = [
    adjustmentBody(newCode()),
    adjustmentBody('', promotion),
    adjustmentBody(newCode(), { status: 'draft' }),
  ];
  const ids = [];
  for (const body of bodies) ids.push((await company.pricing.post(path, body)).body.data.id);
  const quotas = services.models.pricing.adjustments.db.collection('quotas');
  const over = { $set: { 'used.adjustments': 10, 'used.liveAdjustments': 10 } };
  expect((await quotas.updateOne({ _id: liveTenant(company.companyId) }, over)).matchedCount).toBe(1);
  const replies = [];
  for (const id of ids) {
    replies.push(await company.pricing.patch(`${path}/${id}`, { name: 'Another name' }));
    replies.push(await company.pricing.patch(`${path}/${id}`, { status: 'paused' }));
    replies.push(await company.pricing.delete(`${path}/${id}`));
  }
  expect(replies.map(({ status, body }) => [status, body.error?.code])).toEqual(replies.map(() => [200, undefined]));
});
