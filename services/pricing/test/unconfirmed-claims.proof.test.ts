import { serve } from '@event-commerce/bus';
import { PlatformError, RPC, type SettleOrderReply, settleOrderRequest } from '@event-commerce/contracts';
import { parseJson, toPlatformError } from '@event-commerce/service-kit';
import { newCode } from '@event-commerce/test-kit';
import { beforeAll, expect, test } from 'vitest';
import { type Services, startServices } from '../../../tests/harness/services.ts';
import {
  cancel,
  claim,
  createCoupon,
  redeem,
  redeemFor,
  setCustomerCap,
  usageOf,
  usageOfCustomer,
} from './purchases.ts';

let services: Services;
/** Commerce's answers about orders; about any other order it cannot answer now. */
const outcomes = new Map<string, SettleOrderReply>();
/** The orders that it could not answer about. */
const refused: string[] = [];
const refusals = (orderId: string) => refused.filter((one) => one === orderId).length;
beforeAll(async () => {
  services = await startServices({ replicas: { pricing: 2 }, claimTtlMs: 300 });
  const options = { group: 'commerce', inFlightMax: 100, toPlatformError };
  const stopCommerce = serve(services.bus, RPC.settleOrder, options, (request) => {
    const { orderId } = settleOrderRequest.parse(parseJson(request.body));
    const data = outcomes.get(orderId);
    if (data !== undefined) return JSON.stringify({ data });
    refused.push(orderId);
    throw new PlatformError('SERVICE_UNAVAILABLE', 'The database does not answer.');
  });
  return async () => {
    await stopCommerce();
    await services.stop();
  };
});

test('claims stay while commerce cannot tell the outcome of their order, however often it is asked', async () => {
  const company = services.newCompany();
  const { code, id } = await createCoupon(company, { maxRedemptions: 1 });
  const { orderId } = await claim(services, company, { codes: [code] });
  await expect.poll(() => refusals(orderId), { timeout: 20_000 }).toBeGreaterThan(2);
  expect(await usageOf(services, company, id)).toEqual({ confirmed: 0, claimed: 1, pending: 1 });
  outcomes.set(orderId, { outcome: 'placed' });
  await expect
    .poll(() => usageOf(services, company, id), { timeout: 20_000 })
    .toEqual({ confirmed: 1, claimed: 1, pending: 0 });
});

test('claims that nobody confirms become redemptions if the order was placed with them, and lapse if not', async () => {
  const company = services.newCompany();
  /** One claim of an order that has the outcome, with the redemptions that it names. */
  const claimed = async (outcomeOf: (redemptionIds: string[]) => SettleOrderReply) => {
    const { code, id } = await createCoupon(company, { maxRedemptions: 1, maxRedemptionsPerCustomer: 1 });
    const { orderId, claims } = await claim(services, company, { codes: [code], customerId: 'c1' });
    outcomes.set(orderId, outcomeOf(claims.map(({ redemptionId }) => redemptionId)));
    return id;
  };
  const [placed, named, stray, lost] = await Promise.all([
    claimed(() => ({ outcome: 'placed' })),
    claimed((redemptionIds) => ({ outcome: 'placed', redemptionIds })),
    // A claim of a copy of the order that was too late.
    claimed(() => ({ outcome: 'placed', redemptionIds: ['rdm_other'] })),
    claimed(() => ({ outcome: 'void' })),
  ]);
  const usages = async () =>
    Promise.all([placed, named, stray, lost].map(async (id) => usageOf(services, company, id)));
  const redeemed = { confirmed: 1, claimed: 1, pending: 0 };
  const none = { confirmed: 0, claimed: 0, pending: 0 };
  await expect.poll(usages, { timeout: 20_000 }).toEqual([redeemed, redeemed, none, none]);
  // The customer's own counters were released too.
  const again = [placed, named, stray, lost].map(async (id) =>
    redeem(company, id, { orderId: 'o1', customerId: 'c1' }),
  );
  expect((await Promise.all(again)).map(({ status }) => status)).toEqual([409, 409, 201, 201]);
});

test('a redemption that an order of the platform uses is not released manually, whether or not the ledger knows of it', async () => {
  const company = services.newCompany();
  const { code, id } = await createCoupon(company);
  const orderId = 'ord_01k9q4m2x7f8vb3t6d5c0h0007';
  const claimed = await claim(services, company, { codes: [code], orderId });
  const redemptionId = claimed.claims[0]?.redemptionId ?? '';
  const expectRefusal = async () => {
    const { status, body } = await company.pricing.delete(`/pricing/adjustments/${id}/redemptions/${redemptionId}`);
    expect([status, body.error.code]).toEqual([409, 'REDEMPTION_HELD_BY_ORDER']);
    expect(body.error.message).toBe(`Order ${orderId} uses this redemption. Cancel the order to release it.`);
  };
  // Before the ledger knows of it.
  await expectRefusal();
  outcomes.set(orderId, { outcome: 'placed', redemptionIds: [redemptionId] });
  await expect
    .poll(() => usageOf(services, company, id), { timeout: 10_000 })
    .toEqual({ confirmed: 1, claimed: 1, pending: 0 });
  await expectRefusal();
  expect(await usageOf(services, company, id)).toEqual({ confirmed: 1, claimed: 1, pending: 0 });
});

test("a customer's place left claimed by a crash is freed if the claim was not redeemed, and kept if it was", async () => {
  const company = services.newCompany();
  const [cancelled, redeemed] = [newCode(), newCode()];
  const conditions = { maxRedemptions: 5, maxRedemptionsPerCustomer: 1 };
  const { id: cancelledId } = await createCoupon(company, { code: cancelled, ...conditions });
  const { id: redeemedId } = await createCoupon(company, { code: redeemed, ...conditions });
  const claims = [
    ...(await claim(services, company, { codes: [cancelled], customerId: 'c1' })).claims,
    ...(await claim(services, company, { codes: [redeemed], customerId: 'c1', orderId: 'ord_kept' })).claims,
  ];
  // As after a crash between the two counters: the adjustment has released both claims, but the customer's counter has
  // not.
  await services.models.pricing.redemptions.collection.insertOne({
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
    await services.models.pricing.usages.collection.updateOne({ _id: id } as never, change);
  }
  const ofCustomer = async (id: string) => usageOfCustomer(services, id, 'c1');
  await expect.poll(() => ofCustomer(cancelledId)).toEqual({ claimed: 0, pending: 0 });
  await expect.poll(() => ofCustomer(redeemedId)).toEqual({ claimed: 1, pending: 0 });
  expect((await redeem(company, cancelledId, { orderId: 'o1', customerId: 'c1' })).status).toBe(201);
  expect((await redeem(company, redeemedId, { orderId: 'o1', customerId: 'c1' })).status).toBe(409);
});

test('a claim that was pending when the cap per customer was set counts for its customer until it is released', async () => {
  const company = services.newCompany();
  const { code, id } = await createCoupon(company);
  const { orderId, claims } = await claim(services, company, { codes: [code], customerId: 'c1' });
  await setCustomerCap(company, id, 1);
  expect((await redeemFor(company, id, 'c1')).status).toBe(409);
  await cancel(services, company, { orderId, claims });
  await expect.poll(() => usageOfCustomer(services, id, 'c1'), { timeout: 10_000 }).toEqual({ claimed: 0, pending: 0 });
  expect((await redeemFor(company, id, 'c1')).status).toBe(201);
});
