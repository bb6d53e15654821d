import { liveTenant } from '@event-commerce/test-kit';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Company, type Services, startServices } from '../../../tests/harness/services.ts';
import { retireSession } from '../src/sessions/retire-session.ts';
import { checkOut, release, tell } from './checkouts.ts';
import { openStores } from './session-world.ts';
import { item, newSessionId, poster, setItem } from './sessions.ts';
import { serveEmptyCatalogue, serveOrders, type SimulatedOrders } from './simulated-commerce.ts';
import { expectConsistent, join, newSession, newTable, table } from './tables.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const IDLE_MS = 7 * DAY_MS;

// A clock of its own lets days pass.
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
    for (const sessionId of [plain, seated]) {
      const { orderId } = await checkOut(services, company, { sessionId });
      await release(services, company, { sessionId, orderId });
    }
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

describe('the seat of a session that expires', () => {
  test('is free again, and the full table open', async () => {
    const company = services.newCompany();
    const api = company.cart;
    const [id, session] = [await newTable(api, 1), await newSession(api)];
    await join(api, session, id);
    expect((await table(api, id)).status).toBe('full');
    now = () => new Date(Date.now() + 8 * DAY_MS);
    await expect.poll(() => table(api, id)).toMatchObject({ seatsTaken: 0, status: 'open' });
    expect((await api.get(`/cart/sessions/${session}`)).status).toBe(404);
    const next = await newSession(api);
    expect((await join(api, next, id)).status).toBe(200);
    await expectConsistent(services, company);
  });

  test('is told to be left when the session expires: once, and before the session is deleted', async () => {
    const company = services.newCompany();
    const api = company.cart;
    const [id, session] = [await newTable(api, 1), await newSession(api)];
    await join(api, session, id);
    // As a replica does that ends before it publishes anything.
    const { sessions, tables } = openStores(services.models.cart);
    const standing = await sessions.load(liveTenant(company.companyId), session);
    if (standing === undefined) throw new Error('there is no session');
    const later = new Date(Date.now() + 8 * DAY_MS);
    const deps = { sessions, tables, clock: () => later };
    const stored = async () => storedSession(company, session);
    await retireSession(deps, standing);
    expect(await table(api, id)).toMatchObject({ seatsTaken: 0, status: 'open' });
    expect(await stored()).not.toHaveProperty('purgeAt');
    now = () => later;
    await expect.poll(stored).toHaveProperty('purgeAt');
    expect(await stored()).toMatchObject({ outbox: [], retired: true });
    expect(company.published('cart.table_left')).toMatchObject([
      { subject: session, data: { id: session, left: { tableCommitmentId: id, leaves: 0 } } },
    ]);
    expect(company.published('cart.table_left')[0]?.data).not.toHaveProperty('tableCommitmentId');
  });

  test('is released before its id creates a new session, which can join another table', async () => {
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

  test('stays taken once an order was placed for the session, until that is cancelled', async () => {
    const company = services.newCompany();
    const { companyId } = company;
    const api = company.cart;
    const [id, session] = [await newTable(api, 1), await newSession(api)];
    await join(api, session, id);
    const { orderId } = await checkOut(services, company, { sessionId: session });
    orders.place(orderId);
    await tell(services, company, { orderId, sessionId: session, state: 'placed' });
    const seats = async () => (await openStores(services.models.cart).tables.load(liveTenant(companyId), id))?.joined;
    await expect.poll(seats).toMatchObject([{ boughtBy: session }]);
    now = () => new Date(Date.now() + 8 * DAY_MS);
    const isRetired = async () => (await storedSession(company, session))?.['retired'];
    await expect.poll(isRetired).toBe(true);
    expect(await table(api, id)).toMatchObject({ seatsTaken: 1, status: 'full', joinedSessions: [session] });
    expect(company.published('cart.table_left')).toEqual([]);
    // The id is free for a new session, which may join elsewhere.
    await api.post(`/cart/sessions/${session}/item`, poster(1));
    expect((await join(api, session, await newTable(api, 1))).status).toBe(200);
    orders.cancel(orderId);
    await tell(services, company, { orderId, sessionId: session, state: 'cancelled' });
    await expect.poll(() => table(api, id)).toMatchObject({ seatsTaken: 0, status: 'open' });
    await expectConsistent(services, company);
  });
});
