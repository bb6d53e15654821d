// Runs in `tables.int.test.ts`, on its servers.

import { parseAttempt } from '@event-commerce/contracts';
import { liveTenant, triesOfOne } from '@event-commerce/test-kit';
import { describe, expect, test } from 'vitest';
import type { Carts } from './cart-fixture.ts';
import { newCart, poster } from './new-cart.ts';
import { expectConsistent, join, leave, newSession, newTable, table, tableOf } from './table-requests.ts';

export function describeRepeatedChanges(carts: () => Carts): void {
  /** What the session is for its next reader, which prices it again. */
  const asNow = (session: object) => ({ ...session, pricedAt: expect.any(String) });

  describe('a request that is sent again, because its answer was lost, takes effect once:', () => {
    test.each([
      ['on another replica', 1, {}],
      ['on the same replica', 0, {}],
      ['with If-Match', 1, { 'if-match': '"1"' }],
      ['with If-Match, on the same replica', 0, { 'if-match': '"1"' }],
    ])('an item is set, %s, and stays as others set it since', async (_what, replica, headers) => {
      const { company, path, read } = await newCart(carts());
      const [first, again] = triesOfOne();
      const set = async (quantity: number, more: object) =>
        company.api(replica).post(`${path}/item`, poster(quantity), { ...headers, ...more });
      expect((await company.api().post(`${path}/item`, poster(2), { ...headers, ...first })).status).toBe(200);
      const unchanged = await set(2, again);
      expect([unchanged.status, unchanged.body.data]).toEqual([200, asNow(await read())]);
      await company.api().post(`${path}/item`, poster(5));
      const now = await read();
      expect(now).toMatchObject({ version: 3, items: [{ quantity: 5 }] });
      const reply = await set(2, again);
      expect([reply.status, reply.body.data]).toEqual([200, asNow(now)]);
      expect(await read()).toEqual(asNow(now));
      expect(JSON.stringify(reply.body)).not.toContain('attempt');
    });

    test('an item is set, and the cart was ordered since', async () => {
      const { company, path, read, order } = await newCart(carts());
      const [first, again] = triesOfOne();
      await company.api().post(`${path}/item`, poster(2), first);
      const orderId = await order('placed');
      const reply = await company.api().post(`${path}/item`, poster(2), again);
      expect([reply.status, reply.body.data]).toMatchObject([200, { status: 'ordered', orderId }]);
      expect(reply.body.data).toEqual(asNow(await read()));
    });

    test('items are set by many requests at once, each with two tries at once, and the session keeps a few of them', async () => {
      const { company, path, sessionId, read } = await newCart(carts());
      const set = async (headers: Record<string, string>, replica: number) =>
        company.api(replica).post(`${path}/item`, poster(2), headers);
      const tries = Array.from({ length: 20 }, triesOfOne).flat();
      const replies = await Promise.all(tries.map(async (headers, n) => set(headers, Math.floor(n / 2) % 2)));
      expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
      expect(await read()).toMatchObject({ version: 21 });
      const [first] = triesOfOne();
      await set(first, 0);
      const stored = await carts().models.sessions.collection.findOne({ sessionId });
      expect(stored?.['attempts']).toHaveLength(20);
      expect(stored?.['attempts']).toContain(parseAttempt(Object.values(first)[0])?.idSuffix);
    });

    test.each([{}, { 'if-match': '"1"' }])('a session joins, and left since (%j)', async (headers) => {
      const company = carts().newCompany();
      const api = company.api();
      const [id, session] = [await newTable(api, 1), await newSession(api)];
      const [first, again] = triesOfOne();
      const joined = await join(api, session, id, { ...headers, ...first });
      const unchanged = await join(company.api(1), session, id, { ...headers, ...again });
      expect([unchanged.status, unchanged.body.data]).toEqual([200, asNow(joined.body.data)]);
      const left = await leave(api, session);
      const reply = await join(company.api(1), session, id, { ...headers, ...again });
      expect([reply.status, reply.body.data]).toEqual([200, asNow(left.body.data)]);
      expect(await table(api, id)).toMatchObject({ seatsTaken: 0 });
      await expectConsistent(carts(), company);
    });

    test.each([{}, { 'if-match': '"2"' }])('a session leaves, and joined since (%j)', async (headers) => {
      const company = carts().newCompany();
      const api = company.api();
      const [id, session] = [await newTable(api, 1), await newSession(api)];
      await join(api, session, id);
      const [first, again] = triesOfOne();
      const left = await leave(api, session, { ...headers, ...first });
      const unchanged = await leave(company.api(1), session, { ...headers, ...again });
      expect([unchanged.status, unchanged.body.data]).toEqual([200, asNow(left.body.data)]);
      const joined = await join(api, session, id);
      const reply = await leave(company.api(1), session, { ...headers, ...again });
      expect([reply.status, reply.body.data]).toEqual([200, asNow(joined.body.data)]);
      expect(await table(api, id)).toMatchObject({ seatsTaken: 1, joinedSessions: [session] });
      await expectConsistent(carts(), company);
    });

    test('a session joins, although the first try was killed when it had the seat, and left since', async () => {
      const company = carts().newCompany();
      const api = company.api();
      const [id, session] = [await newTable(api, 1), await newSession(api)];
      const [first, again] = triesOfOne();
      const caller = { tenant: liveTenant(company.companyId), traceparent: undefined };
      const { createdAt } = (await carts().sessions.load(caller.tenant, session)) ?? expect.fail('no session');
      const attempt = parseAttempt(Object.values(first)[0])?.idSuffix ?? expect.fail('no attempt');
      const seat = { sessionId: session, sessionCreatedAt: createdAt, attempt };
      const seen = carts().events(company.companyId, 'cart.table_joined');
      await carts().bus.nats.flush();
      await carts().tables.takeSeat(caller, { tableId: id, seats: 1 }, seat, new Date());
      await expect.poll(() => tableOf(api, session), { timeout: 10_000 }).toBe(id);
      await leave(api, session);
      expect((await join(api, session, id, again)).body.data).not.toHaveProperty('tableCommitmentId');
      expect(await table(api, id)).toMatchObject({ seatsTaken: 0, joinedSessions: [] });
      expect(seen.map(({ data }) => data.session)).toEqual([{ id: session, createdAt: createdAt.toISOString() }]);
    });
  });
}
