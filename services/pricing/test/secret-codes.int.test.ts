import type { PurchaseRequest } from '@event-commerce/contracts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buy, createCoupon, NOTHING, redeemed } from './buying.ts';
import { aLine, type Company, type PricingReplicas, startPricingReplicas } from './harness.ts';

// Codes are secrets: what a shop's key may do tells it no code, and gives it no price that needs one.

let pricing: PricingReplicas;
beforeAll(async () => {
  pricing = await startPricingReplicas({ replicas: 1 });
});
afterAll(async () => pricing?.stop());

describe('an adjustment that the order of a shop names', () => {
  const order = async ({ companyId }: Company, request: Partial<PurchaseRequest>) =>
    await pricing.purchase(companyId, request, ['pricing:evaluate', 'orders:checkout']);

  test.each([
    ['with lines', { lines: [aLine()] }],
    ['at a wrong price', { lines: [aLine()], expectedTotal: 1 }],
    ['without lines', { lines: [] }],
  ])('does not count without its code, which is not told: %s', async (_what, request) => {
    const company = pricing.newCompany();
    const { id, code } = await createCoupon(company);
    const refusal: any = await order(company, { ...request, adjustmentIds: [id] }).catch((error: unknown) => error);
    expect(refusal).toMatchObject({
      code: 'ADJUSTMENT_NOT_APPLICABLE',
      message: `Adjustment ${id} cannot be redeemed: it needs a code.`,
      details: [{ path: 'order.items', adjustmentId: id, reason: 'code-not-presented', detail: 'needs a code' }],
    });
    expect(JSON.stringify([refusal.message, refusal.details])).not.toContain(code);
    expect(await pricing.usage(company, id)).toEqual(NOTHING);
  });

  test('counts with its code', async () => {
    const company = pricing.newCompany();
    const { id, code } = await createCoupon(company);
    expect(redeemed(await order(company, { adjustmentIds: [id], codes: [code.toLowerCase()] }))).toEqual([id]);
  });

  test('counts without its code if the key has orders:write', async () => {
    const company = pricing.newCompany();
    const { id } = await createCoupon(company);
    const request = { adjustmentIds: [id] };
    expect(redeemed(await pricing.purchase(company.companyId, request, ['orders:write']))).toEqual([id]);
  });
});

describe('a redemption', () => {
  test.each([
    [['pricing:redeem'], false],
    [['pricing:redeem', 'pricing:read'], true],
  ] as const)('shows %j its code: %s', async (scopes, shown) => {
    const company = pricing.newCompany();
    const { id, code } = await createCoupon(company, { maxRedemptions: 1, maxRedemptionsPerCustomer: 1 });
    const api = company.as(...scopes);
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

  test('that is refused does not tell the code', async () => {
    const company = pricing.newCompany();
    const { id, code } = await createCoupon(company, { maxRedemptions: 1, maxRedemptionsPerCustomer: 1 });
    await buy(pricing, company, { adjustmentIds: [id], cartContext: { customerId: 'c1' } });
    const url = `/pricing/adjustments/${id}/redemptions`;
    for (const customerId of ['c1', 'c2']) {
      const { status, body } = await company.as('pricing:redeem').post(url, { orderId: 'o2', customerId });
      expect([status, body.error.details[0].adjustmentId]).toEqual([409, id]);
      expect(JSON.stringify(body)).not.toContain(code);
    }
  });
});
