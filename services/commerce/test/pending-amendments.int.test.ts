import { triesOfOne } from '@event-commerce/test-kit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Services, startServices } from '../../../tests/harness/services.ts';
import { movableClocks } from './plain-orders.ts';
import { newShop, PATIENT } from './shop.ts';

const { clock, later } = movableClocks();
let services: Services;
beforeAll(async () => {
  services = await startServices({ replicas: { pricing: 1, commerce: 1, events: 1 }, clock });
});
afterAll(async () => services?.stop());

/** A shop with a few tickets of one offering, an order of two of them, and an amendment that holds one more. */
async function newPending({ capacity = 4, held = {} } = {}) {
  const shop = await newShop(services);
  const { commerce, events } = shop;
  const offeringId = await shop.offer('Scarce', 5_000, { capacity });
  const { id } = (await shop.order({ items: [{ offeringId, quantity: 2 }] })).body.data.order;
  const more = (quantity: number) => ({ mode: 'keep', items: [{ offeringId, quantity }] });
  const amend = async (body: object, headers = {}) => commerce.post(`/orders/${id}/amendments`, body, headers);
  const made = await amend({ ...more(3), expiresInSeconds: 60, ...held });
  expect(made.status).toBe(201);
  const { order, amendment } = made.body.data;
  return {
    ...shop,
    id: id as string,
    offeringId,
    order,
    amendment,
    more,
    amend,
    read: async () => (await commerce.get(`/orders/${id}`)).body.data,
    history: async () => (await commerce.get(`/orders/${id}/amendments`)).body.data,
    move: async (what: 'confirm' | 'cancel', headers = {}, of = amendment.id) =>
      commerce.post(`/orders/${id}/amendments/${of}/${what}`, undefined, headers),
    moveOrder: async (what: string) => commerce.post(`/orders/${id}/${what}`),
    tickets: async () => (await events.get(`/offerings/${offeringId}`)).body.data.availability,
  };
}

const outcome = ({ status, body }: { status: number; body: any }) =>
  body.error?.code ?? [status, body.data.amendment.state, body.data.order.costs.total];

describe('an amendment that waits for the buyer to pay', () => {
  test('holds what it adds, and leaves the order as it is until it is confirmed', async () => {
    const { amendment, order, read, move, tickets, ...pending } = await newPending();
    expect(amendment).toMatchObject({ state: 'pending', number: 1, due: 5_000, costs: { after: { total: 15_000 } } });
    expect(amendment).not.toHaveProperty('orderVersion');
    expect(Date.parse(amendment.expiresAt) - Date.parse(amendment.created)).toBe(60_000);
    expect(order).toMatchObject({
      status: 'placed',
      costs: { total: 10_000 },
      items: [{ quantity: 2 }],
      amendments: 1,
    });
    const { id, expiresAt } = amendment;
    expect(order.pendingAmendment).toEqual({ id, due: 5_000, total: 15_000, expiresAt });
    await expect.poll(tickets, PATIENT).toEqual({ sold: 2, held: 1, left: 1 });

    const other = await pending.amend(pending.more(2));
    expect([other.status, other.body.error.code]).toEqual([409, 'AMENDMENT_PENDING']);
    expect(other.body.error.message).toBe(
      `Order ${order.id} has amendment ${id} pending until ${expiresAt}; confirm or cancel it first.`,
    );
    const preview = await pending.commerce.post(`/orders/${order.id}/amendments/preview`, { items: [] });
    expect(preview.body.error.code).toBe('AMENDMENT_PENDING');

    const confirmed = (await move('confirm')).body.data;
    expect(confirmed.order).toMatchObject({ costs: { total: 15_000 }, version: 3, amendments: 1 });
    expect(confirmed.order).not.toHaveProperty('pendingAmendment');
    expect(confirmed.amendment).toEqual({ ...amendment, state: 'applied', orderVersion: 3 });
    await expect.poll(tickets).toEqual({ sold: 3, held: 0, left: 1 });
    expect([(await move('confirm')).body.data, await read()]).toEqual([confirmed, confirmed.order]);
    expect((await pending.history())[0]).toEqual(confirmed.amendment);
    const types = () => pending.published().flatMap(({ type, subject }) => (subject === order.id ? [type] : []));
    await expect.poll(types, PATIENT).toEqual(['order.placed', 'order.amendment_pending', 'order.amended']);
    expect((await pending.amend(pending.more(1))).body.data.amendment).toMatchObject({ number: 2, due: -10_000 });
  });

  test('returns nothing before it is applied', async () => {
    const { tickets, move, ...pending } = await newPending({ held: { items: [{ lineId: 'ln_1', quantity: 1 }] } });
    expect(pending.amendment.due).toBe(-5_000);
    await expect.poll(tickets).toEqual({ sold: 2, held: 0, left: 2 });
    await move('confirm');
    await expect.poll(tickets).toEqual({ sold: 1, held: 0, left: 3 });
  });

  test('gives back what it held, and changes nothing, if it is not confirmed in time', async () => {
    const { amend, more, move, order, tickets, ...pending } = await newPending({ capacity: 3 });
    later(61);
    const refused = await move('confirm');
    expect([refused.status, refused.body.error.code]).toEqual([409, 'AMENDMENT_EXPIRED']);
    expect(refused.body.error.message).toContain(pending.amendment.expiresAt);
    await expect.poll(tickets).toEqual({ sold: 2, held: 0, left: 1 });
    expect(await pending.read()).toMatchObject({ version: 3, costs: order.costs, items: order.items });
    const ended = () => pending.published().findLast(({ type }) => type === 'order.amendment_ended');
    await expect
      .poll(ended, PATIENT)
      .toMatchObject({ subject: order.id, version: 3, data: { amendment: { state: 'expired' } } });
    // Even the last ticket can be asked for at once, whoever finds that the time is over.
    const again = (await amend({ ...more(3), expiresInSeconds: 60 })).body.data.amendment;
    later(61);
    expect((await amend(more(3))).body.data.amendment).toMatchObject({ number: 3, state: 'applied' });
    expect((await pending.history()).map(({ state }: any) => state)).toEqual(['applied', 'expired', 'expired']);
    expect((await move('confirm', {}, again.id)).body.error.code).toBe('AMENDMENT_EXPIRED');
  });

  test('expires by itself', async () => {
    const { tickets, history } = await newPending();
    later(61);
    await expect.poll(async () => (await history())[0].state, PATIENT).toBe('expired');
    await expect.poll(tickets, PATIENT).toEqual({ sold: 2, held: 0, left: 2 });
  });

  test('redeems a new code only once it is confirmed, and an order that is reopened does not have it', async () => {
    for (const [what, redeemed] of [
      ['confirm', 1],
      ['cancel', 0],
    ] as const) {
      const { adjust, amend, claimed, commerce, move, ...pending } = await newPending();
      await move('cancel');
      const { code, id } = await adjust({ stacking: 'stackable' });
      const { amendment } = (await amend({ mode: 'reprice', coupons: [code], expiresInSeconds: 60 })).body.data;
      expect([amendment.due, (await pending.read()).coupons, await claimed(id)]).toEqual([-2_000, [], 1]);
      expect((await move(what, {}, amendment.id)).status).toBe(200);
      expect(await claimed(id)).toBe(redeemed);
      await pending.moveOrder('cancel');
      await commerce.post(`/orders/${pending.id}/reopen`);
      expect(await claimed(id)).toBe(redeemed);
    }
  });

  test('is confirmed once by a request and its repeats, and never at another version than the caller expects', async () => {
    const { move, amendment, id, commerce } = await newPending();
    const stale = await move('confirm', { 'if-match': '"1"' });
    expect([stale.status, stale.body.error.code]).toEqual([409, 'VERSION_CONFLICT']);
    const [first, second] = triesOfOne();
    const confirmed = await move('confirm', { ...first, 'if-match': '"2"' });
    await commerce.patch(`/orders/${id}`, { status: 'paid' });
    const repeated = await move('confirm', { ...second, 'if-match': '"2"' });
    expect([confirmed, repeated].map(({ status }) => status)).toEqual([200, 200]);
    expect(repeated.body.data).toMatchObject({ amendment: confirmed.body.data.amendment, order: { status: 'paid' } });
    const unknown = await move('confirm', {}, `${amendment.id}x`);
    expect([unknown.status, unknown.body.error.code]).toEqual([404, 'AMENDMENT_NOT_FOUND']);
  });

  test('is cancelled if it adds tickets of a cancelled event', async () => {
    const { move, events, eventId, tickets, history } = await newPending();
    await events.patch(`/events/${eventId}`, { status: 'cancelled' });
    const refused = await move('confirm');
    expect([refused.status, refused.body.error.code]).toEqual([409, 'NOT_FOR_SALE']);
    expect(refused.body.error.details[0]).toMatchObject({ path: 'amendmentId', eventId });
    expect([(await history())[0].state, (await tickets()).held]).toEqual(['cancelled', 0]);
  });
});

describe('an order with a pending amendment', () => {
  const states = async ({ read, history }: Awaited<ReturnType<typeof newPending>>) => [
    (await read()).status,
    (await history())[0].state,
  ];

  test('stays as it is when it is confirmed, and ends with its amendment when it is cancelled', async () => {
    const pending = await newPending();
    expect((await pending.moveOrder('confirm')).body.data.version).toBe(2);
    expect(await states(pending)).toEqual(['placed', 'pending']);
    expect((await pending.moveOrder('cancel')).body.data).not.toHaveProperty('pendingAmendment');
    expect(await states(pending)).toEqual(['cancelled', 'cancelled']);
    await expect.poll(pending.tickets).toEqual({ sold: 0, held: 0, left: 4 });
    for (const refused of [
      await pending.move('confirm'),
      await pending.move('cancel'),
      await pending.amend({ ...pending.more(3), expiresInSeconds: 60 }),
    ]) {
      expect(outcome(refused)).toBe('ORDER_STATUS_CONFLICT');
    }
    expect((await pending.moveOrder('reopen')).body.data).toMatchObject({ status: 'placed', costs: { total: 10_000 } });
    await expect.poll(pending.tickets, PATIENT).toEqual({ sold: 2, held: 0, left: 2 });
    expect(outcome(await pending.move('confirm'))).toBe('AMENDMENT_STATUS_CONFLICT');
  });

  test('ends each amendment once, and repeats its end', async () => {
    const [applied, cancelled, expired] = await Promise.all([newPending(), newPending(), newPending()]);
    const outcomes = async ({ move }: typeof applied) => [
      outcome(await move('confirm')),
      outcome(await move('cancel')),
    ];
    await applied.move('confirm');
    expect(await outcomes(applied)).toEqual([[200, 'applied', 15_000], 'AMENDMENT_STATUS_CONFLICT']);
    await cancelled.move('cancel');
    expect(await outcomes(cancelled)).toEqual(['AMENDMENT_STATUS_CONFLICT', [200, 'cancelled', 10_000]]);
    await expect.poll(cancelled.tickets).toEqual({ sold: 2, held: 0, left: 2 });
    later(61);
    expect(await outcomes(expired)).toEqual(['AMENDMENT_EXPIRED', [200, 'expired', 10_000]]);
  });
});

test('an amendment of a pending order waits for the order: it has no expiry of its own', async () => {
  const shop = await newShop(services);
  const items = [{ offeringId: shop.ticket, quantity: 1 }];
  const checkout = shop.as('orders:checkout');
  const pending = (await checkout.post('/orders', shop.body({ items, expiresInSeconds: 600 }))).body.data.order;
  const more = { mode: 'keep', items: [{ offeringId: shop.ticket, quantity: 2 }] };
  const path = `/orders/${pending.id}/amendments`;
  const refused = await checkout.post(path, { ...more, expiresInSeconds: 60 });
  expect([refused.status, refused.body.error.details[0].path]).toEqual([400, 'expiresInSeconds']);
  const { amendment, order } = (await checkout.post(path, more)).body.data;
  expect([amendment.state, order.status]).toEqual(['applied', 'pending']);
  expect((await checkout.post(`${path}/${amendment.id}/confirm`)).body.data.order).toEqual(order);
  await shop.commerce.post(`/orders/${pending.id}/confirm`);
  for (const [at, body] of [[path, { ...more, expiresInSeconds: 60 }], [`${path}/${amendment.id}/confirm`]] as const) {
    expect((await checkout.post(at, body)).status).toBe(403);
  }
});
