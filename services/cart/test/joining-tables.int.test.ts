import { beforeAll, describe, expect, test } from 'vitest';
import { type Services, sharedServices } from '../../../tests/harness/services.ts';
import { expectConsistent, item, join, newSession, newTable, table, TABLES } from './tables.ts';

let services: Services;
beforeAll(async () => {
  services = await sharedServices();
});

describe('joining', () => {
  test('gives a seat, returns the session, and may be repeated', async () => {
    const company = services.newCompany();
    const api = company.cart;
    const [id, session] = [await newTable(api, 2), await newSession(api)];
    const joined = await join(api, session, id);
    expect(joined.status).toBe(200);
    expect(joined.body.data).toMatchObject({ id: session, tableCommitmentId: id, contextId: 'evt_1', version: 2 });
    expect(joined.headers.get('etag')).toMatch(/^"2-/);
    const again = await join(company.cart.replica(1), session, id);
    expect([again.status, again.body.data.version]).toEqual([200, 2]);
    expect(await table(api, id)).toMatchObject({ seatsTaken: 1, joinedSessions: [session], status: 'open' });
    // The seat survives other changes, and closing the table.
    await api.post(`/cart/sessions/${session}/item`, item('a'));
    await api.post(`${TABLES}/${id}/close`);
    expect((await join(api, session, id)).body.data).toMatchObject({ tableCommitmentId: id, total: 100 });
    await expectConsistent(services, company);
  });

  test('is refused with the reason if the table is full, closed or of another context, or the session joined another table', async () => {
    const api = services.newCompany().cart;
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
    const api = services.newCompany().cart;
    const [id, session] = [await newTable(api, 2), await newSession(api)];
    expect((await join(api, session, id, { 'if-match': '"9"' })).body.error.code).toBe('VERSION_CONFLICT');
    expect((await join(api, session, id, { 'if-match': '"1"' })).status).toBe(200);
  });

  test('keeps the session in the context of the table', async () => {
    const api = services.newCompany().cart;
    const [id, session] = [await newTable(api, 2), await newSession(api)];
    await join(api, session, id);
    const moved = await api.patch(`/cart/sessions/${session}`, { contextId: 'evt_2' });
    expect([moved.status, moved.body.error.details[0].path]).toEqual([400, 'contextId']);
  });

  test('by 24 sessions at once, on two replicas, fills six seats with exactly six, and publishes once that the table is full', async () => {
    const company = services.newCompany();
    const api = company.cart;
    const id = await newTable(api, 6);
    const sessions = await Promise.all(Array.from({ length: 24 }, () => newSession(api)));
    const replies = await Promise.all(sessions.map((session, n) => join(company.cart.replica(n % 2), session, id)));
    const won = sessions.filter((_, n) => replies[n]?.status === 200);
    expect(won).toHaveLength(6);
    for (const { status, body } of replies.filter((reply) => reply.status !== 200)) {
      expect([status, body.error.code]).toEqual([409, 'TABLE_NOT_JOINABLE']);
    }
    const after = await table(api, id);
    expect(after).toMatchObject({ seatsTaken: 6, status: 'full' });
    expect(new Set(after.joinedSessions)).toEqual(new Set(won));
    await expectConsistent(services, company);
    await expect
      .poll(() => new Set(company.published('cart.table_joined').map(({ data }) => data.session.id)))
      .toEqual(new Set(won));
    await expect.poll(() => new Set(company.published('table.full').map((event) => event.id)).size).toBe(1);
    expect(company.published('table.full')[0]).toMatchObject({
      subject: id,
      data: { seats: 6, seatsTaken: 6, status: 'full' },
    });
  });

  test('takes the requested number of seats, changes the number when repeated with another, and leaving frees all of them', async () => {
    const company = services.newCompany();
    const api = company.cart;
    const [id, session, other] = [await newTable(api, 6), await newSession(api), await newSession(api)];
    expect((await join(api, session, id, {}, 4)).body.data).toMatchObject({ seats: 4, version: 2 });
    expect((await join(api, session, id)).body.data).toMatchObject({ seats: 4, version: 2 });
    const short = await join(api, other, id, {}, 3);
    expect([short.status, short.body.error.code]).toEqual([409, 'TABLE_NOT_JOINABLE']);
    expect(short.body.message).toBe(`Table ${id} has 2 seats left, and the session needs 3 more. Ask for fewer seats.`);
    const grown = await join(company.cart.replica(1), session, id, { 'if-match': '"2"' }, 6);
    expect([grown.status, grown.body.data.seats, grown.body.data.version]).toEqual([200, 6, 3]);
    expect(await table(api, id)).toMatchObject({
      seatsTaken: 6,
      status: 'full',
      parties: [{ sessionId: session, seats: 6 }],
    });
    expect((await join(api, session, id, {}, 7)).body.error.code).toBe('TABLE_NOT_JOINABLE');
    expect((await join(api, session, id, { 'if-match': '"2"' }, 2)).body.error.code).toBe('VERSION_CONFLICT');
    expect((await join(api, session, id, {}, 2)).body.data).toMatchObject({ seats: 2, version: 4 });
    expect(await table(api, id)).toMatchObject({ seatsTaken: 2, status: 'open' });
    const sent = await api.patch(`/cart/sessions/${session}`, (await api.get(`/cart/sessions/${session}`)).body.data);
    expect([sent.status, sent.body.data?.seats]).toEqual([200, 2]);
    expect((await api.patch(`/cart/sessions/${session}`, { seats: 3 })).body.data).toMatchObject({ seats: 2 });
    await api.post(`${TABLES}/${id}/close`);
    expect((await join(api, session, id, {}, 3)).body.message).toBe(`Table ${id} is closed. Join another table.`);
    expect((await join(api, session, id, {}, 1)).body.data).toMatchObject({ seats: 1 });
    for (const seats of [0, 501, 1.5]) expect((await join(api, session, id, {}, seats || -1)).status).toBe(400);
    await api.post(`/cart/sessions/${session}/leave-table`);
    expect(await table(api, id)).toMatchObject({ seatsTaken: 0, status: 'closed' });
    await expectConsistent(services, company);
  });

  test('never oversells a table that is resized while parties of all sizes grow, shrink and leave', async () => {
    const company = services.newCompany();
    const api = company.cart;
    const id = await newTable(api, 12);
    const sessions = await Promise.all(Array.from({ length: 12 }, () => newSession(api)));
    const replies = await Promise.all(
      sessions.flatMap((session, s) =>
        [1, 3, 2, 4].map(async (seats, n) => {
          const replica = company.cart.replica((s + n) % 2);
          if (s % 4 === 3 && n === 3) return await replica.post(`/cart/sessions/${session}/leave-table`);
          if (s % 4 === 1 && n === 3) return await replica.patch(`${TABLES}/${id}`, { seats: 9 + s });
          return await join(replica, session, id, {}, seats);
        }),
      ),
    );
    const codes = replies.map(({ status, body }) => (status === 200 ? 'ok' : body.error.code));
    expect(codes.filter((code) => !['ok', 'TABLE_NOT_JOINABLE', 'SEATS_TAKEN'].includes(code))).toEqual([]);
    await expectConsistent(services, company);
    const { parties, seatsTaken } = await table(api, id);
    expect(parties.reduce((sum: number, { seats }: { seats: number }) => sum + seats, 0)).toBe(seatsTaken);
  });

  test('five tables at once with one session ends with one seat at one table', async () => {
    const company = services.newCompany();
    const api = company.cart;
    const tables = await Promise.all(Array.from({ length: 5 }, () => newTable(api, 40)));
    const sessions = await Promise.all(Array.from({ length: 8 }, () => newSession(api)));
    const replies = await Promise.all(
      sessions.flatMap((session, s) => tables.map((id, t) => join(company.cart.replica((s + t) % 2), session, id))),
    );
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(8);
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200, 409]));
    await expectConsistent(services, company);
  });

  test('one table 20 times at once with one session takes one seat', async () => {
    const company = services.newCompany();
    const api = company.cart;
    const [id, session] = [await newTable(api, 40), await newSession(api)];
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, n) => join(company.cart.replica(n % 2), session, id)),
    );
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await table(api, id)).toMatchObject({ seatsTaken: 1 });
  });

  test('while the session is being changed loses neither', async () => {
    const company = services.newCompany();
    const api = company.cart;
    const [id, session] = [await newTable(api, 40), await newSession(api)];
    const changes = Array.from(
      { length: 30 },
      (_, n) => () => company.cart.replica(n % 2).post(`/cart/sessions/${session}/item`, item(`o${n}`)),
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
