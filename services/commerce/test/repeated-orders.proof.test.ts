import { newCode, orderBody, proofSize } from '@event-commerce/test-kit';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Services, sharedServices } from '../../../tests/harness/services.ts';
import { create, ledger, send, settled, shuffled, statuses } from './copies-of-orders.ts';
import { newShop, PATIENT } from './shop.ts';

let services: Services;
beforeAll(async () => {
  services = await sharedServices();
});

describe('ten copies of an order at once, on two replicas', () => {
  test.each([
    { rounds: proofSize(4, 15), cap: 1, strangers: 3 },
    { rounds: proofSize(2, 10), cap: 3, strangers: 2 },
    { rounds: proofSize(2, 6), cap: 3, strangers: 5 },
  ])(
    'become one order with one place of $cap, and $strangers other buyers get the rest',
    async ({ rounds, cap, strangers }) => {
      for (let round = 0; round < rounds; round++) {
        const company = services.newCompany();
        const code = newCode();
        const id = await create(company, code, { maxRedemptions: cap });
        const copy = orderBody(company.companyId, { coupons: [code] });
        const senders = shuffled([
          ...Array.from({ length: 10 }, (_, n) => ({ mine: true, send: () => send(company, copy, n) })),
          ...Array.from({ length: strangers }, (_, n) => ({
            mine: false,
            send: () => send(company, orderBody(company.companyId, { coupons: [code] }), n),
          })),
        ]);
        const replies = await Promise.all(
          senders.map(async ({ mine, send: sendOne }) => ({ mine, reply: await sendOne() })),
        );
        const ofCopies = replies.filter(({ mine }) => mine).map(({ reply }) => reply);
        const ofStrangers = replies.filter(({ mine }) => !mine).map(({ reply }) => reply);
        const placed = ofStrangers.filter(({ status }) => status === 201).length;
        // Buyers get places while any are left; either the copies share one, or the others were all faster.
        const copiesPlaced = ofCopies.some(({ status }) => status < 300);
        expect(placed + (copiesPlaced ? 1 : 0)).toBe(Math.min(cap, strangers + 1));
        if (copiesPlaced) {
          expect(statuses(ofCopies)).toEqual([...Array.from({ length: 9 }, () => 200), 201]);
          expect(new Set(ofCopies.map(({ body }) => body.data.order.id)).size).toBe(1);
        } else {
          expect(ofCopies.every(({ body }) => body.error.code === 'REDEMPTION_LIMIT_REACHED')).toBe(true);
        }
        const all = Math.min(cap, strangers + 1);
        await expect.poll(async () => ledger(services, id), PATIENT).toHaveLength(all);
        expect(await settled(services, id)).toEqual({ confirmed: all, claimed: all });
      }
    },
    300_000,
  );

  test('that redeem several codes, one of them scarce, leave no claims when they are refused', async () => {
    for (let round = 0; round < proofSize(2, 6); round++) {
      const company = services.newCompany();
      const [roomy, scarce] = [newCode(), newCode()];
      const roomyId = await create(company, roomy, { maxRedemptions: 1 });
      const scarceId = await create(company, scarce, { maxRedemptions: 1 });
      const taken = await send(company, orderBody(company.companyId, { coupons: [scarce] }), 0);
      expect(taken.status).toBe(201);
      const copy = orderBody(company.companyId, { coupons: [roomy, scarce] });
      const refused = await Promise.all(Array.from({ length: 10 }, (_, n) => send(company, copy, n)));
      expect(refused.map(({ body }) => body.error?.code)).toEqual(refused.map(() => 'REDEMPTION_LIMIT_REACHED'));
      // At once: a claim that only lapses would block the stranger.
      const stranger = await send(company, orderBody(company.companyId, { coupons: [roomy] }), 1);
      expect(stranger.status).toBe(201);
      await expect.poll(async () => ledger(services, roomyId), PATIENT).toEqual([stranger.body.data.order.id]);
      expect(await settled(services, scarceId)).toEqual({ confirmed: 1, claimed: 1 });
    }
  });

  test('that redeem several codes, each with a cap per customer, become one order with one place of each', async () => {
    for (let round = 0; round < proofSize(2, 6); round++) {
      const company = services.newCompany();
      const codes = [newCode(), newCode(), newCode()];
      const conditions = { maxRedemptions: 2, maxRedemptionsPerCustomer: 1 };
      const ids = await Promise.all(codes.map((code) => create(company, code, conditions)));
      const customer = { id: `cus_${round}`, email: 'ada@example.com' };
      const copy = orderBody(company.companyId, { coupons: codes, customer });
      const replies = await Promise.all(Array.from({ length: 10 }, (_, n) => send(company, copy, n)));
      expect(statuses(replies)).toEqual([...Array.from({ length: 9 }, () => 200), 201]);
      for (const id of ids) {
        await expect.poll(async () => ledger(services, id), PATIENT).toEqual([replies[0]?.body.data.order.id]);
        expect(await settled(services, id)).toEqual({ confirmed: 1, claimed: 1 });
        const ofCustomer = await services.databases.pricing
          .collection('customer_usage')
          .findOne({ _id: `${id}\ncus_${round}` } as never);
        expect(ofCustomer).toMatchObject({ claimed: 1, pending: [] });
      }
    }
  });
});

test('60 copies at once of an order that redeems nothing become one order, round after round', async () => {
  const company = services.newCompany();
  for (let round = 0; round < proofSize(2, 8); round++) {
    const copy = orderBody(company.companyId);
    const replies = await Promise.all(Array.from({ length: 60 }, (_, n) => send(company, copy, n)));
    expect(statuses(replies)).toEqual([...Array.from({ length: 59 }, () => 200), 201]);
    expect(new Set(replies.map(({ body }) => body.data.order.id)).size).toBe(1);
  }
});

test('150 copies at once with a cap per customer become one order, and all receive it', async () => {
  for (let round = 0; round < proofSize(1, 3); round++) {
    const company = services.newCompany();
    const code = newCode();
    const id = await create(company, code, { maxRedemptionsPerCustomer: 1 });
    const customer = { id: 'cus_1', email: 'ada@example.com' };
    const copy = orderBody(company.companyId, { coupons: [code], customer });
    const replies = await Promise.all(Array.from({ length: 150 }, (_, n) => send(company, copy, n)));
    expect(statuses(replies)).toEqual([...Array.from({ length: 149 }, () => 200), 201]);
    expect(new Set(replies.map(({ body }) => body.data.order.id)).size).toBe(1);
    expect(await settled(services, id)).toEqual({ confirmed: 1, claimed: 1 });
  }
});

test('copies that arrive one after another, throughout the first one’s life, become that order', async () => {
  for (let round = 0; round < proofSize(2, 5); round++) {
    const company = services.newCompany();
    const code = newCode();
    const id = await create(company, code, { maxRedemptions: 1 });
    const copy = orderBody(company.companyId, { coupons: [code] });
    const replies = await Promise.all(
      Array.from({ length: 30 }, async (_, n) => {
        await new Promise((resolve) => setTimeout(resolve, n * 7));
        return await send(company, copy, n);
      }),
    );
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(29);
    await expect.poll(async () => ledger(services, id), PATIENT).toHaveLength(1);
    expect(await settled(services, id)).toEqual({ confirmed: 1, claimed: 1 });
  }
});

test('concurrent orders with one number and different contents become one order; the others get 409 and leave no claims', async () => {
  for (let round = 0; round < proofSize(4, 12); round++) {
    const company = services.newCompany();
    const [code, other] = [newCode(), newCode()];
    const id = await create(company, code, { maxRedemptions: 5 });
    const otherId = await create(company, other, { maxRedemptions: 5 });
    const { order } = orderBody(company.companyId);
    const bodies = Array.from({ length: 9 }, (_, n) => ({
      order: {
        ...order,
        coupons: n % 3 === 0 ? [code] : n % 3 === 1 ? [code, other] : [other],
        customer: { id: `cus_${n % 3}`, email: 'ada@example.com' },
      },
    }));
    const replies = await Promise.all(bodies.map((body, n) => send(company, body, n)));
    const placed = replies.filter(({ status }) => status < 300);
    expect(placed.filter(({ status }) => status === 201)).toHaveLength(1);
    const orderIds = new Set(placed.map(({ body }) => body.data.order.id));
    expect(orderIds.size).toBe(1);
    const [first] = placed;
    // Copies of the placed order received it; the orders with other content did not.
    for (const [n, reply] of replies.entries()) {
      const same = first?.body.data.order.customer.id === `cus_${n % 3}`;
      if (!same) expect([reply.status, reply.body.error?.code]).toEqual([409, 'ORDER_NUMBER_TAKEN']);
      else expect([200, 201, 409]).toContain(reply.status);
    }
    const codes = first?.body.data.order.coupons.map((coupon: { code: string }) => coupon.code);
    for (const [adjustmentId, own] of [[id, code] as const, [otherId, other] as const]) {
      const expected = codes.includes(own) ? [...orderIds] : [];
      await expect.poll(async () => ledger(services, adjustmentId), PATIENT).toEqual(expected);
      if (expected.length > 0) {
        expect(await settled(services, adjustmentId)).toEqual({ confirmed: expected.length, claimed: expected.length });
      }
    }
  }
});

test('ten concurrent copies of an order of a cart become one order, throughout its life', async () => {
  const { body, cartOf, commerce, sold, ticket } = await newShop(services);
  const session = await cartOf([{ offeringId: ticket, quantity: 1 }]);
  const sent = body({ cartSessionId: session.id, expiresInSeconds: 600 });
  const ten = async () =>
    Promise.all(Array.from({ length: 10 }, async (_, n) => commerce.replica(n % 2).post('/orders', sent)));
  const first = await ten();
  expect(first.filter((reply) => reply.status === 201)).toHaveLength(1);
  expect(first.filter((reply) => reply.status === 200)).toHaveLength(9);
  const id = first[0]?.body.data.order.id;
  for (const [what, status] of [
    ['confirm', 'placed'],
    ['cancel', 'cancelled'],
  ] as const) {
    await commerce.post(`/orders/${id}/${what}`);
    expect(
      (await ten()).map((reply) => [reply.status, reply.body.data.order.id, reply.body.data.order.status]),
    ).toEqual(Array.from({ length: 10 }, () => [200, id, status]));
  }
  await expect.poll(sold, PATIENT).toMatchObject({ sold: 0, held: 0 });
});
