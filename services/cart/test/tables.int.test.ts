import { liveTenant } from '@event-commerce/test-kit';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Carts, startCarts } from './cart-fixture.ts';
import { expectConsistent, item, join, newSession, newTable, table, TABLES } from './table-requests.ts';
import { describeJoining } from './joining-tables.cases.ts';
import { describeLeaving } from './leaving-tables.cases.ts';
import { retireSession } from '../src/use-cases/retire-session.ts';
import { describeRepeatedChanges } from './repeated-changes.cases.ts';

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

  test('is closed at the version that If-Match names, and not while others join it', async () => {
    const api = carts.newCompany().api();
    const id = await newTable(api, 30);
    const read = await api.get(`${TABLES}/${id}`);
    const close = async (tag: string) => api.post(`${TABLES}/${id}/close`, undefined, { 'if-match': tag });
    const sessions = await Promise.all(Array.from({ length: 10 }, async () => newSession(api)));
    await join(api, sessions[0] ?? '', id);
    const tag = read.headers.get('etag') ?? '';
    const refused = (
      await Promise.all(sessions.map(async (one) => [await close(tag), await join(api, one, id)]))
    ).flat();
    expect(new Set(refused.map(({ status, body }) => body.error?.code ?? status))).toEqual(
      new Set(['VERSION_CONFLICT', 200]),
    );
    const { status, joinedSessions, version } = await table(api, id);
    expect([status, joinedSessions.length]).toEqual(['open', 10]);
    const closed = await close(`"${version}"`);
    expect([closed.status, closed.body.data.status, closed.body.data.version]).toEqual([200, 'closed', version + 1]);
    expect((await close(`"${version}"`)).body).toEqual(closed.body);
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
      spent: 0,
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
    await expectConsistent(carts, company);
  });

  test('is told to be left when the session expires: once, and before the session is deleted', async () => {
    const company = carts.newCompany();
    const left = carts.events(company.companyId, 'cart.table_left');
    await carts.bus.nats.flush();
    const api = company.api();
    const [id, session] = [await newTable(api, 1), await newSession(api)];
    await join(api, session, id);
    // As a replica does that ends before it publishes anything.
    const standing = await carts.sessions.load(liveTenant(company.companyId), session);
    if (standing === undefined) throw new Error('there is no session');
    const later = new Date(Date.now() + 8 * DAY_MS);
    const deps = { sessions: carts.sessions, tables: carts.tables, clock: () => later };
    const stored = async () =>
      carts.models.sessions.collection.findOne({ _id: `${company.companyId}/${session}` } as never);
    await retireSession(deps, standing);
    expect(await table(api, id)).toMatchObject({ seatsTaken: 0, status: 'open' });
    expect(await stored()).not.toHaveProperty('purgeAt');
    now = () => later;
    await expect.poll(stored, { timeout: 15_000 }).toHaveProperty('purgeAt');
    expect(await stored()).toMatchObject({ outbox: [], retired: true });
    expect(left).toMatchObject([
      { subject: session, data: { id: session, left: { tableCommitmentId: id, leaves: 0 } } },
    ]);
    expect(left[0]?.data).not.toHaveProperty('tableCommitmentId');
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
    await expectConsistent(carts, company);
  });

  test('stays taken once an order was placed for the session, until that is cancelled', async () => {
    const company = carts.newCompany();
    const { companyId } = company;
    const api = company.api();
    const [id, session] = [await newTable(api, 1), await newSession(api)];
    await join(api, session, id);
    const left = carts.events(companyId, 'cart.table_left');
    await carts.bus.nats.flush();
    const { orderId } = await company.checkOut({ sessionId: session });
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
    expect(left).toEqual([]);
    // The id is free for a new session, which may join elsewhere.
    await api.post(`/cart/sessions/${session}/item`, item('a'));
    expect((await join(api, session, await newTable(api, 1))).status).toBe(200);
    carts.orders.cancel(orderId);
    await company.tell({ orderId, sessionId: session, state: 'cancelled' });
    await expect.poll(() => table(api, id)).toMatchObject({ seatsTaken: 0, status: 'open' });
    await expectConsistent(carts, company);
  });
});

describeJoining(() => carts);

describeLeaving(() => carts);

describeRepeatedChanges(() => carts);
