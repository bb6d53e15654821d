import { liveTenant } from '@event-commerce/test-kit';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Company, type Services, startServices } from '../../../tests/harness/services.ts';
import { lapseSeat } from '../src/tables/lapse-seats.ts';
import { checkOut, release, tell } from './checkouts.ts';
import { openStores } from './session-world.ts';
import { item, newSessionId, poster, setItem } from './sessions.ts';
import { serveEmptyCatalogue, serveOrders, type SimulatedOrders } from './simulated-commerce.ts';
import { expectConsistent, join, newSession, newTable, table } from './tables.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const IDLE_MS = 7 * DAY_MS;

// The services have a clock of their own, so that days can pass.
let services: Services;
let orders: SimulatedOrders;
let now = () => new Date();
beforeAll(async () => {
  services = await startServices({ replicas: { cart: 2, pricing: 1 }, clock: () => now() });
  serveEmptyCatalogue(services.bus);
  orders = serveOrders(services.bus);
});
afterEach(() => {
  now = () => new Date();
});
afterAll(async () => services?.stop());

const storedSession = async ({ companyId }: Company, id: string) =>
  services.models.cart.sessions.collection.findOne({ _id: `${companyId}/${id}` } as never);

describe('a session that was idle for seven days', () => {
  test('is gone at once, and its id creates a new one', async () => {
    const company = services.newCompany();
    const id = newSessionId();
    const first = await setItem(company, id, item('a', 1, { price: 100 }));
    const expiresAt = Date.parse(first.body.data.expiresAt);
    expect(expiresAt - Date.parse(first.body.data.changedAt)).toBe(IDLE_MS);
    const listed = async () => (await company.cart.get('/cart/sessions')).body;
    now = () => new Date(expiresAt - 1);
    expect((await company.cart.get(`/cart/sessions/${id}`)).status).toBe(200);
    expect((await listed()).data).toMatchObject([{ id }]);
    now = () => new Date(expiresAt);
    expect((await company.cart.get(`/cart/sessions/${id}`)).status).toBe(404);
    expect(await listed()).toEqual({ data: [], page: { next: null, limit: 50 } });
    expect((await company.cart.patch(`/cart/sessions/${id}`, { coupons: [] })).status).toBe(404);
    const { body } = await setItem(company, id, item('b', 1, { price: 200 }));
    expect(body.data).toMatchObject({ total: 200, createdAt: new Date(expiresAt).toISOString() });
    expect(body.data.version).toBeGreaterThan(first.body.data.version);
    const indexes = await services.models.cart.sessions.collection.indexes();
    const ttl = indexes.find((index) => 'expireAfterSeconds' in index);
    expect(ttl).toMatchObject({ key: { purgeAt: 1 }, expireAfterSeconds: 0 });
  });

  test('cannot be checked out, unless it was reserved before', async () => {
    const company = services.newCompany();
    const createdAt = new Date();
    now = () => createdAt;
    const [plain, seated, reserved] = [newSessionId(), newSessionId(), newSessionId()];
    for (const id of [plain, seated, reserved]) await setItem(company, id, poster(1));
    await join(company.cart, seated, await newTable(company.cart, 1));
    const read = async (id: string) => (await company.cart.get(`/cart/sessions/${id}`)).body.data;
    const expiresAt = Date.parse((await read(seated)).expiresAt);

    now = () => new Date(expiresAt - 1);
    const { orderId: unwritten } = await checkOut(services, company, { sessionId: plain });
    await release(services, company, { sessionId: plain, orderId: unwritten });
    const { orderId } = await checkOut(services, company, { sessionId: reserved });
    orders.place(orderId);
    now = () => new Date(expiresAt);
    for (const sessionId of [plain, seated]) {
      await expect(checkOut(services, company, { sessionId })).rejects.toMatchObject({
        code: 'CART_SESSION_NOT_FOUND',
      });
    }
    await tell(services, company, { orderId, sessionId: reserved, state: 'placed' });
    await expect.poll(() => read(reserved)).toMatchObject({ status: 'ordered', orderId, version: 2 });
  });
});

describe('the seat of a session without an order', () => {
  const MINUTE_MS = 60_000;

  test('is free for others an hour after the last change of the session, which shows that and remains a cart', async () => {
    const company = services.newCompany();
    const api = company.cart;
    const [id, session] = [await newTable(api, 4), await newSession(api)];
    const path = `/cart/sessions/${session}`;
    const joined = (await join(api, session, id, {}, 4)).body.data;
    expect(Date.parse(joined.seatHeldUntil) - Date.parse(joined.changedAt)).toBe(60 * MINUTE_MS);
    expect(await table(api, id)).toMatchObject({ seatsTaken: 4, status: 'full' });
    const changedAt = new Date(Date.parse(joined.seatHeldUntil) - 1);
    now = () => changedAt;
    const changed = (await api.post(`${path}/item`, poster(1))).body.data;
    expect(changed).toMatchObject({
      seats: 4,
      seatHeldUntil: new Date(changedAt.getTime() + 60 * MINUTE_MS).toISOString(),
    });
    now = () => new Date(changed.seatHeldUntil);
    await expect.poll(() => table(api, id)).toMatchObject({ seatsTaken: 0, status: 'open', parties: [] });
    const { body } = await api.get(path);
    expect(body.data).toMatchObject({ status: 'open', items: [{ quantity: 1 }], expiresAt: changed.expiresAt });
    for (const member of ['tableCommitmentId', 'seats', 'seatHeldUntil']) expect(body.data).not.toHaveProperty(member);
    await expect
      .poll(() => company.published('cart.table_left'))
      .toMatchObject([{ subject: session, data: { left: { tableCommitmentId: id, leaves: 0 } } }]);
    expect((await join(api, session, id)).body.data).toMatchObject({ tableCommitmentId: id, seats: 1 });
    await expectConsistent(services, company);
  });

  test("is not given to others while an order of the session is being placed, and is the order's afterwards", async () => {
    const company = services.newCompany();
    const api = company.cart;
    const [id, session] = [await newTable(api, 2), await newSession(api)];
    await join(api, session, id, {}, 2);
    const reserved = await checkOut(services, company, { sessionId: session });
    expect(reserved).toMatchObject({ tableCommitmentId: id, seats: 2 });
    const [swept, other] = [await newTable(api, 1), await newSession(api)];
    await join(api, other, swept);
    now = () => new Date(Date.now() + 61 * MINUTE_MS);
    // The sweep has run.
    await expect.poll(() => table(api, swept)).toMatchObject({ seatsTaken: 0 });
    expect(await table(api, id)).toMatchObject({ seatsTaken: 2 });
    const { orderId } = reserved;
    orders.place(orderId);
    await tell(services, company, { orderId, sessionId: session, state: 'placed' });
    await expect.poll(() => table(api, id)).toMatchObject({ parties: [{ sessionId: session, seats: 2, orderId }] });
    expect((await api.get(`/cart/sessions/${session}`)).body.data).toMatchObject({ status: 'ordered', seats: 2 });
    expect((await api.get(`/cart/sessions/${session}`)).body.data).not.toHaveProperty('seatHeldUntil');
  });

  test('is released even if a crash interrupts its lapse, once the event of the lapse is published', async () => {
    const company = services.newCompany();
    const api = company.cart;
    const [id, session] = [await newTable(api, 1), await newSession(api)];
    await join(api, session, id);
    // Like a replica that ends before it releases the seat or publishes anything.
    const { sessions, tables } = openStores(services.models.cart);
    const standing = await sessions.load(liveTenant(company.companyId), session);
    if (standing === undefined) throw new Error('there is no session');
    const later = new Date(Date.now() + 61 * MINUTE_MS);
    const dead = { sessions, tables: { ...tables, release: async () => {} }, clock: () => later };
    await lapseSeat(dead, standing);
    expect(await table(api, id)).toMatchObject({ seatsTaken: 1 });
    await expect.poll(() => table(api, id), { timeout: 10_000 }).toMatchObject({ seatsTaken: 0, status: 'open' });
    await expectConsistent(services, company);
  });

  test('is released before a new session with the id of the expired one is created, which can join another table', async () => {
    const company = services.newCompany();
    const api = company.cart;
    const [id, other, session] = [await newTable(api, 1), await newTable(api, 1), await newSession(api)];
    await join(api, session, id);
    now = () => new Date(Date.now() + 8 * DAY_MS);
    const { body } = await api.post(`/cart/sessions/${session}/item`, poster(1));
    expect(body.data.tableCommitmentId).toBeUndefined();
    expect(await table(api, id)).toMatchObject({ seatsTaken: 0, status: 'open' });
    expect((await join(api, session, other)).status).toBe(200);
    await expectConsistent(services, company);
  });
});

test('the seat of an order stays taken when its session has expired, until the order is cancelled', async () => {
  const company = services.newCompany();
  const api = company.cart;
  const [id, session] = [await newTable(api, 1), await newSession(api)];
  await join(api, session, id);
  const { orderId } = await checkOut(services, company, { sessionId: session });
  orders.place(orderId);
  await tell(services, company, { orderId, sessionId: session, state: 'placed' });
  const stored = async () => storedSession(company, session);
  await expect.poll(stored).toMatchObject({ ordered: { orderId } });
  const seats = async () =>
    (await openStores(services.models.cart).tables.load(liveTenant(company.companyId), id))?.joined;
  await expect.poll(seats).toMatchObject([{ boughtBy: session }]);
  now = () => new Date(Date.now() + 8 * DAY_MS);
  // The id is free for a new session, which may join elsewhere.
  await api.post(`/cart/sessions/${session}/item`, poster(1));
  expect((await join(api, session, await newTable(api, 1))).status).toBe(200);
  expect(await table(api, id)).toMatchObject({ seatsTaken: 1, status: 'full', joinedSessions: [session] });
  expect(company.published('cart.table_left')).toEqual([]);
  orders.cancel(orderId);
  await tell(services, company, { orderId, sessionId: session, state: 'cancelled' });
  await expect.poll(() => table(api, id)).toMatchObject({ seatsTaken: 0, status: 'open' });
  await expectConsistent(services, company);
});
