import { AUDIENCE, IDENTITY_HEADER } from '@event-commerce/contracts';
import { adjustmentBody, newCode, orderBody } from '@event-commerce/test-kit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CommerceAndPricing, type Company, startCommerceAndPricing } from './harness.ts';
import { EUR, newShop } from './shop.ts';

/** The heap limit of the process of commerce. */
const HEAP_MIB = 96;
const MANY = 4_000;
const NEWLINE = 0x0a;
/** Sweeps run, and processes start. */
const PATIENT = { timeout: 30_000 };
let platform: CommerceAndPricing;
beforeAll(async () => {
  platform = await startCommerceAndPricing({ killable: true, heapMiB: HEAP_MIB });
});
afterAll(async () => platform?.stop());

async function place({ commerce, companyId }: Company, changes: Record<string, unknown> = {}) {
  const { status, body } = await commerce.post('/orders', orderBody(companyId, changes));
  expect([status, body.error?.message]).toEqual([201, undefined]);
  return body.data.order;
}

/** Reads a stream as text, with the headers of its response. */
async function streamed(company: Company, query: string, signal?: AbortSignal) {
  const token = platform.token(company.companyId, [...AUDIENCE.commerce], ['orders:read']);
  const response = await fetch(`${platform.urls.commerce}/orders?${query}`, {
    headers: { [IDENTITY_HEADER]: token },
    ...(signal === undefined ? {} : { signal }),
  });
  return { status: response.status, type: response.headers.get('content-type'), response };
}

describe('orders are found', () => {
  test('by what they say, by several things at once, in pages, and by nobody else', async () => {
    const company = platform.newCompany();
    const { commerce, pricing } = company;
    const code = newCode();
    await pricing.post('/pricing/adjustments', adjustmentBody(code));
    const ada = { id: 'c1', email: 'Ada@Example.com', firstName: 'Ada', lastName: 'Lövelace', phone: '+49 30 555' };
    const grace = { id: 'c2', email: 'grace@example.com', firstName: 'Grace', lastName: 'Hopper' };
    const item = (offeringId: string) => ({ offeringId, quantity: 1, unitPrice: 100 });
    const one = await place(company, {
      orderNumber: 'SUMMER/1',
      customer: ada,
      items: [item('off_a')],
      coupons: [code],
    });
    const two = await place(company, { customer: grace, items: [item('off_a'), item('off_b')], status: 'paid' });
    const three = await place(company, { customer: ada, contextId: 'ven_1', items: [item('off_b')] });
    const find = async (query: Record<string, string>) => {
      const { status, body } = await commerce.get(`/orders?${new URLSearchParams(query).toString()}`);
      return status === 200 ? body.data.map(({ id }: { id: string }) => id) : (body.error.details?.[0].path ?? body);
    };
    const cases: [Record<string, string>, string[]][] = [
      [{ orderNumber: 'SUMMER/1' }, [one.id]],
      [{ orderNumber: 'summer/1' }, []],
      [{ email: 'ada@example.COM' }, [three.id, one.id]],
      [{ email: 'ada@example' }, []],
      [{ customerId: 'c2' }, [two.id]],
      [{ status: 'paid' }, [two.id]],
      [{ contextId: 'ven_1' }, [three.id]],
      [{ offeringId: 'off_a' }, [two.id, one.id]],
      [{ offeringId: 'off_a', email: 'ada@example.com' }, [one.id]],
      [{ code: code.toLowerCase() }, [one.id]],
      [{ q: 'summer' }, [one.id]],
      [{ q: 'lovel' }, [three.id, one.id]],
      [{ q: 'LÖV ada' }, [three.id, one.id]],
      [{ q: 'gra hop' }, [two.id]],
      [{ q: 'gra ada' }, []],
      [{ q: 'example' }, [three.id, two.id, one.id]],
      [{ q: 'example.com' }, [three.id, two.id, one.id]],
      [{ q: '555' }, [three.id, one.id]],
      [{ q: 'ample' }, []],
      [{ q: 'lov ADA@exam' }, [three.id, one.id]],
      [{ q: 'ada@example.com' }, [three.id, one.id]],
      [{ q: 'a.a@' }, []],
      [{ q: 'example', offeringId: 'off_b', status: 'placed' }, [three.id]],
      [{ q: 'example', from: two.createdAt, to: three.createdAt }, [two.id]],
    ];
    for (const [query, ids] of cases) expect([query, await find(query)]).toEqual([query, ids]);
    expect(await find({ q: '!?' })).toBe('q');
    expect(await find({ nonsense: '1' })).toBe('nonsense');

    const first = (await commerce.get('/orders?q=example&limit=2')).body;
    expect(first.data.map(({ id }: { id: string }) => id)).toEqual([three.id, two.id]);
    const rest = (await commerce.get(`/orders?q=example&limit=2&cursor=${first.page.next}`)).body;
    expect([rest.data.map(({ id }: { id: string }) => id), rest.page.next]).toEqual([[one.id], null]);
    expect((await platform.newCompany().commerce.get('/orders?q=example')).body.data).toEqual([]);

    expect((await commerce.get(`/orders/${two.orderNumber}`)).body.data).toEqual(two);
    expect((await platform.newCompany().commerce.get(`/orders/${two.orderNumber}`)).status).toBe(404);

    await commerce.patch(`/orders/${one.id}`, { customer: { lastName: 'Byron', email: 'ada@byron.org' } });
    expect(await find({ q: 'lovelace' })).toEqual([three.id]);
    expect(await find({ q: 'byr' })).toEqual([one.id]);
    expect(await find({ email: 'ada@byron.org' })).toEqual([one.id]);
    expect(one).not.toHaveProperty('terms');
  });

  test('by the event of their offerings, whatever they say that they are for, also in exports', async () => {
    const shop = await newShop(platform);
    const { commerce, events, eventId, ticket } = shop;
    const other = (await events.post('/events', { name: 'Encore' })).body.data;
    const offering = { name: 'Ticket', price: EUR(3_000) };
    const encore = (await events.post(`/events/${other.id}/offerings`, offering)).body.data.id as string;
    const order = async (items: object[]) => place(shop, { contextId: eventId, items, coupons: [] });
    const elsewhere = await order([{ offeringId: encore, quantity: 1 }]);
    const both = await order([
      { offeringId: ticket, quantity: 1 },
      { offeringId: encore, quantity: 1 },
    ]);
    await order([{ offeringId: 'off_own', quantity: 1, unitPrice: 100 }]);
    const find = async (query: string) =>
      (await commerce.get(`/orders?${query}`)).body.data.map(({ id }: { id: string }) => id);
    expect(await find(`eventId=${other.id}`)).toEqual([both.id, elsewhere.id]);
    expect(await find(`eventId=${eventId}`)).toEqual([both.id]);
    expect(await find(`eventId=${eventId}&offeringId=${encore}`)).toEqual([both.id]);
    expect(await find('eventId=evt_none')).toEqual([]);
    expect((await platform.newCompany().commerce.get(`/orders?eventId=${other.id}`)).body.data).toEqual([]);

    const { response } = await streamed(shop, `format=ndjson&eventId=${other.id}`);
    const lines = (await response.text()).trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line).id)).toEqual([both.id, elsewhere.id]);
    const csv = await streamed(shop, `format=csv&eventId=${eventId}`);
    expect((await csv.response.text()).trimEnd().split('\r\n')).toHaveLength(2);

    const document = await platform.eventsDb.collection('offerings').findOne({ offeringId: encore });
    // Without the events that it may still have to publish.
    const like = { ...document, outbox: [] };
    const copies = Array.from({ length: 5_000 }, (_, n) => ({ ...like, _id: `off_${n}`, offeringId: `off_${n}` }));
    await platform.eventsDb.collection('offerings').insertMany(copies.slice(1) as never);
    expect(await find(`eventId=${other.id}`)).toEqual([both.id, elsewhere.id]);
    await platform.eventsDb.collection('offerings').insertOne(copies[0] as never);
    expect((await commerce.get(`/orders?eventId=${other.id}`)).body.error.details).toEqual([
      { path: 'eventId', message: 'has more than 5000 offerings; send offeringId instead' },
    ]);
  });

  test('by what became of them, whatever their label', async () => {
    const company = platform.newCompany();
    const { commerce } = company;
    const labelled = await place(company, { status: ' Zurückgelegt, bar ' });
    expect(labelled.status).toBe('Zurückgelegt, bar');
    const pending = await place(company, { expiresInSeconds: 600 });
    const placed = await place(company);
    const cancelled = await place(company);
    await commerce.post(`/orders/${cancelled.id}/cancel`, {});
    const find = async (query: string) =>
      (await commerce.get(`/orders?${query}`)).body.data.map(({ id }: { id: string }) => id);
    expect(await find('status=placed')).toEqual([placed.id]);
    expect(await find('status=Placed')).toEqual([placed.id]);
    expect(await find('state=placed')).toEqual([placed.id, labelled.id]);
    expect(await find('state=placed&status=Zur%C3%BCckgelegt,%20bar')).toEqual([labelled.id]);
    expect(await find('state=pending')).toEqual([pending.id]);
    expect(await find('state=cancelled')).toEqual([cancelled.id]);
    expect(await find('state=expired')).toEqual([]);
    expect((await commerce.get('/orders?state=paid')).status).toBe(400);
  });
});

describe('an export', () => {
  /** Copies an order with `characters` of text `count` times into the database. */
  async function shopWith(count: number, characters = 1_000): Promise<Company> {
    const company = platform.newCompany();
    const { id } = await place(company, { meta: { text: 'x'.repeat(characters) } });
    const order = await platform.models.orders.collection.findOne({ _id: id });
    const width = String(count).length;
    for (let from = 0; from < count - 1; from += 1_000) {
      const copies = Array.from({ length: Math.min(1_000, count - 1 - from) }, (_, n) => {
        const number = String(from + n).padStart(width, '0');
        return { ...order, _id: `ord_0_${company.companyId}_${number}`, orderNumber: `N-${number}`, outbox: [] };
      });
      await platform.models.orders.collection.insertMany(copies as never);
    }
    return company;
  }

  test('has every order that matches, newest first, as JSON lines or CSV', async () => {
    const company = await shopWith(500);
    const { status, type, response } = await streamed(company, 'format=ndjson&email=ada@example.com');
    expect([status, type]).toEqual([200, 'application/x-ndjson']);
    const lines = (await response.text()).trimEnd().split('\n');
    expect(lines).toHaveLength(500);
    const page = (await company.commerce.get('/orders?limit=200')).body.data;
    expect(lines.slice(0, 200).map((line) => JSON.parse(line))).toEqual(page);
    const csv = await streamed(company, 'format=csv');
    expect(csv.type).toMatch(/^text\/csv/);
    const rows = (await csv.response.text()).split('\r\n');
    expect(rows).toHaveLength(502);
    expect(rows[0]).toMatch(/^id,orderNumber,status,/);
    expect(rows[1]).toContain(page[0].orderNumber);
  });

  test('has all of them, whatever limit and cursor say', async () => {
    const company = await shopWith(30);
    const { next } = (await company.commerce.get('/orders?limit=10')).body.page;
    for (const cursor of [next, 'bogus']) {
      const { status, response } = await streamed(company, `format=ndjson&limit=10&cursor=${cursor}`);
      expect([status, (await response.text()).trimEnd().split('\n').length]).toEqual([200, 30]);
    }
  });

  test('of nothing is empty, and of a wrong filter is an error', async () => {
    const company = platform.newCompany();
    expect(await (await streamed(company, 'format=ndjson')).response.text()).toBe('');
    expect((await (await streamed(company, 'format=csv')).response.text()).split('\r\n')).toHaveLength(2);
    expect((await streamed(company, 'format=xml')).status).toBe(400);
    expect((await streamed(company, 'format=csv&q=!')).status).toBe(400);
  });

  test('of any number of orders fits into little memory', async () => {
    // 40 MB.
    const large = await shopWith(MANY, 10_000);
    const pid = platform.commerceProcess?.pid;
    for (const [format, lines] of [
      ['ndjson', MANY],
      ['csv', MANY + 1],
    ] as const) {
      const { response } = await streamed(large, `format=${format}`);
      let ended = 0;
      for await (const chunk of response.body ?? []) {
        for (const byte of chunk as Uint8Array) if (byte === NEWLINE) ended += 1;
      }
      expect([format, ended]).toEqual([format, lines]);
    }
    // All orders at once are larger than its heap: it would have ended.
    expect(platform.commerceProcess?.pid).toBe(pid);
  }, 300_000);

  test('ends with its reader: of one company four run at once, and more once they have ended', async () => {
    // 20 MB: what the sockets hold is sent without its reader, a few MB by default.
    const company = await shopWith(2_000, 10_000);
    const controllers = Array.from({ length: 4 }, () => new AbortController());
    const running = await Promise.all(controllers.map(({ signal }) => streamed(company, 'format=ndjson', signal)));
    expect(running.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const refused = await streamed(company, 'format=ndjson');
    expect([refused.status, refused.response.headers.get('retry-after')]).toEqual([429, '5']);
    expect((await streamed(platform.newCompany(), 'format=ndjson')).status).toBe(200);
    for (const controller of controllers) controller.abort();
    const allowed = async () => {
      const { status, response } = await streamed(company, 'format=csv');
      await response.body?.cancel();
      return status;
    };
    await expect.poll(allowed, PATIENT).toBe(200);
  });
});
