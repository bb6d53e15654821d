import { randomUUID } from 'node:crypto';
import { type ApiClient, liveTenant } from '@event-commerce/test-kit';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Carts, type Company, startCarts } from './cart-fixture.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
let carts: Carts;
let now = () => new Date();

beforeAll(async () => {
  carts = await startCarts({ replicas: 2, clock: () => now() });
});
afterEach(() => {
  now = () => new Date();
});
afterAll(async () => carts?.stop());

const TABLES = '/cart/table-commitments';
const item = (offeringId: string) => ({ offeringId, quantity: 1, price: 100 });

async function newSession(api: ApiClient, contextId?: string): Promise<string> {
  const id = `session-${randomUUID()}`;
  const { status } = await api.post('/cart/sessions', { id, ...(contextId ? { contextId } : {}) });
  expect(status).toBe(201);
  return id;
}

async function newTable(api: ApiClient, seats: number, contextId = 'evt_1'): Promise<string> {
  const { status, body } = await api.post(TABLES, { contextId, seats });
  expect(status).toBe(201);
  return body.data.id;
}

const join = (api: ApiClient, session: string, tableCommitmentId: string, headers = {}) =>
  api.post(`/cart/sessions/${session}/join-table`, { tableCommitmentId }, headers);
const table = async (api: ApiClient, id: string) => (await api.get(`${TABLES}/${id}`)).body.data;
const tableOf = async (api: ApiClient, session: string) =>
  (await api.get(`/cart/sessions/${session}`)).body.data?.tableCommitmentId;

/** Sessions and tables must agree: every seat belongs to one session, and that session names this table. */
async function expectConsistent(company: Company): Promise<void> {
  const ofCompany = { companyId: company.companyId };
  const tables = await carts.models.tables.collection.find(ofCompany as never).toArray();
  const sessions = await carts.models.sessions.collection.find(ofCompany as never).toArray();
  const seats = tables.flatMap((one) => one['joined'].map((seat: any) => `${seat.sessionId} at ${one['tableId']}`));
  const said = sessions.flatMap((one) =>
    one['tableCommitmentId'] ? [`${one['sessionId']} at ${one['tableCommitmentId']}`] : [],
  );
  expect(new Set(seats)).toEqual(new Set(said));
  expect(seats).toHaveLength(said.length);
  for (const one of tables) {
    expect(one['seatsTaken']).toBe(one['joined'].length);
    expect(one['seatsTaken']).toBeLessThanOrEqual(one['seats']);
  }
}

describe('a table commitment', () => {
  test('is listed page by page by its company, its context and its status', async () => {
    const [company, other] = [carts.newCompany(), carts.newCompany()];
    const api = company.api();
    const made: string[] = [];
    for (let n = 0; n < 5; n++) made.push(await newTable(api, 2, n === 3 ? 'evt_2' : 'evt_1'));
    await newTable(other.api(), 2);
    await api.post(`${TABLES}/${made[1]}/close`);
    const list = async (query = '') => (await api.get(`${TABLES}${query}`)).body;
    const ids = ({ data }: { data: { id: string }[] }) => data.map(({ id }) => made.indexOf(id));
    expect(ids(await list())).toEqual([4, 3, 2, 1, 0]);
    const first = await list('?contextId=evt_1&limit=2');
    expect(ids(first)).toEqual([4, 2]);
    expect(ids(await list(`?contextId=evt_1&limit=2&cursor=${first.page.next}`))).toEqual([1, 0]);
    expect(ids(await list('?status=closed'))).toEqual([1]);
  });

  test('is created, read and closed', async () => {
    const company = carts.newCompany();
    const api = company.api();
    const given = { id: 'tbl-7', contextId: 'evt_1', offeringId: 'off_1', seats: 8 };
    const minimumSpend = { amount: 100_000, currency: 'EUR' };
    const created = await api.post(TABLES, { ...given, minimumSpend });
    expect(created.status).toBe(201);
    expect(created.body.data).toMatchObject({
      ...given,
      minimumSpend,
      companyId: company.companyId,
      seatsTaken: 0,
      status: 'open',
      joinedSessions: [],
    });
    expect((await api.get(`${TABLES}/tbl-7`)).body).toEqual(created.body);
    expect((await api.post(TABLES, given)).body.error.code).toBe('ALREADY_EXISTS');
    const closed = await api.post(`${TABLES}/tbl-7/close`);
    expect([closed.status, closed.body.data.status]).toEqual([200, 'closed']);
    expect((await api.post(`${TABLES}/tbl-7/close`)).body).toEqual(closed.body);
    expect((await api.post(TABLES, { contextId: 'evt_1', seats: 1 })).body.data.id).toMatch(/^tbl_/);
  });

  test('of another company, and one that does not exist, are the same 404', async () => {
    const [one, other] = [carts.newCompany().api(), carts.newCompany().api()];
    const id = await newTable(one, 2);
    const session = await newSession(other);
    for (const wanted of [id, 'none']) {
      for (const reply of [
        await other.get(`${TABLES}/${wanted}`),
        await other.post(`${TABLES}/${wanted}/close`),
        await join(other, session, wanted),
      ]) {
        expect([reply.status, reply.body.error.code]).toEqual([404, 'TABLE_COMMITMENT_NOT_FOUND']);
      }
    }
  });

  test.each([{ seats: 0 }, { seats: 1.5 }, { seats: 501 }, { seats: '3' }, { contextId: '' }, { minimumSpend: -1 }])(
    'is refused with %j',
    async (wrong) => {
      const reply = await carts
        .newCompany()
        .api()
        .post(TABLES, { contextId: 'evt_1', seats: 2, ...wrong });
      expect([reply.status, reply.body.error.code]).toEqual([400, 'VALIDATION_FAILED']);
    },
  );
});

test('a table with one id from 60 callers at once is created once', async () => {
  const company = carts.newCompany();
  const given = { id: 'tbl-1', contextId: 'evt_1', seats: 4 };
  const replies = await Promise.all(Array.from({ length: 60 }, (_, n) => company.api(n % 2).post(TABLES, given)));
  expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(replies.filter(({ status }) => status === 409)).toHaveLength(59);
});

describe('joining', () => {
  test('gives a seat, returns the session, and may be repeated', async () => {
    const company = carts.newCompany();
    const api = company.api();
    const [id, session] = [await newTable(api, 2), await newSession(api)];
    const joined = await join(api, session, id);
    expect(joined.status).toBe(200);
    expect(joined.body.data).toMatchObject({ id: session, tableCommitmentId: id, contextId: 'evt_1', version: 2 });
    expect(joined.headers.get('etag')).toMatch(/^"2-/);
    const again = await join(company.api(1), session, id);
    expect([again.status, again.body.data.version]).toEqual([200, 2]);
    expect(await table(api, id)).toMatchObject({ seatsTaken: 1, joinedSessions: [session], status: 'open' });
    // It survives other changes, and closing the table.
    await api.post(`/cart/sessions/${session}/item`, item('a'));
    await api.post(`${TABLES}/${id}/close`);
    expect((await join(api, session, id)).body.data).toMatchObject({ tableCommitmentId: id, total: 100 });
  });

  test('is refused with the reason when the table is full, closed, of another context, or the session joined another', async () => {
    const api = carts.newCompany().api();
    const [full, closed, open] = [await newTable(api, 1), await newTable(api, 1), await newTable(api, 5)];
    const seated = await newSession(api);
    await join(api, seated, full);
    await api.post(`${TABLES}/${closed}/close`);
    const reasons = {
      full: await join(api, await newSession(api), full),
      closed: await join(api, await newSession(api), closed),
      context: await join(api, await newSession(api, 'evt_2'), open),
      another: await join(api, seated, open),
    };
    for (const { status, body } of Object.values(reasons)) {
      expect([status, body.error.code]).toEqual([409, 'TABLE_NOT_JOINABLE']);
    }
    expect(reasons.full.body.message).toMatch(/All 1 seats .* are taken/);
    expect(reasons.closed.body.message).toMatch(/is closed/);
    expect(reasons.context.body.message).toMatch(/is for evt_1, and this session is for evt_2/);
    expect(reasons.another.body.message).toContain(`already joined table ${full},`);
    expect(await table(api, open)).toMatchObject({ seatsTaken: 0 });
  });

  test('needs no pricing, and honours If-Match', async () => {
    const api = carts.newCompany().api();
    const [id, session] = [await newTable(api, 2), await newSession(api)];
    expect((await join(api, session, id, { 'if-match': '"9"' })).body.error.code).toBe('VERSION_CONFLICT');
    expect((await join(api, session, id, { 'if-match': '"1"' })).status).toBe(200);
  });

  test('keeps the session in the context of the table', async () => {
    const api = carts.newCompany().api();
    const [id, session] = [await newTable(api, 2), await newSession(api)];
    await join(api, session, id);
    const moved = await api.patch(`/cart/sessions/${session}`, { contextId: 'evt_2' });
    expect([moved.status, moved.body.error.details[0].path]).toEqual([400, 'contextId']);
  });

  test('of 200 sessions at once over two replicas fills 20 seats with exactly 20, and publishes once that the table is full', async () => {
    const company = carts.newCompany();
    const fullEvents = carts.events(company.companyId, 'table.full');
    const joinEvents = carts.events(company.companyId, 'cart.table_joined');
    await carts.bus.nats.flush();
    const api = company.api();
    const id = await newTable(api, 20);
    const sessions = await Promise.all(Array.from({ length: 200 }, () => newSession(api)));
    const replies = await Promise.all(sessions.map((session, n) => join(company.api(n % 2), session, id)));
    const won = sessions.filter((_, n) => replies[n]?.status === 200);
    expect(won).toHaveLength(20);
    for (const { status, body } of replies.filter((reply) => reply.status !== 200)) {
      expect([status, body.error.code]).toEqual([409, 'TABLE_NOT_JOINABLE']);
    }
    const after = await table(api, id);
    expect(after).toMatchObject({ seatsTaken: 20, status: 'full' });
    expect(new Set(after.joinedSessions)).toEqual(new Set(won));
    await expectConsistent(company);
    await expect.poll(() => new Set(joinEvents.map(({ data }) => data.session.id))).toEqual(new Set(won));
    await expect.poll(() => new Set(fullEvents.map((event) => event.id)).size).toBe(1);
    expect(fullEvents[0]).toMatchObject({ subject: id, data: { seats: 20, seatsTaken: 20, status: 'full' } });
  });

  test('of one session at five tables at once ends with one seat at one table', async () => {
    const company = carts.newCompany();
    const api = company.api();
    const tables = await Promise.all(Array.from({ length: 5 }, () => newTable(api, 40)));
    const sessions = await Promise.all(Array.from({ length: 8 }, () => newSession(api)));
    const replies = await Promise.all(
      sessions.flatMap((session, s) => tables.map((id, t) => join(company.api((s + t) % 2), session, id))),
    );
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(8);
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200, 409]));
    await expectConsistent(company);
  });

  test('of one session at one table 20 times at once takes one seat', async () => {
    const company = carts.newCompany();
    const api = company.api();
    const [id, session] = [await newTable(api, 40), await newSession(api)];
    const replies = await Promise.all(Array.from({ length: 20 }, (_, n) => join(company.api(n % 2), session, id)));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await table(api, id)).toMatchObject({ seatsTaken: 1 });
  });

  test('while the session is being changed loses neither', async () => {
    const company = carts.newCompany();
    const api = company.api();
    const [id, session] = [await newTable(api, 40), await newSession(api)];
    const changes = Array.from(
      { length: 30 },
      (_, n) => () => company.api(n % 2).post(`/cart/sessions/${session}/item`, item(`o${n}`)),
    );
    const replies = await Promise.all(
      [...changes.slice(0, 15), () => join(api, session, id), ...changes.slice(15)].map((run) => run()),
    );
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    expect((await api.get(`/cart/sessions/${session}`)).body.data).toMatchObject({
      tableCommitmentId: id,
      total: 3_000,
    });
  });
});

const leave = (api: ApiClient, session: string, headers = {}) =>
  api.post(`/cart/sessions/${session}/leave-table`, undefined, headers);

describe('leaving', () => {
  test('frees the seat of a full table, tells so, and may be repeated', async () => {
    const company = carts.newCompany();
    const left = carts.events(company.companyId, 'cart.table_left');
    await carts.bus.nats.flush();
    const api = company.api();
    const [id, session] = [await newTable(api, 1), await newSession(api)];
    await join(api, session, id);
    const reply = await leave(company.api(1), session);
    expect(reply.status).toBe(200);
    expect(reply.body.data).toMatchObject({ id: session, version: 3, contextId: 'evt_1' });
    expect(reply.body.data).not.toHaveProperty('tableCommitmentId');
    expect(reply.headers.get('etag')).toMatch(/^"3-/);
    expect(await table(api, id)).toMatchObject({ seatsTaken: 0, status: 'open', joinedSessions: [] });
    const again = await leave(api, session);
    expect([again.status, again.body.data.version]).toEqual([200, 3]);
    expect((await leave(api, await newSession(api))).status).toBe(200);
    await expect
      .poll(() => left)
      .toMatchObject([{ subject: session, data: { id: session, version: 3, left: { tableCommitmentId: id } } }]);
    // The seat is there for others, and for the session again.
    const other = await newSession(api);
    expect((await join(api, other, id)).status).toBe(200);
    await leave(api, other);
    expect((await join(api, session, id)).body.data).toMatchObject({ tableCommitmentId: id });
    await expectConsistent(company);
  });

  test('is 404 for an unknown session or one of another company, and honours If-Match', async () => {
    const [one, other] = [carts.newCompany().api(), carts.newCompany().api()];
    const [id, session] = [await newTable(one, 1), await newSession(one)];
    await join(one, session, id);
    for (const wanted of [session, 'none']) {
      expect((await leave(other, wanted)).body.error?.code).toBe('CART_SESSION_NOT_FOUND');
    }
    expect((await leave(one, session, { 'if-match': '"1"' })).body.error.code).toBe('VERSION_CONFLICT');
    expect(await table(one, id)).toMatchObject({ seatsTaken: 1 });
    expect((await leave(one, session, { 'if-match': '"2"' })).status).toBe(200);
  });

  test('lets the session join another table, and move to another context', async () => {
    const company = carts.newCompany();
    const api = company.api();
    const [first, second, session] = [await newTable(api, 1), await newTable(api, 1, 'evt_2'), await newSession(api)];
    await join(api, session, first);
    await leave(api, session);
    expect((await api.patch(`/cart/sessions/${session}`, { contextId: 'evt_2' })).status).toBe(200);
    expect((await join(api, session, second)).status).toBe(200);
    await expectConsistent(company);
  });

  test('and joining of one session, many times at once over two replicas, ends in one state on both sides', async () => {
    const company = carts.newCompany();
    const api = company.api();
    const [one, other, session] = [await newTable(api, 1), await newTable(api, 2), await newSession(api)];
    const replies = await Promise.all(
      Array.from({ length: 40 }, async (_, n) => {
        const replica = company.api(n % 2);
        return n % 4 < 2 ? leave(replica, session) : join(replica, session, n % 4 === 2 ? one : other);
      }),
    );
    const codes = new Set(replies.map(({ status, body }) => (status === 200 ? 'ok' : body.error.code)));
    expect([...codes].filter((code) => !['ok', 'TABLE_NOT_JOINABLE'].includes(code))).toEqual([]);
    await expectConsistent(company);
  });

  test('is finished by itself when a crash interrupts it after the session left', async () => {
    const company = carts.newCompany();
    const api = company.api();
    const [id, session] = [await newTable(api, 1), await newSession(api)];
    await join(api, session, id);
    const caller = { tenant: liveTenant(company.companyId), traceparent: undefined };
    const standing = await carts.sessions.load(caller.tenant, session);
    if (standing === undefined) throw new Error('there is no session');
    expect(await carts.sessions.unlink(caller, standing, id, new Date())).toBeDefined();
    expect(await table(api, id)).toMatchObject({ seatsTaken: 1 });
    await expect.poll(() => table(api, id), { timeout: 10_000 }).toMatchObject({ seatsTaken: 0, status: 'open' });
    await expectConsistent(company);
  });
});

describe('a crash after the seat was taken and before the session was updated', () => {
  async function takeSeatOnly(company: Company, session: string, id: string): Promise<void> {
    const stored = await carts.models.sessions.collection.findOne({ _id: `${company.companyId}/${session}` } as never);
    const seat = { sessionId: session, sessionCreatedAt: stored?.['createdAt'] };
    const outcome = await carts.tables.takeSeat(
      { tenant: liveTenant(company.companyId), traceparent: undefined },
      { tableId: id, seats: 1 },
      seat,
      new Date(),
    );
    expect(outcome).toBe('taken');
  }

  test('is repaired automatically', async () => {
    const company = carts.newCompany();
    const api = company.api();
    const [id, session] = [await newTable(api, 1), await newSession(api)];
    await takeSeatOnly(company, session, id);
    await expect.poll(() => tableOf(api, session), { timeout: 10_000 }).toBe(id);
    await expectConsistent(company);
  });

  test('is finished by the same join, even if the table is full or closed by now', async () => {
    const company = carts.newCompany();
    const api = company.api();
    const [id, session] = [await newTable(api, 1), await newSession(api)];
    await takeSeatOnly(company, session, id);
    await api.post(`${TABLES}/${id}/close`);
    expect((await join(api, session, id)).body.data.tableCommitmentId).toBe(id);
  });

  test('keeps the session from joining another table', async () => {
    const company = carts.newCompany();
    const api = company.api();
    const [id, other, session] = [await newTable(api, 1), await newTable(api, 1), await newSession(api)];
    await takeSeatOnly(company, session, id);
    expect((await join(api, session, other)).body.error.code).toBe('TABLE_NOT_JOINABLE');
    expect(await tableOf(api, session)).toBe(id);
    await expectConsistent(company);
  });
});

describe('the seat of a session that expires', () => {
  test('is free again, and the full table open', async () => {
    const company = carts.newCompany();
    const api = company.api();
    const [id, session] = [await newTable(api, 1), await newSession(api)];
    await join(api, session, id);
    expect((await table(api, id)).status).toBe('full');
    now = () => new Date(Date.now() + 8 * DAY_MS);
    await expect.poll(() => table(api, id), { timeout: 15_000 }).toMatchObject({ seatsTaken: 0, status: 'open' });
    expect((await api.get(`/cart/sessions/${session}`)).status).toBe(404);
    const next = await newSession(api);
    expect((await join(api, next, id)).status).toBe(200);
    await expectConsistent(company);
  });

  test('is released before its id creates a new session, which can join another table', async () => {
    const company = carts.newCompany();
    const api = company.api();
    const [id, other, session] = [await newTable(api, 1), await newTable(api, 1), await newSession(api)];
    await join(api, session, id);
    now = () => new Date(Date.now() + 8 * DAY_MS);
    const { body } = await api.post(`/cart/sessions/${session}/item`, item('a'));
    expect(body.data.tableCommitmentId).toBeUndefined();
    expect(await table(api, id)).toMatchObject({ seatsTaken: 0, status: 'open' });
    expect((await join(api, session, other)).status).toBe(200);
    await expectConsistent(company);
  });

  test('stays taken once an order was placed for the session, until that is cancelled', async () => {
    const company = carts.newCompany();
    const { companyId } = company;
    const api = company.api();
    const [id, session] = [await newTable(api, 1), await newSession(api)];
    await join(api, session, id);
    const orderId = `ord_${randomUUID()}`;
    carts.orders.place(orderId);
    await company.tell({ orderId, sessionId: session, state: 'placed' });
    const seats = async () => (await carts.tables.load(liveTenant(companyId), id))?.joined;
    await expect.poll(seats).toMatchObject([{ boughtBy: session }]);
    now = () => new Date(Date.now() + 8 * DAY_MS);
    await expect
      .poll(
        async () =>
          (await carts.models.sessions.collection.findOne({ _id: `${companyId}/${session}` } as never))?.['retired'],
        { timeout: 15_000 },
      )
      .toBe(true);
    expect(await table(api, id)).toMatchObject({ seatsTaken: 1, status: 'full', joinedSessions: [session] });
    // The id is free for a new session, which may join elsewhere.
    await api.post(`/cart/sessions/${session}/item`, item('a'));
    expect((await join(api, session, await newTable(api, 1))).status).toBe(200);
    carts.orders.cancel(orderId);
    await company.tell({ orderId, sessionId: session, state: 'cancelled' });
    await expect.poll(() => table(api, id)).toMatchObject({ seatsTaken: 0, status: 'open' });
    await expectConsistent(company);
  });
});
