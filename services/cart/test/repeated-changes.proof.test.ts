import { parseAttempt } from '@event-commerce/contracts';
import { liveTenant, orderBody, triesOfOne } from '@event-commerce/test-kit';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Services, sharedServices } from '../../../tests/harness/services.ts';
import { newCart, poster } from './sessions.ts';
import { openStores } from './session-world.ts';
import { expectConsistent, join, leave, newSession, newTable, table, tableOf } from './tables.ts';

let services: Services;
beforeAll(async () => {
  services = await sharedServices();
});

/** The session as its next reader gets it, priced again. */
const asNow = (session: object) => ({ ...session, pricedAt: expect.any(String) });

describe('a request that is repeated because its response was lost takes effect once:', () => {
  test.each([
    ['on another replica', 1, {}],
    ['on the same replica', 0, {}],
    ['with If-Match', 1, { 'if-match': '"1"' }],
    ['with If-Match, on the same replica', 0, { 'if-match': '"1"' }],
  ])('setting an item %s, without undoing later changes', async (_what, replica, headers) => {
    const { company, path, read } = await newCart(services);
    const [first, again] = triesOfOne();
    const set = async (quantity: number, more: object) =>
      company.cart.replica(replica).post(`${path}/item`, poster(quantity), { ...headers, ...more });
    expect((await company.cart.post(`${path}/item`, poster(2), { ...headers, ...first })).status).toBe(200);
    const unchanged = await set(2, again);
    expect([unchanged.status, unchanged.body.data]).toEqual([200, asNow(await read())]);
    await company.cart.post(`${path}/item`, poster(5));
    const now = await read();
    expect(now).toMatchObject({ version: 3, items: [{ quantity: 5 }] });
    const reply = await set(2, again);
    expect([reply.status, reply.body.data]).toEqual([200, asNow(now)]);
    expect(await read()).toEqual(asNow(now));
    expect(JSON.stringify(reply.body)).not.toContain('attempt');
  });

  test('setting an item of a cart that was ordered since', async () => {
    const { company, sessionId, path, read } = await newCart(services);
    const [first, again] = triesOfOne();
    await company.cart.post(`${path}/item`, poster(2), first);
    const body = orderBody(company.companyId, { items: undefined, cartSessionId: sessionId });
    const placed = await company.commerce.post('/orders', body);
    expect([placed.status, placed.body.error]).toEqual([201, undefined]);
    const orderId = placed.body.data.order.id;
    // Cart has heard of the order.
    await expect.poll(read).toMatchObject({ version: 3 });
    const reply = await company.cart.post(`${path}/item`, poster(2), again);
    expect([reply.status, reply.body.data]).toMatchObject([200, { status: 'ordered', orderId }]);
    expect(reply.body.data).toEqual(asNow(await read()));
  });

  test('setting items by many concurrent requests, with two concurrent attempts each, though the session keeps only a few', async () => {
    const { company, path, sessionId, read } = await newCart(services);
    const set = async (headers: Record<string, string>, replica: number) =>
      company.cart.replica(replica).post(`${path}/item`, poster(2), headers);
    const tries = Array.from({ length: 20 }, triesOfOne).flat();
    const replies = await Promise.all(tries.map(async (headers, n) => set(headers, Math.floor(n / 2) % 2)));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await read()).toMatchObject({ version: 21 });
    const [first] = triesOfOne();
    await set(first, 0);
    const stored = await services.models.cart.sessions.collection.findOne({ sessionId });
    expect(stored?.['attempts']).toHaveLength(20);
    expect(stored?.['attempts']).toContain(parseAttempt(Object.values(first)[0])?.idSuffix);
  });

  test.each([{}, { 'if-match': '"1"' }])('joining a table that the session left since (%j)', async (headers) => {
    const company = services.newCompany();
    const api = company.cart;
    const [id, session] = [await newTable(api, 1), await newSession(api)];
    const [first, again] = triesOfOne();
    const joined = await join(api, session, id, { ...headers, ...first });
    const unchanged = await join(company.cart.replica(1), session, id, { ...headers, ...again });
    expect([unchanged.status, unchanged.body.data]).toEqual([200, asNow(joined.body.data)]);
    const left = await leave(api, session);
    const reply = await join(company.cart.replica(1), session, id, { ...headers, ...again });
    expect([reply.status, reply.body.data]).toEqual([200, asNow(left.body.data)]);
    expect(await table(api, id)).toMatchObject({ seatsTaken: 0 });
    await expectConsistent(services, company);
  });

  test.each([{}, { 'if-match': '"2"' }])('leaving a table that the session joined since (%j)', async (headers) => {
    const company = services.newCompany();
    const api = company.cart;
    const [id, session] = [await newTable(api, 1), await newSession(api)];
    await join(api, session, id);
    const [first, again] = triesOfOne();
    const left = await leave(api, session, { ...headers, ...first });
    const unchanged = await leave(company.cart.replica(1), session, { ...headers, ...again });
    expect([unchanged.status, unchanged.body.data]).toEqual([200, asNow(left.body.data)]);
    const joined = await join(api, session, id);
    const reply = await leave(company.cart.replica(1), session, { ...headers, ...again });
    expect([reply.status, reply.body.data]).toEqual([200, asNow(joined.body.data)]);
    expect(await table(api, id)).toMatchObject({ seatsTaken: 1, joinedSessions: [session] });
    await expectConsistent(services, company);
  });

  test('joining a table that the session left since, although the first attempt was killed when it had the seat', async () => {
    const company = services.newCompany();
    const api = company.cart;
    const [id, session] = [await newTable(api, 1), await newSession(api)];
    const [first, again] = triesOfOne();
    const caller = { tenant: liveTenant(company.companyId), traceparent: undefined };
    const { createdAt } =
      (await openStores(services.models.cart).sessions.load(caller.tenant, session)) ?? expect.fail('no session');
    const attempt = parseAttempt(Object.values(first)[0])?.idSuffix ?? expect.fail('no attempt');
    const seat = { sessionId: session, sessionCreatedAt: createdAt, seats: 1, attempt };
    await openStores(services.models.cart).tables.takeSeat(caller, { tableId: id, seats: 1 }, seat, new Date());
    await expect.poll(() => tableOf(api, session), { timeout: 10_000 }).toBe(id);
    await leave(api, session);
    expect((await join(api, session, id, again)).body.data).not.toHaveProperty('tableCommitmentId');
    expect(await table(api, id)).toMatchObject({ seatsTaken: 0, joinedSessions: [] });
    expect(company.published('cart.table_joined').map(({ data }) => data.session)).toEqual([
      { id: session, createdAt: createdAt.toISOString(), seats: 1 },
    ]);
  });
});
