import { compareCounters } from '@event-commerce/claims';
import { randomUUID } from 'node:crypto';
import { call } from '@event-commerce/bus';
import { type RedemptionClaim, RPC } from '@event-commerce/contracts';
import { liveTenant, newCode } from '@event-commerce/test-kit';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { redemptionCollections } from '../src/store/redemption-pools.ts';
import { type Company, createCapped, type PricingReplicas, startPricingReplicas } from './harness.ts';

const CLAIM_TTL_MS = 1_000;
let pricing: PricingReplicas;
beforeAll(async () => {
  pricing = await startPricingReplicas({ replicas: 2, claimTtlMs: CLAIM_TTL_MS });
});
afterAll(async () => pricing?.stop());

const setCap = async (company: Company, id: string, cap: number | null, replica = 0) => {
  const patch = { conditions: { maxRedemptionsPerCustomer: cap } };
  expect((await company.api(replica).patch(`/pricing/adjustments/${id}`, patch)).status).toBe(200);
};

const redeem = (company: Company, id: string, customerId: string, replica = 0, quantity = 1) =>
  company
    .api(replica)
    .post(`/pricing/adjustments/${id}/redemptions`, { orderId: `o-${randomUUID()}`, customerId, quantity });

async function ofCustomer(id: string, customerId: string) {
  const own = await pricing.models.customerUsage.findById(`${id}|${customerId}`).lean();
  return own && { confirmed: own.confirmed, claimed: own.claimed, pending: own.pending.length };
}

async function redeemedBy(id: string, customerId: string): Promise<number> {
  const ledger = await pricing.models.redemptions.find({ adjustmentId: id, customerId, status: 'confirmed' }).lean();
  return ledger.reduce((sum, { quantity }) => sum + quantity, 0);
}

describe('a cap per customer that is removed and set again', () => {
  test('counts what was redeemed while there was none', async () => {
    const company = pricing.newCompany();
    const id = await createCapped(company, newCode(), { maxRedemptionsPerCustomer: 1 });
    expect((await redeem(company, id, 'c1')).status).toBe(201);
    await setCap(company, id, null);
    expect((await redeem(company, id, 'c1')).status).toBe(201);
    expect((await redeem(company, id, 'c1')).status).toBe(201);
    await setCap(company, id, 3);
    expect((await redeem(company, id, 'c1')).body.error.details[0].reason).toBe('customer-redemption-limit-reached');
  });

  test('counts what was given back meanwhile', async () => {
    const company = pricing.newCompany();
    const id = await createCapped(company, newCode(), { maxRedemptionsPerCustomer: 1 });
    await redeem(company, id, 'c1');
    await setCap(company, id, null);
    const second = await redeem(company, id, 'c1');
    await setCap(company, id, 1);
    const url = `/pricing/adjustments/${id}/redemptions/${second.body.data.redemption.id}`;
    expect((await company.api().delete(url)).status).toBe(200);
    expect((await redeem(company, id, 'c1')).status).toBe(409);
  });

  test('holds for every sequence of setting, removing, redeeming, claiming and giving back', async () => {
    const customer = fc.constantFrom('c1', 'c2');
    const replica = fc.constantFrom(0, 1);
    const step = fc.oneof(
      { weight: 2, arbitrary: fc.record({ kind: fc.constant('cap' as const), cap: fc.option(fc.nat(4)), replica }) },
      {
        weight: 5,
        arbitrary: fc.record({
          kind: fc.constant('redeem' as const),
          customer,
          quantity: fc.integer({ min: 1, max: 2 }),
          replica,
        }),
      },
      { weight: 2, arbitrary: fc.record({ kind: fc.constant('claim' as const), customer }) },
      { weight: 2, arbitrary: fc.record({ kind: fc.constant('release' as const), which: fc.nat(20), replica }) },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
        const company = pricing.newCompany();
        const code = newCode();
        const id = await createCapped(company, code);
        let cap: number | null = null;
        const taken = new Map<string, number>();
        const standing: { customer: string; redemptionId: string; quantity: number }[] = [];
        const fits = (who: string, quantity: number) => cap === null || (taken.get(who) ?? 0) + quantity <= cap;
        const take = (who: string, quantity: number) => taken.set(who, (taken.get(who) ?? 0) + quantity);
        for (const one of steps) {
          if (one.kind === 'cap') {
            cap = one.cap;
            await setCap(company, id, cap, one.replica);
          } else if (one.kind === 'redeem') {
            const { status, body } = await redeem(company, id, one.customer, one.replica, one.quantity);
            expect(status).toBe(fits(one.customer, one.quantity) ? 201 : 409);
            if (status !== 201) continue;
            take(one.customer, one.quantity);
            const { id: redemptionId } = body.data.redemption;
            standing.push({ customer: one.customer, redemptionId, quantity: one.quantity });
          } else if (one.kind === 'claim') {
            const claimed = await pricing.claim(company.companyId, { codes: [code], customerId: one.customer }).then(
              () => true,
              () => false,
            );
            expect(claimed).toBe(fits(one.customer, 1));
            if (claimed) take(one.customer, 1);
          } else {
            const [given] = standing.splice(one.which % Math.max(1, standing.length), 1);
            if (given === undefined) continue;
            const url = `/pricing/adjustments/${id}/redemptions/${given.redemptionId}`;
            expect((await company.api(one.replica).delete(url)).status).toBe(200);
            take(given.customer, -given.quantity);
          }
        }
      }),
      { numRuns: 12, endOnFailure: true },
    );
  }, 180_000);

  test('holds while orders, returns and changes of the cap race each other on two replicas', async () => {
    const company = pricing.newCompany();
    const id = await createCapped(company, newCode(), { maxRedemptionsPerCustomer: 2 });
    const customers = ['c0', 'c1', 'c2'];
    let over = false;
    const buying = Promise.all(
      Array.from({ length: 8 }, async (_, worker) => {
        for (let n = 0; !over || n < 20; n++) {
          const { status, body } = await redeem(company, id, customers[(worker + n) % 3] as string, n % 2);
          expect([201, 409]).toContain(status);
          if (status !== 201 || n % 3 !== 0) continue;
          const url = `/pricing/adjustments/${id}/redemptions/${body.data.redemption.id}`;
          expect((await company.api((n + 1) % 2).delete(url)).status).toBe(200);
        }
      }),
    );
    for (const [n, cap] of [null, 3, null, 1, null, 5, null, 2, null, 8].entries())
      await setCap(company, id, cap, n % 2);
    over = true;
    await buying;
    for (const customerId of customers) {
      const redeemed = await redeemedBy(id, customerId);
      const own = await ofCustomer(id, customerId);
      // Counters that were forgotten with a return are counted anew by the customer's next claim.
      const begun =
        (await pricing.models.customerUsage.findById(`${id}|${customerId}`).lean())?.definitionVersion !== 0;
      if (own !== null && begun) expect(own).toEqual({ confirmed: redeemed, claimed: redeemed, pending: 0 });
    }
    // From the last answer on, everybody has exactly what the cap leaves.
    await setCap(company, id, 40);
    for (const customerId of customers) {
      const left = Math.max(0, 40 - (await redeemedBy(id, customerId)));
      const replies = await Promise.all(
        Array.from({ length: left + 3 }, (_, n) => redeem(company, id, customerId, n % 2)),
      );
      expect(replies.filter(({ status }) => status === 201)).toHaveLength(left);
    }
  }, 120_000);
});

describe('claims that were pending when customers began to be counted', () => {
  const giveBack = (company: Company, orderId: string, claims: readonly RedemptionClaim[]) =>
    call(pricing.bus, RPC.cancelClaims, { orderId, claims: [...claims] }, pricing.context(company.companyId));

  test('count for their customer, and give the place back when their order is never placed', async () => {
    const company = pricing.newCompany();
    const code = newCode();
    const id = await createCapped(company, code);
    const { orderId, claims } = await pricing.claim(company.companyId, { codes: [code], customerId: 'c1' });
    await setCap(company, id, 1);
    expect((await redeem(company, id, 'c1')).status).toBe(409);
    await giveBack(company, orderId, claims);
    await expect
      .poll(() => ofCustomer(id, 'c1'), { timeout: 10_000 })
      .toEqual({ confirmed: 0, claimed: 0, pending: 0 });
    expect((await redeem(company, id, 'c1')).status).toBe(201);
  });
});

test("a customer's counters that were damaged are found by the repair, and set right", async () => {
  const company = pricing.newCompany();
  const id = await createCapped(company, newCode(), { maxRedemptionsPerCustomer: 5 });
  for (let n = 0; n < 2; n++) await redeem(company, id, 'c-1');
  const key = `${id}|c-1`;
  await pricing.models.customerUsage.collection.updateOne({ _id: key } as never, {
    $set: { confirmed: 4, claimed: 5 },
  });
  const look = async (repair: boolean) =>
    Array.fromAsync(
      compareCounters(redemptionCollections(pricing.models), { repair, companyId: liveTenant(company.companyId) }),
    );
  const difference = {
    poolId: id,
    customerId: 'c-1',
    counted: { confirmed: 4, claimed: 5 },
    expected: { confirmed: 2, claimed: 2 },
  };
  expect(await look(false)).toMatchObject([{ ...difference, repaired: false }]);
  expect(await look(true)).toMatchObject([{ ...difference, repaired: true }]);
  expect(await look(false)).toEqual([]);
  expect(await ofCustomer(id, 'c-1')).toEqual({ confirmed: 2, claimed: 2, pending: 0 });
});
