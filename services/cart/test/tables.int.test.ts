import { beforeAll, describe, expect, test } from 'vitest';
import { type Services, sharedServices } from '../../../tests/harness/services.ts';
import { join, newSession, newTable, table, TABLES } from './tables.ts';

let services: Services;
beforeAll(async () => {
  services = await sharedServices();
});

describe('a table commitment', () => {
  test('is listed in pages by company, context and status', async () => {
    const [company, other] = [services.newCompany(), services.newCompany()];
    const api = company.cart;
    const made: string[] = [];
    for (let n = 0; n < 5; n++) made.push(await newTable(api, 2, n === 3 ? 'evt_2' : 'evt_1'));
    await newTable(other.cart, 2);
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
    const api = services.newCompany().cart;
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
    const company = services.newCompany();
    const api = company.cart;
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

  test('can get more or fewer seats, but not fewer than are taken, and can be sent back as it was read', async () => {
    const company = services.newCompany();
    const api = company.cart;
    const [id, first, second] = [await newTable(api, 2), await newSession(api), await newSession(api)];
    await join(api, first, id, {}, 2);
    expect(await table(api, id)).toMatchObject({ status: 'full', version: 2 });
    const resize = async (seats: number, headers = {}) => api.patch(`${TABLES}/${id}`, { seats }, headers);
    const refused = await resize(1);
    expect([refused.status, refused.body.error.code]).toEqual([409, 'SEATS_TAKEN']);
    expect(refused.body.message).toBe(`2 seats of table ${id} are taken, so it cannot have only 1. Send at least 2.`);
    expect(refused.body.error.details).toMatchObject([{ path: 'seats', seatsTaken: 2 }]);
    expect((await resize(4, { 'if-match': '"1"' })).body.error.code).toBe('VERSION_CONFLICT');
    expect((await resize(4, { 'if-match': '"2"' })).body.data).toMatchObject({ seats: 4, status: 'open', version: 3 });
    expect((await join(api, second, id)).status).toBe(200);
    const full = await resize(3);
    expect(full.body.data).toMatchObject({ seats: 3, seatsTaken: 3, status: 'full', version: 5 });
    expect((await api.patch(`${TABLES}/${id}`, full.body.data)).body).toEqual(full.body);
    await expect.poll(() => company.published('table.full')).toHaveLength(2);
    await api.post(`${TABLES}/${id}/close`);
    expect((await resize(5)).body.data).toMatchObject({ seats: 5, status: 'closed' });
    expect((await resize(2)).body.error.code).toBe('SEATS_TAKEN');
    for (const wrong of [{ seats: 0 }, { seats: 501 }, { contextId: 'evt_9' }, { minimumSpend: 5 }]) {
      expect((await api.patch(`${TABLES}/${id}`, wrong)).status).toBe(400);
    }
    expect((await services.newCompany().cart.patch(`${TABLES}/${id}`, { seats: 5 })).status).toBe(404);
  });

  test('of another company, and one that does not exist, are the same 404', async () => {
    const [one, other] = [services.newCompany().cart, services.newCompany().cart];
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
      const reply = await services.newCompany().cart.post(TABLES, { contextId: 'evt_1', seats: 2, ...wrong });
      expect([reply.status, reply.body.error.code]).toEqual([400, 'VALIDATION_FAILED']);
    },
  );
});

test('a table that 60 callers create with one id at once is created once', async () => {
  const company = services.newCompany();
  const given = { id: 'tbl-1', contextId: 'evt_1', seats: 4 };
  const replies = await Promise.all(
    Array.from({ length: 60 }, (_, n) => company.cart.replica(n % 2).post(TABLES, given)),
  );
  expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(replies.filter(({ status }) => status === 409)).toHaveLength(59);
});
