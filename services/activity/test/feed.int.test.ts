import { randomUUID } from 'node:crypto';
import { adjustmentBody, newCode, orderBody } from '@event-commerce/test-kit';
import { type EventSourceMessage, EventSourceParserStream } from 'eventsource-parser/stream';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Company, type Services, sharedServices } from '../../../tests/harness/services.ts';

let services: Services;
beforeAll(async () => {
  services = await sharedServices();
}, 60_000);

/** The cursor after which a company's future is read. */
async function now({ activity }: Company): Promise<string> {
  return (await activity.get('/activity?after=now')).body.page.next;
}

const follow = async ({ activity }: Company, query: string) => (await activity.get(`/activity?wait=10&${query}`)).body;

/** The key that makes the requests of these tests. */
const KEY = { keyId: 'key_test', name: 'The test key' };

describe('the activity feed', () => {
  test('returns what happens after a cursor within a moment, once and in order', async () => {
    const company = services.newCompany();
    const start = await now(company);
    const { id } = (await company.commerce.post('/coupons', { code: 'A1', percentOff: 10 })).body.data;
    const first = await follow(company, `after=${start}&type=coupon.*`);
    expect(first.data).toMatchObject([
      { type: 'coupon.created', subject: id, version: 1, actor: KEY, data: { id, code: 'A1' } },
    ]);
    await company.commerce.patch(`/coupons/${id}`, { percentOff: 15 });
    const second = await follow(company, `after=${first.page.next}&type=coupon.*`);
    expect(second.data).toMatchObject([
      {
        type: 'coupon.updated',
        subject: id,
        version: 2,
        requestId: expect.any(String),
        changes: [{ path: 'percentOff', before: 10, after: 15 }],
      },
    ]);
    const all = await company.activity.get(`/activity?subject=${id}`);
    expect(all.body.data.map(({ type }: { type: string }) => type)).toEqual(['coupon.updated', 'coupon.created']);
  });

  test('waits as long as it was asked to, and then returns where to continue', async () => {
    const company = services.newCompany();
    const start = await now(company);
    const beganMs = performance.now();
    const { status, body } = await company.activity.get(`/activity?after=${start}&wait=1`);
    expect(performance.now() - beganMs).toBeGreaterThan(990);
    expect([status, body.data]).toEqual([200, []]);
    expect(body.page.next).toEqual(expect.any(String));
  });

  test('has every order once, whatever the size of its pages, and nothing that only services need', async () => {
    const company = services.newCompany();
    const start = await now(company);
    const placed = await Promise.all(
      Array.from({ length: 30 }, async () =>
        company.commerce.post('/orders', { order: orderBody(company.companyId, { orderNumber: randomUUID() }).order }),
      ),
    );
    const ids = placed.map(({ body }) => body.data.order.id as string);
    const seen: { subject: string; data: object }[] = [];
    for (let after = start; seen.length < ids.length;) {
      const { data, page } = await follow(company, `after=${after}&type=order.placed&limit=7`);
      seen.push(...data);
      after = page.next;
    }
    expect(seen.map(({ subject }) => subject).toSorted()).toEqual(ids.toSorted());
    expect(seen.flatMap(({ data }) => Object.keys(data))).not.toContain('claims');
    const backwards: string[] = [];
    for (let cursor = ''; ;) {
      const { body } = await company.activity.get(`/activity?type=order.placed&limit=7${cursor}`);
      backwards.push(...body.data.map(({ subject }: { subject: string }) => subject));
      if (body.page.next === null) break;
      cursor = `&cursor=${body.page.next}`;
    }
    expect(backwards).toEqual(seen.map(({ subject }) => subject).toReversed());
  });

  test('collapses many changes of a record into its last one', async () => {
    const company = services.newCompany();
    const start = await now(company);
    const ids: string[] = [];
    for (let n = 0; n < 5; n += 1) {
      const { id } = (await company.commerce.post('/coupons', { code: `C${n}`, percentOff: 10 })).body.data;
      for (const percentOff of [20, 30]) await company.commerce.patch(`/coupons/${id}`, { percentOff });
      ids.push(id);
    }
    await expect
      .poll(async () => (await follow(company, `after=${start}&type=coupon.*&collapse=subject`)).data, {
        timeout: 10_000,
      })
      .toMatchObject(ids.map((subject) => ({ subject, version: 3 })));
  });

  test('shows a key only what its other scopes let it read', async () => {
    const company = services.newCompany();
    const start = await now(company);
    await company.commerce.post('/coupons', { code: 'X1', percentOff: 10 });
    await company.commerce.post('/orders', { order: orderBody(company.companyId).order });
    await follow(company, `after=${start}&type=order.placed`);
    const limited = company.activity.as('activity:read', 'orders:read');
    const { body } = await limited.get(`/activity?after=${start}`);
    expect(new Set(body.data.map(({ type }: { type: string }) => type))).toEqual(new Set(['order.placed']));
    const refused = await limited.get('/activity?type=order.*,coupon.created');
    expect(refused.body.error).toMatchObject({ code: 'FORBIDDEN', message: expect.stringContaining('coupons:read') });
    expect((await company.activity.as('orders:read').get('/activity')).status).toBe(403);
    const other = await services.newCompany().activity.get('/activity');
    expect(other.body.data).toEqual([]);
  });

  test.each([
    ['after=!', 'after'],
    ['cursor=%2F', 'cursor'],
    ['type=Order', 'type[0]'],
    ['wait=5', 'wait'],
    ['wait=31&after=now', 'wait'],
    ['collapse=subject', 'collapse'],
  ])('refuses ?%s and names it', async (query, path) => {
    const { status, body } = await services.newCompany().activity.get(`/activity?${query}`);
    expect([status, body.error.details[0].path]).toEqual([400, expect.stringContaining(path)]);
  });
});

/** A record of the kind, and who changes it. */
async function recordOf(company: Company, kind: string) {
  const { commerce, pricing, events } = company;
  if (kind === 'coupon') {
    const { body } = await commerce.post('/coupons', { code: newCode(), percentOff: 10 });
    return { api: commerce, path: `/coupons/${body.data.id}`, record: body.data };
  }
  if (kind === 'adjustment') {
    const { body } = await pricing.post('/pricing/adjustments', adjustmentBody(newCode()));
    return { api: pricing, path: `/pricing/adjustments/${body.data.id}`, record: body.data };
  }
  if (kind === 'order') return await orderOf(company);
  const { body: event } = await events.post('/events', { name: 'Gala' });
  if (kind === 'event') return { api: events, path: `/events/${event.data.id}`, record: event.data };
  const price = { amount: 5_000, currency: 'EUR' };
  const { body } = await events.post(`/events/${event.data.id}/offerings`, { name: 'Seat', price });
  return { api: events, path: `/offerings/${body.data.id}`, record: body.data };
}

async function orderOf({ companyId, commerce }: Company, said: object = {}) {
  const { body } = await commerce.post('/orders', { order: { ...orderBody(companyId).order, ...said } });
  const { order } = body.data;
  return { api: commerce, path: `/orders/${order.id}`, record: order };
}

/** The entries about the record, the oldest first, once there are `length`. */
async function historyOf(company: Company, id: string, length: number): Promise<any[]> {
  const read = async () => (await company.activity.get(`/activity?subject=${id}`)).body.data.toReversed();
  await expect.poll(async () => (await read()).length, { timeout: 10_000 }).toBe(length);
  return await read();
}

describe('the history of a record', () => {
  test.each([
    ['coupon', 'percentOff', 15, 20],
    ['adjustment', 'name', 'Spring', 'Summer'],
    ['event', 'name', 'Ball', 'Concert'],
    ['offering', 'name', 'Chair', 'Bench'],
    ['order', 'status', 'packed', 'shipped'],
  ])('of %s says who changed it and how, also when two changes follow at once', async (kind, member, first, second) => {
    const company = services.newCompany();
    const { api, path, record } = await recordOf(company, kind);
    // The events of both are published together, when the record is as the second one left it.
    for (const value of [first, second]) {
      const headers = { 'x-request-id': `${kind}-${value}` };
      expect((await api.patch(path, { [member]: value }, headers)).status).toBe(200);
    }
    const change = (version: number, before: unknown, after: string | number) => ({
      type: `${kind}.updated`,
      subject: record.id,
      version,
      actor: KEY,
      requestId: `${kind}-${after}`,
      changes: [{ path: member, before, after }],
    });
    expect((await historyOf(company, record.id, 3)).slice(1)).toMatchObject([
      change(2, record[member], first),
      change(3, first, second),
    ]);
  });

  test('of an order says that its customer changed, and nothing about who it is', async () => {
    const company = services.newCompany();
    const { api, path, record } = await orderOf(company, { customer: { email: 'ada@example.com' } });
    await api.patch(path, { customer: { email: 'grace@example.com', firstName: 'Grace' } });
    const entries = await historyOf(company, record.id, 2);
    expect(entries[1].changes).toEqual([{ path: 'customer', redacted: true }]);
    expect(JSON.stringify(entries)).not.toMatch(/ada@|grace/i);
  });

  test('of an order has every transition with its version, and what it changed', async () => {
    const company = services.newCompany();
    const { api, path, record } = await orderOf(company, { status: 'pending', expiresInSeconds: 600 });
    for (const transition of ['confirm', 'cancel', 'reopen']) {
      expect((await api.post(`${path}/${transition}`)).status).toBe(200);
    }
    const { expiresAt } = record;
    const cancelledAt = expect.any(String);
    const entries = await historyOf(company, record.id, 4);
    expect(entries.map(({ type, version, changes }) => [type, version, changes])).toEqual([
      ['order.pending', 1, undefined],
      [
        'order.confirmed',
        2,
        [
          { path: 'status', before: 'pending', after: 'placed' },
          { path: 'expiresAt', before: expiresAt },
        ],
      ],
      [
        'order.cancelled',
        3,
        [
          { path: 'status', before: 'placed', after: 'cancelled' },
          { path: 'cancelledAt', after: cancelledAt },
        ],
      ],
      [
        'order.reopened',
        4,
        expect.arrayContaining([
          { path: 'status', before: 'cancelled', after: 'placed' },
          { path: 'cancelledAt', before: cancelledAt },
        ]),
      ],
    ]);
  });

  test('of a cart and a table says what was chosen, and what became of the table', async () => {
    const company = services.newCompany();
    const { cart } = company;
    const session = (await cart.post('/cart/sessions', { currency: 'EUR', customerId: 'cus_1' })).body.data;
    await cart.patch(`/cart/sessions/${session.id}`, { customerId: 'cus_2' });
    const table = (await cart.post('/cart/table-commitments', { contextId: 'evt_1', seats: 2 })).body.data;
    await cart.patch(`/cart/table-commitments/${table.id}`, { seats: 4 });
    await cart.post(`/cart/table-commitments/${table.id}/close`);
    expect((await historyOf(company, session.id, 2))[1]).toMatchObject({
      version: 2,
      changes: [{ path: 'customerId', before: 'cus_1', after: 'cus_2' }],
    });
    expect(await historyOf(company, table.id, 3)).toMatchObject([
      { type: 'table.created', version: 1, actor: KEY },
      { type: 'table.updated', actor: KEY, changes: [{ path: 'seats', before: 2, after: 4 }] },
      { type: 'table.closed', actor: KEY, changes: [{ path: 'status', before: 'open', after: 'closed' }] },
    ]);
  });
});

/** Server-sent events from the first replica, as they arrive. */
async function* streamOf(company: Company, query: string, lastEventId?: string): AsyncGenerator<EventSourceMessage> {
  const url = services.replicas.activity[0]?.url;
  const response = await fetch(`${url}/activity/stream?${query}`, {
    headers: {
      ...services.identity.headers(company.companyId, 'activity'),
      ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
    },
  });
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
  const events = response.body?.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
  for await (const event of events ?? []) if (event.data !== '') yield event;
}

describe('the activity stream', () => {
  test('delivers entries as they happen, and continues after the last one that a client received', async () => {
    const company = services.newCompany();
    const start = await now(company);
    const stream = streamOf(company, `type=coupon.created&after=${start}`);
    const create = async (code: string) =>
      (await company.commerce.post('/coupons', { code, percentOff: 10 })).body.data.id;
    const first = stream.next();
    const ids = [await create('S1')];
    const { value: received } = await first;
    expect(JSON.parse(received.data)).toMatchObject({ type: 'coupon.created', subject: ids[0], cursor: received.id });
    ids.push(await create('S2'));
    expect(JSON.parse((await stream.next()).value.data).subject).toBe(ids[1]);
    await stream.return(undefined);
    ids.push(await create('S3'));
    const again = streamOf(company, 'type=coupon.created', received.id);
    expect([await again.next(), await again.next()].map(({ value }) => JSON.parse(value.data).subject)).toEqual(
      ids.slice(1),
    );
    await again.return(undefined);
  });

  test('ends when its key is revoked', async () => {
    const company = services.newCompany();
    // The stream begins before the key is revoked, however late it is requested.
    const stream = streamOf(company, `after=${await now(company)}`);
    const ended = stream.next();
    await services.publish({
      specversion: '1.0',
      id: randomUUID(),
      time: new Date().toISOString(),
      datacontenttype: 'application/json',
      companyid: company.companyId,
      environment: 'live',
      schemaversion: 1,
      source: '/gateway',
      type: 'api_key.revoked',
      subject: 'key_test',
      data: {
        id: 'key_test',
        companyId: company.companyId,
        name: 'Test',
        revoked: new Date().toISOString(),
        version: 2,
      },
    });
    await expect.poll(async () => (await company.activity.get('/activity')).body.data).toHaveLength(1);
    const beganMs = performance.now();
    for (let next = await ended; !next.done; next = await stream.next());
    expect(performance.now() - beganMs).toBeLessThan(5_000);
  });

  test('and waiting requests are bounded: a company has 20 open', async () => {
    const company = services.newCompany();
    const sent = Array.from({ length: 21 }, async () => company.activity.get('/activity?after=now&wait=2'));
    const statuses = (await Promise.all(sent)).map(({ status }) => status);
    expect(Map.groupBy(statuses, (status) => status).get(429)).toHaveLength(1);
  });
});
