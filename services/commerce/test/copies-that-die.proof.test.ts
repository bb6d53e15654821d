import { call } from '@event-commerce/bus';
import { keyOfTenant, RPC } from '@event-commerce/contracts';
import { claimKey, newId } from '@event-commerce/service-kit';
import { liveTenant, newCode, orderBody } from '@event-commerce/test-kit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Company, type Services, startServices } from '../../../tests/harness/services.ts';
import type { OrderDocument } from '../src/models.ts';
import { create, ledger, send, settled } from './copies-of-orders.ts';
import { toldOf } from './plain-orders.ts';
import { claimsOf, PATIENT, usageOf } from './shop.ts';

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
  /** Claims as the copy that dies. */
  const claimOf = (company: Company, order: Record<string, unknown>, code: string, content: string) =>
    call(
      services.bus,
      RPC.purchase,
      {
        orderId: newId('ord'),
        key: claimKey('order number', keyOfTenant(liveTenant(company.companyId)), String(order['orderNumber'])),
        content,
        cartContext: { customerId: 'cus_1' },
        lines: [],
        charges: 0,
        codes: [code],
        adjustmentIds: [],
      },
      company.context(),
    );

  test('blocks an order with the same number and other content, and its claim stays until it lapses', async () => {
    const claimedAndRefused = async () => {
      const company = services.newCompany();
      const code = newCode();
      const id = await create(company, code, { maxRedemptions: 1 });
      const body = orderBody(company.companyId, { coupons: [code] });
      await claimOf(company, body.order, code, 'something else');
      return { company, id, body, refused: await send(company, body, 0) };
    };
    let { company, id, body, refused } = await claimedAndRefused();
    // On a machine that stood still for so long that the claim lapsed, it could not block.
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
    const replies = await Promise.all(
      codes.map(async (code, n) => {
        const body = orderBody(company.companyId, { coupons: [code] });
        const placed = await send(company, body, n);
        // A placed order of a copy shows that copy's own content.
        expect(placed.status).toBe(201);
        const { id } = placed.body.data.order;
        expect((await company.commerce.post(`/orders/${id}/cancel`))?.status).toBe(200);
        // The ledger first; the counters and the number of the order follow.
        await expect.poll(async () => (await usageOf(services, ids[n] ?? ''))?.['claimed'], PATIENT).toBe(0);
        // Its events would be told, or lost, after it is gone.
        await expect.poll(() => toldOf(company, id), PATIENT).toEqual(['order.cancelled', 'order.placed']);
        const waiting = { _id: id, 'outbox.0': { $exists: true } } as never;
        await expect.poll(() => services.models.commerce.orders.collection.countDocuments(waiting), PATIENT).toBe(0);
        return placed;
      }),
    );
    const stored = await services.models.commerce.orders
      .find({ companyId: liveTenant(company.companyId) })
      .lean<OrderDocument[]>();
    // As if each order had never been written, and its claim had just been made.
    const again = await Promise.all(
      replies.map(async ({ body }, n) => {
        const order = stored.find(({ _id }) => _id === body.data.order.id);
        await services.models.commerce.orders.deleteOne({ _id: order?._id ?? '' });
        const { orderNumber, customer } = body.data.order;
        await claimOf(company, { orderNumber }, codes[n] ?? '', order?.fingerprint ?? '');
        await new Promise((resolve) => setTimeout(resolve, CLAIM_TTL_MS * (n / 8)));
        const repeat = orderBody(company.companyId, { orderNumber, coupons: [codes[n]], customer });
        return await send(company, repeat, n);
      }),
    );
    expect(again.map(({ status }) => status)).toEqual(again.map(() => 201));
    for (const [n, id] of ids.entries()) {
      await expect.poll(async () => ledger(services, id), PATIENT).toEqual([again[n]?.body.data.order.id]);
      expect(await settled(services, id)).toEqual({ confirmed: 1, claimed: 1 });
    }
  });
});
