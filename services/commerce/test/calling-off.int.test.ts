import { AUDIENCE, IDENTITY_HEADER } from '@event-commerce/contracts';
import { triesOfOne } from '@event-commerce/test-kit';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Services, sharedServices } from '../../../tests/harness/services.ts';
import { EUR, newShop, PATIENT } from './shop.ts';

const STORM = { reason: 'A storm is coming', cancelOrders: true };

let services: Services;
beforeAll(async () => {
  services = await sharedServices();
});

/** A shop whose event can be called off, and another event of the same company. */
async function newStorm() {
  const shop = await newShop(services);
  const { commerce, events, eventId, order, ticket } = shop;
  const path = `/events/${eventId}/call-off`;
  const ball = (await events.post('/events', { name: 'Ball', capacity: 50 })).body.data;
  const dance = (await events.post(`/events/${ball.id}/offerings`, { name: 'Dance', price: EUR(3_000) })).body.data.id;
  const buy = async (quantities: Record<string, number>, more: object = {}) => {
    const items = Object.entries(quantities).map(([offeringId, quantity]) => ({ offeringId, quantity }));
    const { status, body } = await order({ items, ...more });
    expect([status, body.error?.message]).toEqual([201, undefined]);
    return body.data.order;
  };
  return {
    ...shop,
    path,
    dance: dance as string,
    buy,
    buyTickets: async (quantity: number, more: object = {}) => buy({ [ticket]: quantity }, more),
    read: async (id: string) => (await commerce.get(`/orders/${id}`)).body.data,
    event: async () => (await events.get(`/events/${eventId}`)).body.data,
    callOff: async (body: object = STORM, headers?: Record<string, string>) => events.post(path, body, headers),
    /** The call-off once all orders are dealt with. */
    done: async () => {
      await expect.poll(async () => (await events.get(path)).body.data.status, PATIENT).not.toBe('running');
      return (await events.get(path)).body.data;
    },
    undo: async (headers?: Record<string, string>) => events.post(`${path}/undo`, undefined, headers),
    asCsv: async () => {
      const token = services.identity.token(shop.companyId, AUDIENCE.commerce, 'live', ['orders:read']);
      const headers = { [IDENTITY_HEADER]: token };
      const response = await fetch(`${services.replicas.commerce[0]?.url}${path}/orders?format=csv`, { headers });
      return await response.text();
    },
    listed: async (query = '') => (await commerce.get(`${path}/orders${query}`)).body.data,
  };
}

describe('an event that is called off', () => {
  test('sells nothing after the response; its orders are cancelled with all that they hold, and say why', async () => {
    const shop = await newStorm();
    const { adjust, buyTickets, callOff, claimed, commerce, done, eventId, listed, order, read, sold, ticket } = shop;
    const { code, id: adjustmentId } = await adjust({});
    const placed = await buyTickets(2, { coupons: [code], customer: { email: 'Ada@example.com', firstName: 'Ada' } });
    const pending = await buyTickets(3, { expiresInSeconds: 600, customer: { email: 'ada@example.com' } });
    const over = await buyTickets(1);
    await commerce.post(`/orders/${over.id}/cancel`);

    const { status, body } = await callOff();
    expect([200, 202]).toContain(status);
    expect(body.data).toMatchObject({ id: expect.stringMatching(/^cof_/), eventId, ...STORM });
    const late = await order({ items: [{ offeringId: ticket, quantity: 1 }] });
    expect([late.status, late.body.error.code]).toEqual([409, 'NOT_FOR_SALE']);
    expect(await shop.event()).toMatchObject({
      status: 'cancelled',
      callOff: { id: body.data.id, reason: STORM.reason },
    });

    const total = placed.costs.total;
    const report = { orders: 2, cancelled: 2, changed: 0, byHand: 0, listed: 0, tickets: 5, toPayBack: [EUR(total)] };
    expect((await done()).report).toEqual({ ...report, emails: 1 });
    const callOffOf = { id: body.data.id, reason: STORM.reason, eventId };
    expect(await read(placed.id)).toMatchObject({
      status: 'cancelled',
      callOff: { ...callOffOf, stateBefore: 'placed' },
    });
    expect(await read(pending.id)).toMatchObject({
      status: 'cancelled',
      callOff: { ...callOffOf, stateBefore: 'pending' },
    });
    expect(await read(over.id)).not.toHaveProperty('callOff');
    await expect.poll(sold, PATIENT).toMatchObject({ sold: 0, held: 0, left: 100 });
    await expect.poll(async () => claimed(adjustmentId), PATIENT).toBe(0);
    expect(await listed()).toEqual([
      {
        orderId: pending.id,
        orderNumber: pending.orderNumber,
        email: 'ada@example.com',
        tickets: 3,
        currency: 'EUR',
        toPayBack: 0,
        state: 'cancelled',
        orderStatus: 'cancelled',
      },
      expect.objectContaining({ orderId: placed.id, firstName: 'Ada', tickets: 2, toPayBack: total }),
    ]);
    const refused = await commerce.post(`/orders/${pending.id}/confirm`);
    expect([refused.status, refused.body.error.code]).toEqual([409, 'NOT_FOR_SALE']);
  });

  test('takes only its own tickets from an order that has others, at the price that was paid', async () => {
    const { buy, callOff, commerce, dance, done, listed, read, sold, ticket } = await newStorm();
    const both = await buy({ [ticket]: 2, [dance]: 1 });
    const pending = await buy({ [ticket]: 1, [dance]: 1 }, { expiresInSeconds: 600 });
    const stated = await buy(
      { [ticket]: 1, [dance]: 1 },
      { costs: { subtotal: 1_000, modifiers: 0, fees: 0, tax: 0, total: 1_000 } },
    );
    await callOff();
    const { report } = await done();
    expect(await read(both.id)).toMatchObject({
      status: 'placed',
      amendments: 1,
      items: [{ offeringId: dance, quantity: 1 }],
      costs: { total: 3_000 },
    });
    expect(await read(pending.id)).toMatchObject({ status: 'pending', costs: { total: 3_000 } });
    const [amendment] = (await commerce.get(`/orders/${both.id}/amendments`)).body.data;
    expect(amendment).toMatchObject({ mode: 'keep', due: -10_000, callOff: { reason: STORM.reason } });
    const rows = await listed();
    expect(rows.map(({ orderId, state, toPayBack }: any) => [orderId, state, toPayBack])).toEqual([
      [stated.id, 'changed', 625],
      [pending.id, 'changed', 0],
      [both.id, 'changed', 10_000],
    ]);
    expect(report).toMatchObject({ orders: 3, changed: 3, tickets: 4, toPayBack: [EUR(10_625)] });
    await expect.poll(sold, PATIENT).toMatchObject({ held: 0 });
  });

  test('leaves its orders as they are when asked only to list them; a second call-off cancels them', async () => {
    const { asCsv, buyTickets, callOff, done, listed, read } = await newStorm();
    const { id, costs } = await buyTickets(2);
    const first = (await callOff({ ...STORM, cancelOrders: false })).body.data;
    expect((await done()).report).toMatchObject({ orders: 1, listed: 1, tickets: 2, toPayBack: [EUR(costs.total)] });
    expect((await read(id)).status).toBe('placed');
    expect(await listed('?state=cancelled')).toEqual([]);
    expect(await listed('?state=listed')).toMatchObject([{ orderId: id, orderStatus: 'placed' }]);
    const csv = await asCsv();
    expect(csv.split('\r\n')[0]).toBe(
      'orderNumber,email,firstName,lastName,tickets,currency,toPayBack,state,why,orderStatus,orderId',
    );
    expect(csv).toContain(`,2,EUR,${costs.total},listed,,placed,${id}\r\n`);
    const second = (await callOff()).body.data;
    expect(second.id).not.toBe(first.id);
    expect((await done()).report).toMatchObject({ orders: 1, cancelled: 1 });
  });

  test('is called off once: a repeat returns the same call-off, and If-Match names its version', async () => {
    const { buyTickets, callOff, done, event, undo } = await newStorm();
    await buyTickets(1);
    const stale = await callOff(STORM, { 'if-match': '"7"' });
    expect([stale.status, stale.body.error.code]).toEqual([409, 'VERSION_CONFLICT']);
    const [first, again] = triesOfOne();
    const answers = [await callOff(STORM, { ...first, 'if-match': '"1"' }), await callOff(STORM, again)];
    answers.push(await callOff(), await callOff({ reason: 'Other words', cancelOrders: false }));
    expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(1);
    expect((await done()).reason).toBe(STORM.reason);
    expect((await event()).version).toBe(2);
    expect((await undo({ 'if-match': '"1"' })).body.error.code).toBe('VERSION_CONFLICT');
  });

  test('is on sale again, as before, once that is undone; cancelled orders stay cancelled and can be reopened', async () => {
    const { buyTickets, callOff, commerce, done, event, events, eventId, read, undo } = await newStorm();
    await events.patch(`/events/${eventId}`, { status: 'postponed' });
    const { id } = await buyTickets(2);
    await callOff();
    await done();
    const undone = await undo();
    expect([undone.status, undone.body.data.status]).toEqual([200, 'undone']);
    expect((await undo()).body.data).toEqual(undone.body.data);
    expect(await event()).toMatchObject({ status: 'postponed' });
    expect(await event()).not.toHaveProperty('callOff');
    await buyTickets(1);
    expect((await read(id)).status).toBe('cancelled');
    const reopened = (await commerce.post(`/orders/${id}/reopen`)).body.data;
    expect(reopened.status).toBe('placed');
    expect(reopened).not.toHaveProperty('callOff');
    // It can be called off once more.
    await callOff();
    expect((await done()).report).toMatchObject({ orders: 2, cancelled: 2 });
  });

  test('may be one date of a series, which then has the status of the series again', async () => {
    const { events } = await newStorm();
    const series = (await events.post('/events', { kind: 'series', name: 'Tour' })).body.data;
    const date = (await events.post(`/events/${series.id}/instances`, {})).body.data;
    const refused = await events.post(`/events/${series.id}/call-off`, STORM);
    expect([refused.status, refused.body.error.details[0].path]).toEqual([400, 'id']);
    await events.post(`/events/${date.id}/call-off`, STORM);
    expect((await events.get(`/events/${date.id}`)).body.data).toMatchObject({
      status: 'cancelled',
      overrides: ['status'],
    });
    await events.post(`/events/${date.id}/call-off/undo`);
    expect((await events.get(`/events/${date.id}`)).body.data).toMatchObject({ status: 'published', overrides: [] });
  });

  test('is refused if a field is missing, and to a key that may not cancel orders', async () => {
    const { callOff, commerce, events, eventId, path } = await newStorm();
    const unknown = await events.post('/events/evt_unknown/call-off', STORM);
    expect([unknown.status, unknown.body.error.code]).toEqual([404, 'EVENT_NOT_FOUND']);
    for (const [body, field] of [
      [{ cancelOrders: true }, 'reason'],
      [{ reason: ' ', cancelOrders: true }, 'reason'],
      [{ reason: 'A storm' }, 'cancelOrders'],
    ] as const) {
      const refused = await callOff(body);
      expect([refused.status, refused.body.error.details[0].path]).toEqual([400, field]);
    }
    for (const read of [await events.get(path), await commerce.get(`${path}/orders`)]) {
      expect([read.status, read.body.error.code]).toEqual([404, 'CALL_OFF_NOT_FOUND']);
    }
    const mine = events.as('events:write');
    expect((await mine.post(path, STORM)).body.error.code).toBe('FORBIDDEN');
    expect([200, 202]).toContain((await mine.post(path, { ...STORM, cancelOrders: false })).status);
    await expect
      .poll(async () => (await events.patch(`/events/${eventId}`, { status: 'published' })).status, PATIENT)
      .toBe(200);
    expect((await events.get(`/events/${eventId}`)).body.data).not.toHaveProperty('callOff');
  });
});
