import { serve } from '@event-commerce/bus';
import { PlatformError, RPC, type SettleOrderReply, settleOrderRequest } from '@event-commerce/contracts';
import { parseJson, toPlatformError } from '@event-commerce/service-kit';
import { newCode } from '@event-commerce/test-kit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type PricingReplicas, startPricingReplicas } from './harness.ts';
import { create, redeem } from './redeeming.ts';

const CLAIM_TTL_MS = 300;
let pricing: PricingReplicas;
let stopCommerce: () => Promise<void>;
/** What commerce answers about an order; about any other it cannot answer now. */
const outcomes = new Map<string, SettleOrderReply>();
/** The orders that it was asked about in vain. */
const refused: string[] = [];
const refusals = (orderId: string) => refused.filter((one) => one === orderId).length;
beforeAll(async () => {
  pricing = await startPricingReplicas({ replicas: 2, claimTtlMs: CLAIM_TTL_MS });
  const options = { group: 'commerce', inFlightMax: 100, toPlatformError };
  stopCommerce = serve(pricing.bus, RPC.settleOrder, options, (request) => {
    const { orderId } = settleOrderRequest.parse(parseJson(request.body));
    const data = outcomes.get(orderId);
    if (data !== undefined) return JSON.stringify({ data });
    refused.push(orderId);
    throw new PlatformError('SERVICE_UNAVAILABLE', 'The database does not answer.');
  });
});
afterAll(async () => {
  await stopCommerce?.();
  await pricing?.stop();
});

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

  test('count against the cap while they are pending', async () => {
    const company = pricing.newCompany();
    const code = newCode();
    await create(company.api(), { maxRedemptions: 1 }, code);
    await pricing.claim(company.companyId, { codes: [code] });
    await expect(pricing.claim(company.companyId, { codes: [code] })).rejects.toMatchObject({
      code: 'REDEMPTION_LIMIT_REACHED',
    });
  });

  test('stay while commerce cannot say what became of the order, however often it is asked', async () => {
    const company = pricing.newCompany();
    const code = newCode();
    const id = await create(company.api(), { maxRedemptions: 1 }, code);
    const { orderId } = await pricing.claim(company.companyId, { codes: [code] });
    await expect.poll(() => refusals(orderId), { timeout: 20_000 }).toBeGreaterThan(2);
    expect(await pricing.usage(company, id)).toEqual({ confirmed: 0, claimed: 1, pending: 1 });
    outcomes.set(orderId, { outcome: 'placed' });
    await expect
      .poll(() => pricing.usage(company, id), { timeout: 20_000 })
      .toEqual({ confirmed: 1, claimed: 1, pending: 0 });
  });

  test('that nobody confirms become redemptions if the order was placed with them, and lapse if not', async () => {
    const company = pricing.newCompany();
    /** One claim of an order that has the outcome, with the redemptions that it names. */
    const claimed = async (outcomeOf: (redemptionIds: string[]) => SettleOrderReply) => {
      const code = newCode();
      const id = await create(company.api(), { maxRedemptions: 1, maxRedemptionsPerCustomer: 1 }, code);
      const { orderId, claims } = await pricing.claim(company.companyId, { codes: [code], customerId: 'c1' });
      outcomes.set(orderId, outcomeOf(claims.map(({ redemptionId }) => redemptionId)));
      return id;
    };
    const [placed, named, stray, lost] = await Promise.all([
      claimed(() => ({ outcome: 'placed' })),
      claimed((redemptionIds) => ({ outcome: 'placed', redemptionIds })),
      // Of a copy of the order that was too late to be the order.
      claimed(() => ({ outcome: 'placed', redemptionIds: ['rdm_other'] })),
      claimed(() => ({ outcome: 'void' })),
    ]);
    const usages = async () => Promise.all([placed, named, stray, lost].map(async (id) => pricing.usage(company, id)));
    const redeemed = { confirmed: 1, claimed: 1, pending: 0 };
    const none = { confirmed: 0, claimed: 0, pending: 0 };
    await expect.poll(usages, { timeout: 20_000 }).toEqual([redeemed, redeemed, none, none]);
    // The customer's own counts went with them.
    const again = [placed, named, stray, lost].map(async (id) =>
      redeem(company, id, { orderId: 'o1', customerId: 'c1' }),
    );
    expect((await Promise.all(again)).map(({ status }) => status)).toEqual([409, 409, 201, 201]);
  });
});
