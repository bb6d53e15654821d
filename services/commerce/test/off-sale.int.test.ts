import { triesOfOne } from '@event-commerce/test-kit';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Services, sharedServices } from '../../../tests/harness/services.ts';
import { EUR, newShop, PATIENT } from './shop.ts';

let services: Services;
beforeAll(async () => {
  services = await sharedServices();
});

describe('when an event is cancelled', () => {
  test('it cannot be ordered, and a cancelled order for it cannot be reopened', async () => {
    const { commerce, events, eventId, order, ticket } = await newShop(services);
    const buy = async (more: object) =>
      (await order({ items: [{ offeringId: ticket, quantity: 1 }], ...more })).body.data.order;
    const over = await buy({});
    await commerce.post(`/orders/${over.id}/cancel`);
    await events.patch(`/events/${eventId}`, { status: 'cancelled' });

    const late = await order({ items: [{ offeringId: ticket, quantity: 1 }] });
    expect([late.status, late.body.error?.code]).toEqual([409, 'NOT_FOR_SALE']);
    const refused = await commerce.post(`/orders/${over.id}/reopen`);
    expect([refused.status, refused.body.error.code, refused.body.error.details]).toMatchObject([
      409,
      'NOT_FOR_SALE',
      [{ path: 'id', offeringId: ticket, message: expect.stringContaining(`event ${eventId}, which is cancelled`) }],
    ]);
    await events.patch(`/events/${eventId}`, { status: 'postponed' });
    expect((await commerce.post(`/orders/${over.id}/reopen`)).body.data.status).toBe('placed');
  });

  test('confirming a pending order cancels it, releases what it held, and says what to do', async () => {
    const { adjust, claimed, commerce, events, eventId, offer, order, ticket } = await newShop(services);
    const { code, id: adjustmentId } = await adjust({});
    const other = (await events.post('/events', { name: 'Elsewhere' })).body.data;
    const poster = (await events.post(`/events/${other.id}/offerings`, { name: 'Poster', price: EUR(100) })).body.data;
    const items = [ticket, await offer('Other', 100), poster.id].map((offeringId) => ({ offeringId, quantity: 1 }));
    const { id } = (await order({ items, coupons: [code], expiresInSeconds: 600 })).body.data.order;
    const placed = (await order({ items })).body.data.order;
    await events.patch(`/events/${eventId}`, { status: 'cancelled' });

    const [first, again] = triesOfOne();
    for (const attempt of [first, again, undefined]) {
      const refused = await commerce.post(`/orders/${id}/confirm`, undefined, attempt);
      expect([refused.status, refused.body.error.code]).toEqual([409, 'NOT_FOR_SALE']);
      expect(refused.body.error.message).toBe(
        `Event ${eventId} was cancelled. Order ${id} is cancelled too: refund the buyer.`,
      );
      expect(refused.body.error.details).toMatchObject([{ path: 'id', eventId }]);
    }
    expect((await commerce.get(`/orders/${id}`)).body.data).toMatchObject({ status: 'cancelled', version: 2 });
    const posters = async () => (await events.get(`/offerings/${poster.id}`)).body.data.availability;
    await expect.poll(posters, PATIENT).toMatchObject({ held: 0, sold: 1 });
    expect(await claimed(adjustmentId)).toBe(0);
    expect((await commerce.post(`/orders/${placed.id}/confirm`)).body.data.status).toBe('placed');
  });

  test('a confirmation with an outdated If-Match does not cancel a pending order', async () => {
    const { commerce, events, eventId, order, ticket } = await newShop(services);
    const items = [{ offeringId: ticket, quantity: 1 }];
    const { id } = (await order({ items, expiresInSeconds: 600 })).body.data.order;
    await commerce.patch(`/orders/${id}`, { meta: { note: 'changed' } });
    await events.patch(`/events/${eventId}`, { status: 'cancelled' });
    const stale = await commerce.post(`/orders/${id}/confirm`, undefined, { 'if-match': '"1"' });
    expect([stale.status, stale.body.error.code]).toEqual([409, 'VERSION_CONFLICT']);
    expect((await commerce.get(`/orders/${id}`)).body.data.status).toBe('pending');
    for (const status of ['archived', 'completed', 'draft', 'postponed']) {
      await events.patch(`/events/${eventId}`, { status });
    }
    expect((await commerce.post(`/orders/${id}/confirm`)).body.data.status).toBe('placed');
  });
});

describe('when an event is over', () => {
  test('it cannot be ordered, not even from a cart, which says so, but a pending order can be confirmed', async () => {
    const { cart, cartOf, commerce, events, eventId, order, ticket } = await newShop(services);
    const items = [{ offeringId: ticket, quantity: 1 }];
    const pending = (await order({ items, expiresInSeconds: 600 })).body.data.order;
    await events.patch(`/events/${eventId}`, { startsAt: '2020-01-01T18:00:00Z', endsAt: '2020-01-01T20:00:00Z' });
    const session = await cartOf(items);
    expect(session.items).toMatchObject([{ available: false, unavailableReason: 'event-over' }]);
    for (const changes of [{ items }, { cartSessionId: session.id }]) {
      const refused = await order(changes);
      expect([refused.status, refused.body.error.code]).toEqual([409, 'NOT_FOR_SALE']);
      expect(refused.body.error.message).toContain('was over at 2020-01-01T20:00:00.000Z');
    }
    expect((await cart.get(`/cart/sessions/${session.id}`)).body.data.status).toBe('open');
    expect((await commerce.post(`/orders/${pending.id}/confirm`)).body.data.status).toBe('placed');
  });
});
