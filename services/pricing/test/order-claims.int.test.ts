import { newCode } from '@event-commerce/test-kit';
import { describe, expect, test } from 'vitest';
import { sharedServices } from '../../../tests/harness/services.ts';
import { claim, createCoupon, usageOf } from './purchases.ts';

const services = await sharedServices();

describe('claims of an order', () => {
  test('are all made, or all refused with the reason', async () => {
    const company = services.newCompany();
    const [free, full] = [newCode(), newCode()];
    const { id: freeId } = await createCoupon(company, { code: free, maxRedemptions: 1 });
    await createCoupon(company, { code: full, maxRedemptions: 0 });
    await expect(claim(services, company, { codes: [free, full] })).rejects.toMatchObject({
      code: 'REDEMPTION_LIMIT_REACHED',
      details: [{ reason: 'redemption-limit-reached', code: full }],
    });
    expect(await usageOf(services, company, freeId)).toEqual({ confirmed: 0, claimed: 0, pending: 0 });
  });

  test('name a code that no active adjustment holds', async () => {
    const company = services.newCompany();
    await expect(claim(services, company, { codes: ['NOBODY'] })).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      message: expect.stringContaining('NOBODY'),
    });
  });

  test('are refused outside the window with the reason that evaluation gives', async () => {
    const company = services.newCompany();
    const { code } = await createCoupon(company, { endsAt: '2020-01-01T00:00:00Z' });
    await expect(claim(services, company, { codes: [code] })).rejects.toMatchObject({
      code: 'ADJUSTMENT_NOT_APPLICABLE',
      details: [{ reason: 'ended' }],
    });
  });

  test('count against the cap while they are pending', async () => {
    const company = services.newCompany();
    const { code } = await createCoupon(company, { maxRedemptions: 1 });
    await claim(services, company, { codes: [code] });
    await expect(claim(services, company, { codes: [code] })).rejects.toMatchObject({
      code: 'REDEMPTION_LIMIT_REACHED',
    });
  });
});
