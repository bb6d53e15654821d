import { call } from '@event-commerce/bus';
import { accepted, RPC } from '@event-commerce/contracts';
import { firstIdAt, newId } from '@event-commerce/service-kit';
import { liveTenant, newCode, orderBody } from '@event-commerce/test-kit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Company, type Services, startServices } from '../../../tests/harness/services.ts';
import { fingerprint } from '../src/orders/domain/fingerprint.ts';
import { numberOf, orderNumbers } from '../src/orders/order-number.repository.ts';
import { create, ledger, send, settled } from './copies-of-orders.ts';
import { claimsOf, PATIENT } from './shop.ts';

const CLAIM_TTL_MS = 1_500;
let services: Services;
beforeAll(async () => {
  services = await startServices({
    replicas: { pricing: 1, commerce: 2, events: 1 },
    claimTtlMs: CLAIM_TTL_MS,
  });
});
afterAll(async () => services?.stop());

describe('an order whose first copy dies between claim and write', () => {
  /** Enters the number of `order` and claims, as the copy that dies. */
  const dyingCopy = async (company: Company, order: Record<string, unknown>, code: string, body: unknown) => {
    const tenant = liveTenant(company.companyId);
    const number = {
      id: numberOf(tenant, String(order['orderNumber'])),
      tenant,
      orderId: newId('ord'),
      fingerprint: fingerprint(body).fingerprint,
      attempt: 'dying',
    };
    await orderNumbers(services.models.commerce).enter(number, firstIdAt('ord', 0));
    const what = { cartContext: { customerId: 'cus_1' }, lines: [], charges: 0, codes: [code], adjustmentIds: [] };
    const request = { orderId: number.orderId, ...what };
    const { claims } = accepted(await call(services.bus, RPC.purchase, request, company.context()));
    return { orderId: number.orderId, claims };
  };

  test('blocks an order with the same number and other content, and its claim stays until it lapses', async () => {
    const claimedAndRefused = async () => {
      const company = services.newCompany();
      const code = newCode();
      const id = await create(company, code, { maxRedemptions: 1 });
      const body = orderBody(company.companyId, { coupons: [code] });
      await dyingCopy(company, body.order, code, 'something else');
      return { company, id, body, refused: await send(company, body, 0) };
    };
    let { company, id, body, refused } = await claimedAndRefused();
    // If the machine paused so long that the claim lapsed, the claim could not block.
    while ((await claimsOf(services, id)).length === 0) {
      ({ company, id, body, refused } = await claimedAndRefused());
    }
    expect([refused.status, refused.body.error?.code]).toEqual([409, 'ORDER_NUMBER_TAKEN']);
    expect(refused.headers.get('retry-after')).toBe('1');
    // Once commerce has declared the dead copy's order void, the number and the place are free.
    await expect.poll(async () => (await send(company, body, 1)).status, PATIENT).toBe(201);
    expect(await settled(services, id)).toEqual({ confirmed: 1, claimed: 1 });
  });

  test('is placed by a later copy with the claims of the first, even if those lapse at that moment', async () => {
    const company = services.newCompany();
    const codes = Array.from({ length: 12 }, () => newCode());
    const ids = await Promise.all(codes.map((code) => create(company, code, { maxRedemptions: 1 })));
    const placed = await Promise.all(
      codes.map(async (code, n) => {
        const customer = { id: 'cus_1', email: 'ada@example.com' };
        const body = orderBody(company.companyId, { coupons: [code], customer });
        const dead = await dyingCopy(company, body.order, code, body);
        await new Promise((resolve) => setTimeout(resolve, CLAIM_TTL_MS * (n / 8)));
        return { dead, reply: await send(company, body, n) };
      }),
    );
    expect(placed.map(({ reply }) => [reply.status, reply.body.error?.message])).toEqual(
      placed.map(() => [201, undefined]),
    );
    for (const [n, id] of ids.entries()) {
      await expect.poll(async () => ledger(services, id), PATIENT).toEqual([placed[n]?.reply.body.data.order.id]);
      expect(await settled(services, id)).toEqual({ confirmed: 1, claimed: 1 });
    }
    // The first one is sent while its dead copy's claim is still held.
    const [{ dead, reply } = expect.fail()] = placed;
    const { id, coupons } = reply.body.data.order;
    expect([id, coupons[0].redemptionId]).toEqual([dead.orderId, dead.claims[0]?.redemptionId]);
  });

  test('frees its number for an order with other content if it claimed nothing that could lapse', async () => {
    const company = services.newCompany();
    const code = newCode();
    await create(company, code, { maxRedemptions: 1 });
    const body = orderBody(company.companyId, { coupons: [code] });
    const tenant = liveTenant(company.companyId);
    const id = numberOf(tenant, String(body.order['orderNumber']));
    const dead = { id, tenant, orderId: newId('ord'), fingerprint: 'other', attempt: 'dying' };
    await orderNumbers(services.models.commerce).enter(dead, firstIdAt('ord', 0));
    expect((await send(company, body, 0)).status).toBe(409);
    // Longer than any attempt lasts.
    const changedAt = new Date(Date.now() - 120_000);
    await services.models.commerce.orderNumbers.updateOne({ _id: id }, { $set: { changedAt } });
    expect((await send(company, body, 1)).status).toBe(201);
  });
});
