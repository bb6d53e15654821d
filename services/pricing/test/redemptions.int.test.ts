import { compareCounters } from '@event-commerce/claims';
import { serve } from '@event-commerce/bus';
import { RPC, settleOrderRequest } from '@event-commerce/contracts';
import { parseJson, toPlatformError } from '@event-commerce/service-kit';
import { adjustmentBody, type ApiClient, liveTenant, newCode } from '@event-commerce/test-kit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { redemptionCollections } from '../src/store/redemption-pools.ts';
import { type Company, type PricingReplicas, startPricingReplicas } from './harness.ts';

const CLAIM_TTL_MS = 300;
let pricing: PricingReplicas;
beforeAll(async () => {
  pricing = await startPricingReplicas({ replicas: 2, claimTtlMs: CLAIM_TTL_MS });
});
afterAll(async () => pricing.stop());

async function create(api: ApiClient, conditions: Record<string, unknown> = {}, code = newCode()): Promise<string> {
  const { status, body } = await api.post(
    '/pricing/adjustments',
    adjustmentBody(code, { conditions: { code, ...conditions } }),
  );
  expect(status).toBe(201);
  return body.data.id;
}

async function usage(company: Company, id: string) {
  const document = await pricing.models.usages.findOne({ _id: id, companyId: liveTenant(company.companyId) }).lean();
  const { confirmed = 0, claimed = 0, pending = [] } = document ?? {};
  return { confirmed, claimed, pending: pending.length };
}

const redeem = (company: Company, id: string, body: Record<string, unknown>, replica = 0) =>
  company.api(replica).post(`/pricing/adjustments/${id}/redemptions`, body);

describe('redeeming', () => {
  test('answers the redemption and what is left', async () => {
    const company = pricing.newCompany();
    const id = await create(company.api(), { maxRedemptions: 5 });
    const { status, body } = await redeem(company, id, { orderId: 'o1', customerId: 'c1', quantity: 2 });
    expect(status).toBe(201);
    expect(body.data).toMatchObject({
      redemption: { adjustmentId: id, orderId: 'o1', customerId: 'c1', quantity: 2, status: 'confirmed' },
      usage: { redeemed: 2, remaining: 3 },
    });
  });

  test('answers the same redemption for the same order, on every replica', async () => {
    const company = pricing.newCompany();
    const id = await create(company.api(), { maxRedemptions: 5 });
    const first = await redeem(company, id, { orderId: 'o1' });
    const again = await Promise.all(
      Array.from({ length: 10 }, async (_, n) => redeem(company, id, { orderId: 'o1' }, n % 2)),
    );
    expect(again.map((reply) => reply.status)).toEqual(again.map(() => 200));
    expect(new Set(again.map((reply) => reply.body.data.redemption.id))).toEqual(
      new Set([first.body.data.redemption.id]),
    );
    expect(await usage(company, id)).toEqual({ confirmed: 1, claimed: 1, pending: 0 });
  });

  test('has no remainder without a cap', async () => {
    const company = pricing.newCompany();
    const id = await create(company.api());
    expect((await redeem(company, id, { orderId: 'o1' })).body.data.usage).toEqual({ redeemed: 1, remaining: null });
  });

  test('is refused when the quantity does not fit as a whole', async () => {
    const company = pricing.newCompany();
    const id = await create(company.api(), { maxRedemptions: 3 });
    const { status, body } = await redeem(company, id, { orderId: 'o1', quantity: 4 });
    expect([status, body.error.code]).toEqual([409, 'REDEMPTION_LIMIT_REACHED']);
    expect(body.error.details[0]).toMatchObject({ path: 'quantity', reason: 'redemption-limit-reached' });
    const ofOne = await create(company.api(), { maxRedemptionsPerCustomer: 3 });
    const refused = await redeem(company, ofOne, { orderId: 'o1', customerId: 'c1', quantity: 4 });
    expect(refused.body.error.details[0]).toMatchObject({
      path: 'customerId',
      reason: 'customer-redemption-limit-reached',
    });
    expect(await usage(company, id)).toEqual({ confirmed: 0, claimed: 0, pending: 0 });
  });

  test.each([
    {},
    { orderId: '' },
    { orderId: 'o', quantity: 0 },
    { orderId: 'o', quantity: 1.5 },
    { orderId: { $ne: 1 } },
  ])('refuses the body %j', async (body) => {
    const company = pricing.newCompany();
    expect((await redeem(company, await create(company.api()), body)).status).toBe(400);
  });
});

describe('an order that is sent 150 times at once, to two replicas', () => {
  test.each([{ maxRedemptions: 1 }, { maxRedemptionsPerCustomer: 1 }, { maxRedemptionsPerCustomer: 3 }, {}])(
    'is redeemed once, and every answer is that redemption (conditions %j)',
    async (conditions) => {
      const company = pricing.newCompany();
      const id = await create(company.api(), conditions);
      const body = { orderId: 'same', customerId: 'c1' };
      const replies = await Promise.all(Array.from({ length: 150 }, (_, n) => redeem(company, id, body, n % 2)));
      expect(replies.filter(({ status }) => status === 201).length).toBeLessThanOrEqual(1);
      expect(replies.filter(({ status }) => status >= 300)).toEqual([]);
      expect(new Set(replies.map((reply) => reply.body.data.redemption.id)).size).toBe(1);
      expect(await usage(company, id)).toEqual({ confirmed: 1, claimed: 1, pending: 0 });
      const byCustomer = await pricing.models.customerUsage.findById(`${id}|c1`).lean();
      if ('maxRedemptionsPerCustomer' in conditions) {
        expect(byCustomer).toMatchObject({ confirmed: 1, claimed: 1, pending: [] });
      }
    },
  );
});

describe('a cap', () => {
  test('per customer admits exactly so many of 40 racing orders, for each customer', async () => {
    const company = pricing.newCompany();
    const id = await create(company.api(), { maxRedemptionsPerCustomer: 3 });
    const replies = await Promise.all(
      Array.from({ length: 40 }, async (_, n) =>
        redeem(company, id, { orderId: `o${n}`, customerId: `c${n % 2}` }, n % 2),
      ),
    );
    for (const customerId of ['c0', 'c1']) {
      const admitted = replies.filter((reply) => reply.body.data?.redemption.customerId === customerId);
      expect(admitted).toHaveLength(3);
    }
    expect(await usage(company, id)).toEqual({ confirmed: 6, claimed: 6, pending: 0 });
  });

  test('per customer needs a customer', async () => {
    const company = pricing.newCompany();
    const id = await create(company.api(), { maxRedemptionsPerCustomer: 1 });
    const { status, body } = await redeem(company, id, { orderId: 'o1' });
    expect([status, body.error.details[0].path]).toEqual([400, 'customerId']);
  });

  test('per customer that is set later counts what the customer redeemed before', async () => {
    const company = pricing.newCompany();
    const id = await create(company.api());
    for (const orderId of ['o1', 'o2']) await redeem(company, id, { orderId, customerId: 'c1' });
    await company.api().patch(`/pricing/adjustments/${id}`, { conditions: { maxRedemptionsPerCustomer: 3 } });
    expect((await redeem(company, id, { orderId: 'o3', customerId: 'c1' })).status).toBe(201);
    const { status, body } = await redeem(company, id, { orderId: 'o4', customerId: 'c1' });
    expect([status, body.error.details[0].reason]).toEqual([409, 'customer-redemption-limit-reached']);
  });

  test('in total and per customer hold together', async () => {
    const company = pricing.newCompany();
    const id = await create(company.api(), { maxRedemptions: 5, maxRedemptionsPerCustomer: 2 });
    await Promise.all(
      Array.from({ length: 60 }, async (_, n) =>
        redeem(company, id, { orderId: `o${n}`, customerId: `c${n % 6}` }, n % 2),
      ),
    );
    // A claim that the customer's cap refuses holds a place for a moment, so the race may end before the last place is taken.
    for (let n = 0; n < 6; n++) await redeem(company, id, { orderId: `late${n}`, customerId: `c${n}` });
    const ledger = await pricing.models.redemptions.find({ adjustmentId: id, status: 'confirmed' }).lean();
    expect(ledger).toHaveLength(5);
    const perCustomer = Map.groupBy(ledger, (entry) => entry.customerId);
    expect(Math.max(...[...perCustomer.values()].map((entries) => entries.length))).toBeLessThanOrEqual(2);
    expect(await usage(company, id)).toEqual({ confirmed: 5, claimed: 5, pending: 0 });
  });

  test('that is set while others redeem holds for everybody from the answer on, on every replica', async () => {
    const company = pricing.newCompany();
    const code = newCode();
    const id = await create(company.api(), {}, code);
    let capped = false;
    const admitted = { before: 0, after: 0 };
    const claimUntilRefused = async (): Promise<void> => {
      for (let n = 0; n < 50; n++) {
        const began = capped ? 'after' : 'before';
        const claims = await pricing.claim(company.companyId, { codes: [code] }).catch(() => undefined);
        if (claims === undefined) return;
        admitted[began] += 1;
      }
    };
    const claiming = Promise.all(Array.from({ length: 20 }, claimUntilRefused));
    await expect.poll(() => admitted.before, { interval: 5 }).toBeGreaterThan(20);
    await company.api(1).patch(`/pricing/adjustments/${id}`, { conditions: { code, maxRedemptions: 30 } });
    const { claimed: claimedThen } = await usage(company, id);
    capped = true;
    await claiming;
    expect((await usage(company, id)).claimed).toBe(Math.max(30, claimedThen));
    expect(admitted.before + admitted.after).toBe(Math.max(30, claimedThen));
  });

  test('that is lowered below what was redeemed admits nothing more', async () => {
    const company = pricing.newCompany();
    const id = await create(company.api(), { maxRedemptions: 5 });
    for (const orderId of ['o1', 'o2', 'o3']) await redeem(company, id, { orderId });
    await company.api().patch(`/pricing/adjustments/${id}`, { conditions: { maxRedemptions: 2 } });
    expect((await redeem(company, id, { orderId: 'o4' }, 1)).status).toBe(409);
  });
});

describe('releasing', () => {
  test('gives a redemption back once, however often and wherever it is asked', async () => {
    const company = pricing.newCompany();
    const id = await create(company.api(), { maxRedemptions: 2, maxRedemptionsPerCustomer: 2 });
    const { body } = await redeem(company, id, { orderId: 'o1', customerId: 'c1' });
    await redeem(company, id, { orderId: 'o2', customerId: 'c1' });
    const url = `/pricing/adjustments/${id}/redemptions/${body.data.redemption.id}`;
    const replies = await Promise.all(Array.from({ length: 10 }, async (_, n) => company.api(n % 2).delete(url)));
    expect(replies.map((reply) => [reply.status, reply.body.data.redemption.status])).toEqual(
      replies.map(() => [200, 'released']),
    );
    expect(await usage(company, id)).toEqual({ confirmed: 1, claimed: 1, pending: 0 });
    expect((await redeem(company, id, { orderId: 'o3', customerId: 'c1' })).status).toBe(201);
    expect((await redeem(company, id, { orderId: 'o4', customerId: 'c1' })).status).toBe(409);
  });

  test('lets the same order redeem again', async () => {
    const company = pricing.newCompany();
    const id = await create(company.api(), { maxRedemptions: 1 });
    const { body } = await redeem(company, id, { orderId: 'o1' });
    await company.api().delete(`/pricing/adjustments/${id}/redemptions/${body.data.redemption.id}`);
    expect((await redeem(company, id, { orderId: 'o1' })).status).toBe(201);
    expect(await usage(company, id)).toEqual({ confirmed: 1, claimed: 1, pending: 0 });
  });

  test('is refused while an order of the platform uses the redemption, also one from before the ledger said so', async () => {
    const company = pricing.newCompany();
    const code = newCode();
    const id = await create(company.api(), {}, code);
    const orderId = 'ord_01k9q4m2x7f8vb3t6d5c0h0007';
    const claimed = await pricing.claim(company.companyId, { codes: [code], orderId });
    const redemptionId = claimed.claims[0]?.redemptionId ?? '';
    const stop = serve(pricing.bus, RPC.settleOrder, { group: 'commerce', inFlightMax: 10, toPlatformError }, () =>
      JSON.stringify({ data: { outcome: 'placed', redemptionIds: [redemptionId] } }),
    );
    await expect.poll(() => usage(company, id), { timeout: 10_000 }).toEqual({ confirmed: 1, claimed: 1, pending: 0 });
    await stop();
    const url = `/pricing/adjustments/${id}/redemptions/${redemptionId}`;
    for (const unset of [{ none: '' }, { settledBy: '', key: '' }]) {
      await pricing.models.redemptions.collection.updateOne({ _id: redemptionId } as never, { $unset: unset });
      const { status, body } = await company.api().delete(url);
      expect([status, body.error.code]).toEqual([409, 'REDEMPTION_HELD_BY_ORDER']);
      expect(body.error.message).toBe(`Order ${orderId} uses this redemption. Cancel the order to give it back.`);
    }
    expect(await usage(company, id)).toEqual({ confirmed: 1, claimed: 1, pending: 0 });
  });

  test('answers 404 for a redemption that there is not', async () => {
    const company = pricing.newCompany();
    const id = await create(company.api());
    const { status, body } = await company.api().delete(`/pricing/adjustments/${id}/redemptions/rdm_none`);
    expect([status, body.error.code]).toEqual([404, 'REDEMPTION_NOT_FOUND']);
  });
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
    expect(await usage(company, freeId)).toEqual({ confirmed: 0, claimed: 0, pending: 0 });
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
    expect(await usage(company, id)).toEqual({ confirmed: 0, claimed: 1, pending: 1 });
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
      .poll(() => usage(company, placedId), { timeout: 5_000 })
      .toEqual({ confirmed: 1, claimed: 1, pending: 0 });
    await expect
      .poll(() => usage(company, lostId), { timeout: 5_000 })
      .toEqual({ confirmed: 0, claimed: 0, pending: 0 });
    await stop();
    // The customer's own count went with them.
    expect((await redeem(company, lostId, { orderId: 'o1', customerId: 'c1' })).status).toBe(201);
    expect((await redeem(company, placedId, { orderId: 'o1', customerId: 'c1' })).status).toBe(409);
  });
});

test('a place that a crash left taken for a customer is free again when the claim was not redeemed, and taken when it was', async () => {
  const company = pricing.newCompany();
  const [cancelled, redeemed] = [newCode(), newCode()];
  const conditions = { maxRedemptions: 5, maxRedemptionsPerCustomer: 1 };
  const cancelledId = await create(company.api(), conditions, cancelled);
  const redeemedId = await create(company.api(), conditions, redeemed);
  const claims = [
    ...(await pricing.claim(company.companyId, { codes: [cancelled], customerId: 'c1' })).claims,
    ...(await pricing.claim(company.companyId, { codes: [redeemed], customerId: 'c1', orderId: 'ord_kept' })).claims,
  ];
  // As after a crash between the two counters: the adjustment has let go of both claims, their customer's counter has not.
  await pricing.models.redemptions.collection.insertOne({
    _id: claims[1]?.redemptionId,
    companyId: company.companyId,
    adjustmentId: redeemedId,
    orderId: 'ord_kept',
    customerId: 'c1',
    quantity: 1,
    status: 'confirmed',
    created: new Date(),
  } as never);
  for (const [id, confirmed] of [[cancelledId, 0] as const, [redeemedId, 1] as const]) {
    const change = { $set: { pending: [], claimed: confirmed, confirmed } };
    await pricing.models.usages.collection.updateOne({ _id: id } as never, change);
  }
  const ofCustomer = async (id: string) => {
    const own = await pricing.models.customerUsage.findById(`${id}|c1`).lean();
    return own && { confirmed: own.confirmed, claimed: own.claimed, pending: own.pending.length };
  };
  await expect
    .poll(() => ofCustomer(cancelledId), { timeout: 5_000 })
    .toEqual({ confirmed: 0, claimed: 0, pending: 0 });
  await expect.poll(() => ofCustomer(redeemedId), { timeout: 5_000 }).toEqual({ confirmed: 1, claimed: 1, pending: 0 });
  expect((await redeem(company, cancelledId, { orderId: 'o1', customerId: 'c1' })).status).toBe(201);
  expect((await redeem(company, redeemedId, { orderId: 'o1', customerId: 'c1' })).status).toBe(409);
});

test('counters that were damaged are found by the repair, and set right', async () => {
  const company = pricing.newCompany();
  const id = await create(company.api(), { maxRedemptions: 10 });
  for (const orderId of ['o1', 'o2', 'o3']) await redeem(company, id, { orderId });
  await pricing.models.usages.collection.updateOne({ _id: id } as never, { $set: { confirmed: 7, claimed: 9 } });
  const look = async (repair: boolean) =>
    Array.fromAsync(
      compareCounters(redemptionCollections(pricing.models), { repair, companyId: liveTenant(company.companyId) }),
    );
  const difference = {
    poolId: id,
    counted: { confirmed: 7, claimed: 9 },
    expected: { confirmed: 3, claimed: 3 },
  };
  expect(await look(false)).toMatchObject([{ ...difference, repaired: false }]);
  expect(await look(true)).toMatchObject([{ ...difference, repaired: true }]);
  expect(await look(false)).toEqual([]);
  expect(await usage(company, id)).toEqual({ confirmed: 3, claimed: 3, pending: 0 });
});
