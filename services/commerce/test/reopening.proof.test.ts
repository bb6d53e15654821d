import { call } from '@event-commerce/bus';
import { joinRefusals, RPC } from '@event-commerce/contracts';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Services, sharedServices } from '../../../tests/harness/services.ts';
import { EUR, newShop, PATIENT } from './shop.ts';

let services: Services;
beforeAll(async () => {
  services = await sharedServices();
});

describe('reopening', () => {
  test('claims everything again at the old price, even after the price has changed', async () => {
    const { adjust, cart, cartOf, claimed, commerce, events, order, pricing, sold, ticket } = await newShop(services);
    const { code, id } = await adjust({ conditions: { maxRedemptions: 1 } });
    const session = await cartOf([{ offeringId: ticket, quantity: 2 }], { coupons: [code] });
    const placed = (await order({ cartSessionId: session.id })).body.data.order;
    await commerce.post(`/orders/${placed.id}/cancel`);
    await expect.poll(sold, PATIENT).toMatchObject({ sold: 0, held: 0 });
    await events.patch(`/offerings/${ticket}`, { price: EUR(6_000) });
    await expect
      .poll(async () => (await cart.get(`/cart/sessions/${session.id}`)).body.data.status, PATIENT)
      .toBe('open');
    const reopened = await commerce.post(`/orders/${placed.id}/reopen`);
    expect([reopened.status, reopened.body.error?.message]).toEqual([200, undefined]);
    expect(reopened.body.data).toMatchObject({ status: 'placed', costs: placed.costs, version: 3 });
    expect(reopened.body.data).not.toHaveProperty('cancelledAt');
    expect(reopened.body.data.coupons[0].redemptionId).not.toBe(placed.coupons[0].redemptionId);
    await expect.poll(sold, PATIENT).toMatchObject({ sold: 2, held: 0 });
    await expect.poll(() => claimed(id), PATIENT).toBe(1);
    const redeemed = async () => (await pricing.get(`/pricing/adjustments/${id}/redemptions`)).body.data;
    await expect
      .poll(redeemed, PATIENT)
      .toMatchObject(['confirmed', 'released'].map((status) => ({ status, code, orderId: placed.id })));
    await expect
      .poll(async () => (await cart.get(`/cart/sessions/${session.id}`)).body.data.orderId, PATIENT)
      .toBe(placed.id);
    const again = await commerce.post(`/orders/${placed.id}/reopen`, {});
    expect(again.body.data).toEqual(reopened.body.data);
  });

  test('right after cancelling is not blocked by what the order itself had', async () => {
    const { adjust, commerce, offer, order } = await newShop(services);
    const scarce = await offer('Last one', 100, { capacity: 1 });
    const { code } = await adjust({ conditions: { maxRedemptions: 1 } });
    const { id } = (await order({ items: [{ offeringId: scarce, quantity: 1 }], coupons: [code] })).body.data.order;
    for (let n = 0; n < 2; n++) {
      expect((await commerce.post(`/orders/${id}/cancel`)).body.data.status).toBe('cancelled');
      const reopened = await commerce.post(`/orders/${id}/reopen`, { expiresInSeconds: 60 });
      expect([reopened.status, reopened.body.error?.message ?? reopened.body.data.status]).toEqual([200, 'pending']);
    }
  });

  test('keeps its claims when the services hear again, late, that the order was cancelled', async () => {
    const { adjust, commerce, context, offer, order } = await newShop(services);
    const scarce = await offer('Last one', 100, { capacity: 1 });
    const { code } = await adjust({ conditions: { maxRedemptions: 1 } });
    const items = [{ offeringId: scarce, quantity: 1 }];
    const { id } = (await order({ items, coupons: [code] })).body.data.order;
    await commerce.post(`/orders/${id}/cancel`);
    const cancelled = await services.models.commerce.orders.findById(id).lean();
    expect((await commerce.post(`/orders/${id}/reopen`)).status).toBe(200);
    const { claims = [], tickets = [] } = cancelled ?? {};
    expect([claims, tickets]).toEqual([[expect.anything()], [expect.anything(), expect.anything()]]);
    await call(services.bus, RPC.cancelClaims, { orderId: id, claims }, context(['orders:write']));
    await call(services.bus, RPC.cancelTickets, { orderId: id, claims: tickets }, context(['orders:write']));
    expect((await order({ items: [], coupons: [code] })).body.error.code).toBe('REDEMPTION_LIMIT_REACHED');
    expect((await order({ items })).body.error.code).toBe('SOLD_OUT');
  });

  test('is refused with the reason if something is gone, and nothing is claimed', async () => {
    const { adjust, claimed, commerce, left, offer, order } = await newShop(services);
    const scarce = await offer('Last one', 100, { capacity: 1 });
    const { code, id: adjustmentId } = await adjust({});
    const buy = async (coupons: string[]) => order({ items: [{ offeringId: scarce, quantity: 1 }], coupons });
    const first = (await buy([code])).body.data.order;
    await commerce.post(`/orders/${first.id}/cancel`);
    await expect.poll(async () => left(scarce), PATIENT).toBe(1);
    expect((await buy([])).status).toBe(201);
    const refused = await commerce.post(`/orders/${first.id}/reopen`);
    expect([refused.status, refused.body.error.code]).toEqual([409, 'SOLD_OUT']);
    expect(refused.body.error.details).toMatchObject([{ path: 'id', offeringId: scarce, left: 0 }]);
    expect((await commerce.get(`/orders/${first.id}`)).body.data.status).toBe('cancelled');
    expect(await claimed(adjustmentId)).toBe(0);
  });

  test('is refused if its cart session belongs to another order by now', async () => {
    const { cart, cartOf, commerce, order, ticket } = await newShop(services);
    const { id: cartSessionId } = await cartOf([{ offeringId: ticket, quantity: 1 }]);
    const { id } = (await order({ cartSessionId })).body.data.order;
    await commerce.post(`/orders/${id}/cancel`);
    const status = async () => (await cart.get(`/cart/sessions/${cartSessionId}`)).body.data.status;
    await expect.poll(status, PATIENT).toBe('open');
    const next = (await order({ cartSessionId })).body.data.order;
    const { body } = await commerce.post(`/orders/${id}/reopen`);
    expect(body.error).toMatchObject({
      code: 'CART_ALREADY_ORDERED',
      details: [{ path: 'id', orderId: next.id }],
    });
  });

  test('does not need a cart session that has ended since, unless the order had a seat with it', async () => {
    const { cart, cartOf, commerce, eventId, order, sold, ticket } = await newShop(services);
    const table = (await cart.post('/cart/table-commitments', { contextId: eventId, seats: 2 })).body.data;
    const sessions = [];
    for (const seated of [false, true]) {
      const { id } = await cartOf([{ offeringId: ticket, quantity: 1 }], { contextId: eventId });
      if (seated) {
        expect((await cart.post(`/cart/sessions/${id}/join-table`, { tableCommitmentId: table.id })).status).toBe(200);
      }
      const placed = (await order({ cartSessionId: id })).body.data.order;
      await commerce.post(`/orders/${placed.id}/cancel`);
      sessions.push({ id, orderId: placed.id });
    }
    await expect.poll(sold, PATIENT).toMatchObject({ sold: 0, held: 0 });
    const ended = sessions.map(({ id: sessionId }) => sessionId);
    await services.databases.cart.collection('sessions').deleteMany({ sessionId: { $in: ended } });
    const [plain, seated] = await Promise.all(
      sessions.map(async ({ orderId }) => commerce.post(`/orders/${orderId}/reopen`, {})),
    );
    expect([plain?.status, plain?.body.data?.status]).toEqual([200, 'placed']);
    expect([seated?.status, seated?.body.error?.code]).toEqual([409, 'TABLE_NOT_JOINABLE']);
    expect(seated?.body.error.message).toBe(joinRefusals.ended(table.id));
    await expect.poll(sold, PATIENT).toMatchObject({ sold: 1, held: 0 });
  });

  test('leaves alone a new session that reuses the id of its ended cart session', async () => {
    const { cart, cartOf, commerce, order, ticket } = await newShop(services);
    const items = [{ offeringId: ticket, quantity: 1 }];
    const { id } = await cartOf(items);
    const placed = (await order({ cartSessionId: id })).body.data.order;
    await commerce.post(`/orders/${placed.id}/cancel`);
    const orderedBy = async () =>
      (await services.databases.cart.collection('sessions').findOne({ sessionId: id }))?.['ordered'];
    await expect.poll(orderedBy, PATIENT).toBe(undefined);
    await services.databases.cart.collection('sessions').deleteOne({ sessionId: id });
    await cartOf(items, { id });
    expect((await commerce.post(`/orders/${placed.id}/reopen`)).status).toBe(200);
    expect((await cart.get(`/cart/sessions/${id}`)).body.data.status).toBe('open');
    const next = await order({ cartSessionId: id });
    expect([next.status, next.body.error?.message]).toEqual([201, undefined]);
    // Even while the new session is ordered.
    await commerce.post(`/orders/${placed.id}/cancel`);
    expect((await commerce.post(`/orders/${placed.id}/reopen`)).status).toBe(200);
    expect((await cart.get(`/cart/sessions/${id}`)).body.data.orderId).toBe(next.body.data.order.id);
  });

  test('is refused with the reason if its redemptions are no longer possible', async () => {
    const { adjust, commerce, order, pricing } = await newShop(services);
    const ends: ((adjustment: { id: string; code: string }) => Promise<{ status: number }>)[] = [
      async ({ id }) => pricing.delete(`/pricing/adjustments/${id}`),
      async ({ id }) => pricing.patch(`/pricing/adjustments/${id}`, { status: 'paused' }),
      async ({ id }) => pricing.patch(`/pricing/adjustments/${id}`, { conditions: { endsAt: '2020-01-01T00:00:00Z' } }),
      async ({ code }) => order({ coupons: [code] }),
    ];
    for (const end of ends) {
      const adjustment = await adjust({ conditions: { maxRedemptions: 1 } });
      const { id } = (await order({ coupons: [adjustment.code] })).body.data.order;
      await commerce.post(`/orders/${id}/cancel`);
      expect([200, 201]).toContain((await end(adjustment)).status);
      const refused = await commerce.post(`/orders/${id}/reopen`);
      expect([refused.status, refused.body.error.details]).toEqual([
        409,
        [expect.objectContaining({ path: 'id', adjustmentId: adjustment.id, reason: expect.any(String) as string })],
      ]);
    }
  });

  test('is refused while one of its adjustments is redeemed manually for the order, which can have only one redemption', async () => {
    const { adjust, claimed, commerce, order, pricing } = await newShop(services);
    const { code, id: adjustmentId } = await adjust({ conditions: { maxRedemptions: 2 } });
    const { id: orderId } = (await order({ coupons: [code] })).body.data.order;
    await commerce.post(`/orders/${orderId}/cancel`);
    const redemptions = `/pricing/adjustments/${adjustmentId}/redemptions`;
    const byHand = (await pricing.post(redemptions, { orderId })).body.data.redemption;
    const refused = await commerce.post(`/orders/${orderId}/reopen`);
    expect([refused.status, refused.body.error?.code]).toEqual([409, 'REDEMPTION_LIMIT_REACHED']);
    expect(refused.body.error.details).toMatchObject([
      { path: 'id', adjustmentId, detail: expect.stringContaining(byHand.id) as string },
    ]);
    expect(await claimed(adjustmentId)).toBe(1);
    await pricing.delete(`${redemptions}/${byHand.id}`);
    const reopened = (await commerce.post(`/orders/${orderId}/reopen`)).body.data;
    const redeemed = async () => (await pricing.get(redemptions)).body.data;
    await expect
      .poll(redeemed, PATIENT)
      .toContainEqual(expect.objectContaining({ id: reopened.coupons[0].redemptionId, status: 'confirmed' }));
    expect((await pricing.post(redemptions, { orderId })).body.data.redemption.id).toBe(
      reopened.coupons[0].redemptionId,
    );
  });

  test('takes the seat that an earlier reopening got, or is refused', async () => {
    const { cart, cartOf, commerce, eventId, order, ticket } = await newShop(services);
    const table = (await cart.post('/cart/table-commitments', { contextId: eventId, seats: 1 })).body.data;
    const join = async (id: string) =>
      (await cart.post(`/cart/sessions/${id}/join-table`, { tableCommitmentId: table.id })).status;
    const [session, other] = [
      await cartOf([{ offeringId: ticket, quantity: 1 }], { contextId: eventId }),
      await cartOf([], { contextId: eventId }),
    ];
    const { id } = (await order({ cartSessionId: session.id })).body.data.order;
    await commerce.post(`/orders/${id}/cancel`);
    expect(await join(session.id)).toBe(200);
    expect((await commerce.post(`/orders/${id}/reopen`)).status).toBe(200);
    await commerce.post(`/orders/${id}/cancel`);
    expect((await cart.post(`/cart/sessions/${session.id}/leave-table`)).status).toBe(200);
    expect(await join(other.id)).toBe(200);
    const refused = await commerce.post(`/orders/${id}/reopen`);
    expect([refused.status, refused.body.error?.code]).toEqual([409, 'TABLE_NOT_JOINABLE']);
    expect(refused.body.error.details).toMatchObject([{ path: 'id' }]);
  });
});
