import { adjustmentBody, newCode } from '@event-commerce/test-kit';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Services, sharedServices } from '../../../tests/harness/services.ts';
import { companyWithOrders, exported, placeAny } from './exports-of-orders.ts';
import { EUR, newShop } from './shop.ts';

let services: Services;
beforeAll(async () => {
  services = await sharedServices();
});

describe('orders are found', () => {
  test('by their text and by several filters at once, in pages, and only by their own company', async () => {
    const company = services.newCompany();
    const { commerce, pricing } = company;
    const code = newCode();
    await pricing.post('/pricing/adjustments', adjustmentBody(code));
    const ada = { id: 'c1', email: 'Ada@Example.com', firstName: 'Ada', lastName: 'Lövelace', phone: '+49 30 555' };
    const grace = { id: 'c2', email: 'grace@example.com', firstName: 'Grace', lastName: 'Hopper' };
    const item = (offeringId: string) => ({ offeringId, quantity: 1, unitPrice: 100 });
    const one = await placeAny(company, {
      orderNumber: 'SUMMER/1',
      customer: ada,
      items: [item('off_a')],
      coupons: [code],
    });
    const two = await placeAny(company, { customer: grace, items: [item('off_a'), item('off_b')], status: 'paid' });
    const three = await placeAny(company, { customer: ada, contextId: 'ven_1', items: [item('off_b')] });
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
    expect((await services.newCompany().commerce.get('/orders?q=example')).body.data).toEqual([]);

    expect((await commerce.get(`/orders/${two.orderNumber}`)).body.data).toEqual(two);
    expect((await services.newCompany().commerce.get(`/orders/${two.orderNumber}`)).status).toBe(404);

    await commerce.patch(`/orders/${one.id}`, { customer: { lastName: 'Byron', email: 'ada@byron.org' } });
    expect(await find({ q: 'lovelace' })).toEqual([three.id]);
    expect(await find({ q: 'byr' })).toEqual([one.id]);
    expect(await find({ email: 'ada@byron.org' })).toEqual([one.id]);
    expect(one).not.toHaveProperty('terms');
  });

  test('by an international e-mail address, in either form of its domain', async () => {
    const company = services.newCompany();
    const { commerce } = company;
    const place = async (email: string) => placeAny(company, { customer: { email } });
    const [one, two] = [await place(' Jörg@Bücher.example '), await place('jörg@xn--bcher-kva.example')];
    const other = await place('ada@example.com');
    expect([one.customer.email, two.customer.email]).toEqual(['Jörg@Bücher.example', 'jörg@xn--bcher-kva.example']);
    const find = async (query: Record<string, string>) =>
      (await commerce.get(`/orders?${new URLSearchParams(query).toString()}`)).body.data.map(
        ({ id }: { id: string }) => id,
      );
    for (const email of ['JÖRG@bücher.example', ' jörg@XN--bcher-kva.example ']) {
      expect(await find({ email })).toEqual([two.id, one.id]);
    }
    for (const q of ['jörg@büch', 'jörg@xn--bcher-kva.ex', 'bücher', 'bucher jorg']) {
      expect([q, await find({ q })]).toEqual([q, [two.id, one.id]]);
    }
    expect(await find({ q: 'ada', email: '', customerId: '' })).toEqual([other.id]);
  });

  test('by the event of their offerings, whatever event they name themselves, also in exports', async () => {
    const shop = await newShop(services);
    const { commerce, events, eventId, ticket } = shop;
    const other = (await events.post('/events', { name: 'Encore' })).body.data;
    const offering = { name: 'Ticket', price: EUR(3_000) };
    const encore = (await events.post(`/events/${other.id}/offerings`, offering)).body.data.id as string;
    const order = async (items: object[]) => placeAny(shop, { contextId: eventId, items, coupons: [] });
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
    expect((await services.newCompany().commerce.get(`/orders?eventId=${other.id}`)).body.data).toEqual([]);

    const { response } = await exported(services, shop, `format=ndjson&eventId=${other.id}`);
    const lines = (await response.text()).trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line).id)).toEqual([both.id, elsewhere.id]);
    const csv = await exported(services, shop, `format=csv&eventId=${eventId}`);
    expect((await csv.response.text()).trimEnd().split('\r\n')).toHaveLength(2);
  });

  test('by their state, whatever their label', async () => {
    const company = services.newCompany();
    const { commerce } = company;
    const labelled = await placeAny(company, { status: ' Zurückgelegt, bar ' });
    expect(labelled.status).toBe('Zurückgelegt, bar');
    const pending = await placeAny(company, { expiresInSeconds: 600 });
    const placed = await placeAny(company);
    const cancelled = await placeAny(company);
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
  test('has every order that matches, newest first, as JSON lines or CSV', async () => {
    const company = await companyWithOrders(services, 250);
    const { status, type, response } = await exported(services, company, 'format=ndjson&email=ada@example.com');
    expect([status, type]).toEqual([200, 'application/x-ndjson']);
    const lines = (await response.text()).trimEnd().split('\n');
    expect(lines).toHaveLength(250);
    const page = (await company.commerce.get('/orders?limit=200')).body.data;
    expect(lines.slice(0, 200).map((line) => JSON.parse(line))).toEqual(page);
    const csv = await exported(services, company, 'format=csv');
    expect(csv.type).toMatch(/^text\/csv/);
    const rows = (await csv.response.text()).split('\r\n');
    expect(rows).toHaveLength(252);
    expect(rows[0]).toMatch(/^id,orderNumber,status,/);
    expect(rows[1]).toContain(page[0].orderNumber);
  });

  test('has every order, whatever limit and cursor say', async () => {
    const company = await companyWithOrders(services, 30);
    const { next } = (await company.commerce.get('/orders?limit=10')).body.page;
    for (const cursor of [next, 'bogus']) {
      const { status, response } = await exported(services, company, `format=ndjson&limit=10&cursor=${cursor}`);
      expect([status, (await response.text()).trimEnd().split('\n').length]).toEqual([200, 30]);
    }
  });

  test('is empty if nothing matches, and an error if a filter is invalid', async () => {
    const company = services.newCompany();
    expect(await (await exported(services, company, 'format=ndjson')).response.text()).toBe('');
    expect((await (await exported(services, company, 'format=csv')).response.text()).split('\r\n')).toHaveLength(2);
    expect((await exported(services, company, 'format=xml')).status).toBe(400);
    expect((await exported(services, company, 'format=csv&q=!')).status).toBe(400);
  });
});
