import type { PurchaseRequest } from '@event-commerce/contracts';
import { describe, expect, test } from 'vitest';
import { type Company, sharedServices } from '../../../tests/harness/services.ts';
import { aLine, buy, createCoupon, NOTHING, redeemed, usageOf } from './purchases.ts';

// Codes are secrets: a shop's key can neither learn a code nor get a price that needs one.

const services = await sharedServices();

describe('an adjustment that a shop’s order names', () => {
  const order = async (company: Company, request: Partial<PurchaseRequest>) =>
    await buy(services, company, request, ['pricing:evaluate', 'orders:checkout']);

  test.each([
    ['with lines', { lines: [aLine()] }],
    ['at a wrong price', { lines: [aLine()], expectedTotal: 1 }],
    ['without lines', { lines: [] }],
  ])('does not count without its code, which is not revealed: %s', async (_what, request) => {
    const company = services.newCompany();
    const { id, code } = await createCoupon(company);
    const refusal: any = await order(company, { ...request, adjustmentIds: [id] }).catch((error: unknown) => error);
    expect(refusal).toMatchObject({
      code: 'ADJUSTMENT_NOT_APPLICABLE',
      message: `Adjustment ${id} cannot be redeemed: it needs a code.`,
      details: [{ path: 'order.items', adjustmentId: id, reason: 'code-not-presented', detail: 'needs a code' }],
    });
    expect(JSON.stringify([refusal.message, refusal.details])).not.toContain(code);
    expect(await usageOf(services, company, id)).toEqual(NOTHING);
  });

  test('counts with its code', async () => {
    const company = services.newCompany();
    const { id, code } = await createCoupon(company);
    expect(redeemed(await order(company, { adjustmentIds: [id], codes: [code.toLowerCase()] }))).toEqual([id]);
  });

  test('counts without its code if the key has orders:write', async () => {
    const company = services.newCompany();
    const { id } = await createCoupon(company);
    const request = { adjustmentIds: [id] };
    expect(redeemed(await buy(services, company, request, ['orders:write']))).toEqual([id]);
  });
});

describe('a redemption', () => {
  test.each([
    [['pricing:redeem'], false],
    [['pricing:redeem', 'pricing:read'], true],
  ] as const)('shows %j its code: %s', async (scopes, shown) => {
    const company = services.newCompany();
    const { id, code } = await createCoupon(company, { maxRedemptions: 1, maxRedemptionsPerCustomer: 1 });
    const api = company.pricing.as(...scopes);
    const url = `/pricing/adjustments/${id}/redemptions`;
    const redeem = async (orderId: string, customerId = 'c1') => await api.post(url, { orderId, customerId });
    const first = await redeem('o1');
    const replies = [
      first,
      await redeem('o1'),
      await api.delete(`${url}/${first.body.data.redemption.id}`),
      await redeem('o2'),
    ];
    const codes = replies.map(({ status, body }) => [status, body.data.redemption.code]);
    expect(codes).toEqual([201, 200, 200, 201].map((status) => [status, shown ? code : undefined]));
  });

  test('that is refused does not reveal the code', async () => {
    const company = services.newCompany();
    const { id, code } = await createCoupon(company, { maxRedemptions: 1, maxRedemptionsPerCustomer: 1 });
    await buy(services, company, { adjustmentIds: [id], cartContext: { customerId: 'c1' } });
    const url = `/pricing/adjustments/${id}/redemptions`;
    for (const customerId of ['c1', 'c2']) {
      const { status, body } = await company.pricing.as('pricing:redeem').post(url, { orderId: 'o2', customerId });
      expect([status, body.error.details[0].adjustmentId]).toEqual([409, id]);
      expect(JSON.stringify(body)).not.toContain(code);
    }
  });
});
