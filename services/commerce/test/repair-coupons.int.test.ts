import { liveTenant, newCode } from '@event-commerce/test-kit';
import { beforeAll, expect, test } from 'vitest';
import { type Services, sharedServices } from '../../../tests/harness/services.ts';
import { republishCoupons } from '../src/coupons/republish-coupons.ts';
import { totalWith } from './coupon-state.ts';

let services: Services;
beforeAll(async () => {
  services = await sharedServices();
});

test('republishing a coupon that pricing missed applies it, and republishes no other', async () => {
  const company = services.newCompany();
  const tenant = liveTenant(company.companyId);
  const coupons = services.models.commerce.coupons.collection;
  const create = async () => {
    const code = newCode();
    const { body } = await company.commerce.post('/coupons', { code, percentOff: 20 });
    return { code, id: body.data.id as string };
  };
  const [changed, archived, earlier] = [await create(), await create(), await create()];
  await expect.poll(async () => coupons.countDocuments({ companyId: tenant, 'outbox.0': { $exists: true } })).toBe(0);

  const since = new Date('2027-01-01');
  const lose = async (id: string, set: object, at = since) =>
    await coupons.updateOne({ _id: id as never }, { $set: { ...set, changed: at }, $inc: { version: 1 } });
  await lose(changed.id, { 'definition.percentOff': 50 });
  await lose(archived.id, { archived: true, 'definition.enabled': false });
  await lose(earlier.id, { 'definition.percentOff': 50 }, new Date('2026-12-31'));
  const totals = async () =>
    Promise.all([changed, archived, earlier].map(({ code }) => totalWith(services, company, code)));
  expect(await totals()).toEqual([8_000, 8_000, 8_000]);

  expect(await republishCoupons(services.models.commerce, { since, now: new Date(), tenant })).toBe(2);
  await expect.poll(totals).toEqual([5_000, 10_000, 8_000]);
  // No event is published twice at the same time.
  const twice = await Promise.all(
    Array.from({ length: 2 }, async () =>
      republishCoupons(services.models.commerce, { since, now: new Date(), tenant }),
    ),
  );
  expect(Math.max(...twice)).toBeLessThanOrEqual(2);
  await expect.poll(totals).toEqual([5_000, 10_000, 8_000]);
});
