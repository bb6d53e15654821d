import { liveTenant } from '@event-commerce/test-kit';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Company, type Services, sharedServices } from '../../../tests/harness/services.ts';
import { openStores } from './session-world.ts';
import { expectConsistent, join, leave, newSession, newTable, table, tableOf, TABLES } from './tables.ts';

let services: Services;
beforeAll(async () => {
  services = await sharedServices();
});

describe('leaving', () => {
  test('frees the seat of a full table, publishes that, and may be repeated', async () => {
    const company = services.newCompany();
    const api = company.cart;
    const [id, session] = [await newTable(api, 1), await newSession(api)];
    await join(api, session, id);
    const reply = await leave(company.cart.replica(1), session);
    expect(reply.status).toBe(200);
    expect(reply.body.data).toMatchObject({ id: session, version: 3, contextId: 'evt_1' });
    expect(reply.body.data).not.toHaveProperty('tableCommitmentId');
    expect(reply.headers.get('etag')).toMatch(/^"3-/);
    expect(await table(api, id)).toMatchObject({ seatsTaken: 0, status: 'open', joinedSessions: [] });
    const again = await leave(api, session);
    expect([again.status, again.body.data.version]).toEqual([200, 3]);
    expect((await leave(api, await newSession(api))).status).toBe(200);
    await expect
      .poll(() => company.published('cart.table_left'))
      .toMatchObject([{ subject: session, data: { id: session, version: 3, left: { tableCommitmentId: id } } }]);
    // The seat is free for others, and for the session again.
    const other = await newSession(api);
    expect((await join(api, other, id)).status).toBe(200);
    await leave(api, other);
    expect((await join(api, session, id)).body.data).toMatchObject({ tableCommitmentId: id });
    await expectConsistent(services, company);
  });

  test('is 404 for an unknown session or one of another company, and honours If-Match', async () => {
    const [one, other] = [services.newCompany().cart, services.newCompany().cart];
    const [id, session] = [await newTable(one, 1), await newSession(one)];
    await join(one, session, id);
    for (const wanted of [session, 'none']) {
      expect((await leave(other, wanted)).body.error?.code).toBe('CART_SESSION_NOT_FOUND');
    }
    expect((await leave(one, session, { 'if-match': '"1"' })).body.error.code).toBe('VERSION_CONFLICT');
    expect(await table(one, id)).toMatchObject({ seatsTaken: 1 });
    expect((await leave(one, session, { 'if-match': '"2"' })).status).toBe(200);
  });

  test('and other changes with the same If-Match let exactly one through', async () => {
    const company = services.newCompany();
    const api = company.cart;
    const id = await newTable(api, 20);
    for (let round = 0; round < 3; round++) {
      const session = await newSession(api);
      await join(api, session, id);
      const given = { 'if-match': '"2"' };
      const replies = await Promise.all(
        Array.from({ length: 8 }, async (_, n) =>
          n % 2 === 0
            ? leave(company.cart.replica(n % 4 === 0 ? 0 : 1), session, given)
            : company.cart
                .replica(n % 4 === 1 ? 0 : 1)
                .patch(`/cart/sessions/${session}`, { coupons: [`C${n}`] }, given),
        ),
      );
      const refused = replies.flatMap(({ body }) => body.error?.code ?? []);
      expect(refused).toEqual(replies.slice(1).map(() => 'VERSION_CONFLICT'));
    }
    await expectConsistent(services, company);
  });

  test('is not possible by a patch: a patch may only name the present table', async () => {
    const api = services.newCompany().cart;
    const [id, session] = [await newTable(api, 1), await newSession(api)];
    const { data } = (await join(api, session, id)).body;
    const sent = await api.patch(`/cart/sessions/${session}`, data);
    expect([sent.status, sent.body.data?.tableCommitmentId]).toEqual([200, id]);
    for (const tableCommitmentId of ['other', null]) {
      const { status, body } = await api.patch(`/cart/sessions/${session}`, { tableCommitmentId });
      expect([status, body.error.details[0].path]).toEqual([400, 'tableCommitmentId']);
    }
    const created = await api.post('/cart/sessions', { tableCommitmentId: id });
    expect([created.status, created.body.error.message]).toEqual([
      400,
      'tableCommitmentId is unknown; did you mean POST /cart/sessions/{id}/join-table?',
    ]);
  });

  test('lets the session join another table, and move to another context', async () => {
    const company = services.newCompany();
    const api = company.cart;
    const [first, second, session] = [await newTable(api, 1), await newTable(api, 1, 'evt_2'), await newSession(api)];
    await join(api, session, first);
    await leave(api, session);
    expect((await api.patch(`/cart/sessions/${session}`, { contextId: 'evt_2' })).status).toBe(200);
    expect((await join(api, session, second)).status).toBe(200);
    await expectConsistent(services, company);
  });

  test('and joining with one session many times at once, on two replicas, ends in the same state on both sides', async () => {
    const company = services.newCompany();
    const api = company.cart;
    const [one, other, session] = [await newTable(api, 1), await newTable(api, 2), await newSession(api)];
    const replies = await Promise.all(
      Array.from({ length: 40 }, async (_, n) => {
        const replica = company.cart.replica(n % 2);
        return n % 4 < 2 ? leave(replica, session) : join(replica, session, n % 4 === 2 ? one : other);
      }),
    );
    const codes = new Set(replies.map(({ status, body }) => (status === 200 ? 'ok' : body.error.code)));
    expect([...codes].filter((code) => !['ok', 'TABLE_NOT_JOINABLE'].includes(code))).toEqual([]);
    await expectConsistent(services, company);
  });

  test('is completed automatically if a crash interrupts it after the session left', async () => {
    const company = services.newCompany();
    const api = company.cart;
    const [id, session] = [await newTable(api, 1), await newSession(api)];
    await join(api, session, id);
    const caller = { tenant: liveTenant(company.companyId), traceparent: undefined };
    const standing = await openStores(services.models.cart).sessions.load(caller.tenant, session);
    if (standing === undefined) throw new Error('there is no session');
    expect(await openStores(services.models.cart).sessions.unlink(caller, standing, id, new Date())).toBeDefined();
    expect(await table(api, id)).toMatchObject({ seatsTaken: 1 });
    await expect.poll(() => table(api, id), { timeout: 10_000 }).toMatchObject({ seatsTaken: 0, status: 'open' });
    await expectConsistent(services, company);
  });
});

describe('a crash after the seat was taken and before the session was updated', () => {
  async function takeSeatOnly(company: Company, session: string, id: string): Promise<void> {
    const stored = await services.models.cart.sessions.collection.findOne({
      _id: `${company.companyId}/${session}`,
    } as never);
    const seat = { sessionId: session, sessionCreatedAt: stored?.['createdAt'], seats: 1 };
    const outcome = await openStores(services.models.cart).tables.takeSeat(
      { tenant: liveTenant(company.companyId), traceparent: undefined },
      { tableId: id, seats: 1 },
      seat,
      new Date(),
    );
    expect(outcome).toBe('taken');
  }

  test('is repaired automatically', async () => {
    const company = services.newCompany();
    const api = company.cart;
    const [id, session] = [await newTable(api, 1), await newSession(api)];
    await takeSeatOnly(company, session, id);
    await expect.poll(() => tableOf(api, session), { timeout: 10_000 }).toBe(id);
    await expectConsistent(services, company);
  });

  test('is undone, and published as a leave, if the session can no longer have the seat', async () => {
    const company = services.newCompany();
    const api = company.cart;
    const [id, session] = [await newTable(api, 1), await newSession(api)];
    await api.patch(`/cart/sessions/${session}`, { contextId: 'evt_2' });
    await takeSeatOnly(company, session, id);
    await expect.poll(() => table(api, id), { timeout: 10_000 }).toMatchObject({ seatsTaken: 0, status: 'open' });
    await expect
      .poll(() => company.published('cart.table_left'), { timeout: 10_000 })
      .toMatchObject([{ subject: session, data: { left: { tableCommitmentId: id, leaves: 0 } } }]);
    await expectConsistent(services, company);
  });

  test('is completed by the same join, even if the table is full or closed by now', async () => {
    const company = services.newCompany();
    const api = company.cart;
    const [id, session] = [await newTable(api, 1), await newSession(api)];
    await takeSeatOnly(company, session, id);
    await api.post(`${TABLES}/${id}/close`);
    expect((await join(api, session, id)).body.data.tableCommitmentId).toBe(id);
  });

  test('is no longer repaired once the session leaves: the seat is free and stays free', async () => {
    const company = services.newCompany();
    const api = company.cart;
    const [id, session] = [await newTable(api, 1), await newSession(api)];
    await takeSeatOnly(company, session, id);
    const left = await leave(api, session);
    expect([left.status, left.body.data.tableCommitmentId]).toEqual([200, undefined]);
    // Once the events of a later join are handled, so is the event written with the seat.
    const other = await newTable(api, 1);
    const later = await newSession(api);
    await takeSeatOnly(company, later, other);
    await expect.poll(() => tableOf(api, later), { timeout: 10_000 }).toBe(other);
    expect(await table(api, id)).toMatchObject({ seatsTaken: 0, status: 'open' });
    expect(await tableOf(api, session)).toBeUndefined();
    await expectConsistent(services, company);
  });

  test('prevents the session from joining another table', async () => {
    const company = services.newCompany();
    const api = company.cart;
    const [id, other, session] = [await newTable(api, 1), await newTable(api, 1), await newSession(api)];
    await takeSeatOnly(company, session, id);
    expect((await join(api, session, other)).body.error.code).toBe('TABLE_NOT_JOINABLE');
    expect(await tableOf(api, session)).toBe(id);
    await expectConsistent(services, company);
  });
});
