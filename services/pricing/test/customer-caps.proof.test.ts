import { compareCounters } from '@event-commerce/claims';
import { liveTenant, proofSize } from '@event-commerce/test-kit';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sharedServices } from '../../../tests/harness/services.ts';
import { redemptionCollections } from '../src/redemptions/redemption-pools.ts';
import { claim, createCoupon, redeemFor, setCustomerCap, usageOfCustomer } from './purchases.ts';

const services = await sharedServices();

describe('a cap per customer that is removed and set again', () => {
  test('counts what was redeemed while there was none', async () => {
    const company = services.newCompany();
    const { id } = await createCoupon(company, { maxRedemptionsPerCustomer: 1 });
    expect((await redeemFor(company, id, 'c1')).status).toBe(201);
    await setCustomerCap(company, id, null);
    expect((await redeemFor(company, id, 'c1')).status).toBe(201);
    expect((await redeemFor(company, id, 'c1')).status).toBe(201);
    await setCustomerCap(company, id, 3);
    expect((await redeemFor(company, id, 'c1')).body.error.details[0].reason).toBe('customer-redemption-limit-reached');
  });

  test('reflects what was released meanwhile', async () => {
    const company = services.newCompany();
    const { id } = await createCoupon(company, { maxRedemptionsPerCustomer: 1 });
    await redeemFor(company, id, 'c1');
    await setCustomerCap(company, id, null);
    const second = await redeemFor(company, id, 'c1');
    await setCustomerCap(company, id, 1);
    const url = `/pricing/adjustments/${id}/redemptions/${second.body.data.redemption.id}`;
    expect((await company.pricing.delete(url)).status).toBe(200);
    expect((await redeemFor(company, id, 'c1')).status).toBe(409);
  });

  test('holds for every sequence of setting, removing, redeeming, claiming and releasing', async () => {
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
        const company = services.newCompany();
        const { code, id } = await createCoupon(company);
        let cap: number | null = null;
        const taken = new Map<string, number>();
        const standing: { customer: string; redemptionId: string; quantity: number }[] = [];
        const fits = (who: string, quantity: number) => cap === null || (taken.get(who) ?? 0) + quantity <= cap;
        const take = (who: string, quantity: number) => taken.set(who, (taken.get(who) ?? 0) + quantity);
        for (const one of steps) {
          if (one.kind === 'cap') {
            cap = one.cap;
            await setCustomerCap(company, id, cap, one.replica);
          } else if (one.kind === 'redeem') {
            const { status, body } = await redeemFor(company, id, one.customer, one.replica, one.quantity);
            expect(status).toBe(fits(one.customer, one.quantity) ? 201 : 409);
            if (status !== 201) continue;
            take(one.customer, one.quantity);
            const { id: redemptionId } = body.data.redemption;
            standing.push({ customer: one.customer, redemptionId, quantity: one.quantity });
          } else if (one.kind === 'claim') {
            const claimed = await claim(services, company, { codes: [code], customerId: one.customer }).then(
              () => true,
              () => false,
            );
            expect(claimed).toBe(fits(one.customer, 1));
            if (claimed) take(one.customer, 1);
          } else {
            const [given] = standing.splice(one.which % Math.max(1, standing.length), 1);
            if (given === undefined) continue;
            const url = `/pricing/adjustments/${id}/redemptions/${given.redemptionId}`;
            expect((await company.pricing.replica(one.replica).delete(url)).status).toBe(200);
            take(given.customer, -given.quantity);
          }
        }
      }),
      { numRuns: proofSize(6, 12), endOnFailure: true },
    );
  }, 180_000);
});

test("the repair finds and corrects a customer's damaged counters", async () => {
  const company = services.newCompany();
  const { id } = await createCoupon(company, { maxRedemptionsPerCustomer: 5 });
  for (let n = 0; n < 2; n++) await redeemFor(company, id, 'c-1');
  const key = `${id}\nc-1`;
  await services.models.pricing.customerUsage.collection.updateOne({ _id: key } as never, {
    $set: { claimed: 5 },
  });
  const look = async (repair: boolean) =>
    Array.fromAsync(
      compareCounters(redemptionCollections(services.models.pricing), {
        repair,
        companyId: liveTenant(company.companyId),
      }),
    );
  const difference = {
    poolId: id,
    customerId: 'c-1',
    counted: { claimed: 5 },
    expected: { claimed: 2 },
  };
  expect(await look(false)).toMatchObject([{ ...difference, repaired: false }]);
  expect(await look(true)).toMatchObject([{ ...difference, repaired: true }]);
  expect(await look(false)).toEqual([]);
  expect(await usageOfCustomer(services, id, 'c-1')).toEqual({ claimed: 2, pending: 0 });
});
