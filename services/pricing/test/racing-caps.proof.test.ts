import { expect, test } from 'vitest';
import { sharedServices } from '../../../tests/harness/services.ts';
import { claim, createCoupon, redeem, redeemFor, setCustomerCap, usageOf, usageOfCustomer } from './purchases.ts';

const services = await sharedServices();

async function redeemedBy(id: string, customerId: string): Promise<number> {
  const { redemptions } = services.models.pricing;
  const ledger = await redemptions.find({ adjustmentId: id, customerId, status: 'confirmed' }).lean();
  return ledger.reduce((sum, { quantity }) => sum + quantity, 0);
}

test('a cap per customer holds while orders, releases and changes of the cap race on two replicas', async () => {
  const company = services.newCompany();
  const { id } = await createCoupon(company, { maxRedemptionsPerCustomer: 2 });
  const customers = ['c0', 'c1', 'c2'];
  let over = false;
  const buying = Promise.all(
    Array.from({ length: 8 }, async (_, worker) => {
      for (let n = 0; !over || n < 20; n++) {
        const { status, body } = await redeemFor(company, id, customers[(worker + n) % 3] as string, n % 2);
        expect([201, 409]).toContain(status);
        if (status !== 201 || n % 3 !== 0) continue;
        const url = `/pricing/adjustments/${id}/redemptions/${body.data.redemption.id}`;
        expect((await company.pricing.replica((n + 1) % 2).delete(url)).status).toBe(200);
      }
    }),
  );
  for (const [n, cap] of [null, 3, null, 1, null, 5, null, 2, null, 8].entries())
    await setCustomerCap(company, id, cap, n % 2);
  over = true;
  await buying;
  for (const customerId of customers) {
    const count = await redeemedBy(id, customerId);
    const own = await usageOfCustomer(services, id, customerId);
    expect(own).toEqual({ claimed: count, pending: 0 });
  }
  // After the last response, every customer has exactly what the cap leaves.
  await setCustomerCap(company, id, 40);
  for (const customerId of customers) {
    const left = Math.max(0, 40 - (await redeemedBy(id, customerId)));
    const replies = await Promise.all(
      Array.from({ length: left + 3 }, (_, n) => redeemFor(company, id, customerId, n % 2)),
    );
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(left);
  }
}, 240_000);

test('caps in total and per customer hold together while 60 orders race', async () => {
  const company = services.newCompany();
  const { id } = await createCoupon(company, { maxRedemptions: 5, maxRedemptionsPerCustomer: 2 });
  await Promise.all(
    Array.from({ length: 60 }, async (_, n) =>
      redeem(company, id, { orderId: `o${n}`, customerId: `c${n % 6}` }, n % 2),
    ),
  );
  // A claim that the cap per customer refuses holds a place briefly, so the race may end before the last place is
  // taken.
  for (let n = 0; n < 6; n++) await redeem(company, id, { orderId: `late${n}`, customerId: `c${n}` });
  const ledger = await services.models.pricing.redemptions.find({ adjustmentId: id, status: 'confirmed' }).lean();
  expect(ledger).toHaveLength(5);
  const perCustomer = Map.groupBy(ledger, (entry) => entry.customerId);
  expect(Math.max(...[...perCustomer.values()].map((entries) => entries.length))).toBeLessThanOrEqual(2);
  expect(await usageOf(services, company, id)).toEqual({ confirmed: 5, claimed: 5, pending: 0 });
});

test('a cap that is set while customers redeem applies on every replica once the request is answered', async () => {
  const company = services.newCompany();
  const { code, id } = await createCoupon(company);
  let capped = false;
  const admitted = { before: 0, after: 0 };
  const claimUntilRefused = async (): Promise<void> => {
    for (let n = 0; n < 50; n++) {
      const began = capped ? 'after' : 'before';
      const claims = await claim(services, company, { codes: [code] }).catch(() => undefined);
      if (claims === undefined) return;
      admitted[began] += 1;
    }
  };
  const claiming = Promise.all(Array.from({ length: 20 }, claimUntilRefused));
  await expect.poll(() => admitted.before, { interval: 5 }).toBeGreaterThan(20);
  await company.pricing.replica(1).patch(`/pricing/adjustments/${id}`, { conditions: { code, maxRedemptions: 30 } });
  const { claimed: claimedThen } = await usageOf(services, company, id);
  capped = true;
  await claiming;
  expect((await usageOf(services, company, id)).claimed).toBe(Math.max(30, claimedThen));
  expect(admitted.before + admitted.after).toBe(Math.max(30, claimedThen));
});
