import { serve } from '@event-commerce/bus';
import { RPC, settleOrderRequest } from '@event-commerce/contracts';
import { parseJson, toPlatformError } from '@event-commerce/service-kit';
import { newCode } from '@event-commerce/test-kit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type PricingReplicas, startPricingReplicas } from './harness.ts';
import { create, redeem } from './redeeming.ts';

const CLAIM_TTL_MS = 300;
let pricing: PricingReplicas;
beforeAll(async () => {
  pricing = await startPricingReplicas({ replicas: 2, claimTtlMs: CLAIM_TTL_MS });
});
afterAll(async () => pricing?.stop());

describe('claims of an order', () => {
  test('are all made or none, with the reason', async () => {
    const company = pricing.newCompany();
    const [free, full] = [newCode(), newCode()];
    const freeId = await create(company.api(), { maxRedemptions: 1 }, free);
    await create(company.api(), { maxRedemptions: 0 }, full);
    await expect(pricing.claim(company.companyId, { codes: [free, full] })).rejects.toMatchObject({
      code: 'REDEMPTION_LIMIT_REACHED',
      details: [{ reason: 'redemption-limit-reached', code: full }],
    });
    expect(await pricing.usage(company, freeId)).toEqual({ confirmed: 0, claimed: 0, pending: 0 });
  });

  test('name a code that no active adjustment holds', async () => {
    const company = pricing.newCompany();
    await expect(pricing.claim(company.companyId, { codes: ['NOBODY'] })).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      message: expect.stringContaining('NOBODY'),
    });
  });

  test('are never made for a code that the adjustment held before it was changed', async () => {
    const company = pricing.newCompany();
    for (let round = 0; round < 10; round++) {
      const [before, after] = [newCode(), newCode()];
      const id = await create(company.api(), {}, before);
      let renamed = false;
      const claimed: boolean[] = [];
      const claiming = Promise.all(
        Array.from({ length: 8 }, async () => {
          for (let n = 0; n < 6; n++) {
            const late = renamed;
            const refusal = await pricing.claim(company.companyId, { codes: [before] }).then(
              () => undefined,
              (error: unknown) => error,
            );
            if (refusal !== undefined) expect(refusal).toMatchObject({ code: 'VALIDATION_FAILED' });
            if (late) claimed.push(refusal === undefined);
          }
        }),
      );
      const patch = { conditions: { code: after } };
      expect((await company.api(round % 2).patch(`/pricing/adjustments/${id}`, patch)).status).toBe(200);
      renamed = true;
      await claiming;
      expect(claimed.filter(Boolean)).toEqual([]);
      const held = await pricing.models.usages.findById(id).lean();
      expect(held?.pending.filter(({ code }) => code !== before)).toEqual([]);
      expect((await pricing.claim(company.companyId, { codes: [after] })).claims).toHaveLength(1);
    }
  });

  test('follow a code to the adjustment that holds it now', async () => {
    const company = pricing.newCompany();
    for (let round = 0; round < 10; round++) {
      const code = newCode();
      const first = await create(company.api(0), {}, code);
      await pricing.claim(company.companyId, { codes: [code] });
      await company.api(0).patch(`/pricing/adjustments/${first}`, { conditions: { code: newCode() } });
      const second = await create(company.api(1), {}, code);
      const claims = await Promise.all(
        Array.from({ length: 6 }, () => pricing.claim(company.companyId, { codes: [code] })),
      );
      expect(claims.map(({ claims: [claim] }) => claim?.adjustmentId)).toEqual(claims.map(() => second));
    }
  });

  test('are refused outside the window with the reason that evaluation gives', async () => {
    const company = pricing.newCompany();
    const code = newCode();
    await create(company.api(), { endsAt: '2020-01-01T00:00:00Z' }, code);
    await expect(pricing.claim(company.companyId, { codes: [code] })).rejects.toMatchObject({
      code: 'ADJUSTMENT_NOT_APPLICABLE',
      details: [{ reason: 'ended' }],
    });
  });

  test('count against the cap while they are pending, and stay while nobody can say what became of the order', async () => {
    const company = pricing.newCompany();
    const code = newCode();
    const id = await create(company.api(), { maxRedemptions: 1 }, code);
    await pricing.claim(company.companyId, { codes: [code], orderId: 'ord_pending' });
    await expect(pricing.claim(company.companyId, { codes: [code] })).rejects.toMatchObject({
      code: 'REDEMPTION_LIMIT_REACHED',
    });
    expect(await pricing.usage(company, id)).toEqual({ confirmed: 0, claimed: 1, pending: 1 });
  });

  test('that nobody confirms become redemptions if the order was placed, and lapse if it was not', async () => {
    const company = pricing.newCompany();
    const [placed, lost] = [newCode(), newCode()];
    const placedId = await create(company.api(), { maxRedemptions: 1, maxRedemptionsPerCustomer: 1 }, placed);
    const lostId = await create(company.api(), { maxRedemptions: 1, maxRedemptionsPerCustomer: 1 }, lost);
    const stop = serve(
      pricing.bus,
      RPC.settleOrder,
      { group: 'commerce', inFlightMax: 10, toPlatformError },
      (request) => {
        const { orderId } = settleOrderRequest.parse(parseJson(request.body));
        return JSON.stringify({ data: { outcome: orderId === 'ord_placed' ? 'placed' : 'void' } });
      },
    );
    await pricing.claim(company.companyId, { codes: [placed], orderId: 'ord_placed', customerId: 'c1' });
    await pricing.claim(company.companyId, { codes: [lost], orderId: 'ord_lost', customerId: 'c1' });
    await expect
      .poll(() => pricing.usage(company, placedId), { timeout: 5_000 })
      .toEqual({ confirmed: 1, claimed: 1, pending: 0 });
    await expect
      .poll(() => pricing.usage(company, lostId), { timeout: 5_000 })
      .toEqual({ confirmed: 0, claimed: 0, pending: 0 });
    await stop();
    // The customer's own count went with them.
    expect((await redeem(company, lostId, { orderId: 'o1', customerId: 'c1' })).status).toBe(201);
    expect((await redeem(company, placedId, { orderId: 'o1', customerId: 'c1' })).status).toBe(409);
  });
});
