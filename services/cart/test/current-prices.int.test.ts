import { IDENTITY_HEADER, RPC } from '@event-commerce/contracts';
import { adjustmentBody, newCode } from '@event-commerce/test-kit';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Company, type Services, sharedServices } from '../../../tests/harness/services.ts';
import { changeOffer, offer } from './offers.ts';
import { createAdjustment, item, newSessionId, poster, setItem } from './sessions.ts';

let services: Services;
beforeAll(async () => {
  services = await sharedServices();
});

/** The bodies of the requests with `subject` that services send for the company from now on, until `stop`. */
async function listen({ bus }: Services, { companyId }: Company, { subject }: { subject: string }) {
  const requests: any[] = [];
  const subscription = bus.nats.subscribe(subject, {
    callback: (_error, message) => {
      const [, claims = ''] = (message.headers?.get(IDENTITY_HEADER) ?? '').split('.');
      const identity = JSON.parse(Buffer.from(claims, 'base64url').toString());
      if (identity.companyId === companyId) requests.push(JSON.parse(message.string()));
    },
  });
  await bus.nats.flush();
  return {
    requests,
    stop: async () => {
      // Everything sent earlier arrives before the reply to this.
      await bus.nats.flush();
      subscription.unsubscribe();
    },
  };
}

describe('a session', () => {
  test('has the catalogue’s price in the first request after a change, on every replica, and looks it up once', async () => {
    const company = services.newCompany();
    await offer(company, { id: 'off_1' });
    const id = newSessionId();
    const read = async (replica: number) => (await company.cart.replica(replica).get(`/cart/sessions/${id}`)).body.data;
    await setItem(company, id, item('off_1', 1));
    // With the event of its creation, the offering is announced a second time.
    await expect.poll(() => company.published('offering.created')).toHaveLength(1);
    await read(1);
    const asked = await listen(services, company, RPC.offerings);
    await read(1);
    await asked.stop();
    expect(asked.requests).toEqual([]);

    for (let round = 0; round < 10; round++) {
      const amount = 6_000 + round;
      await changeOffer(company, 'off_1', { price: { amount, currency: 'EUR' } });
      expect(await read(round % 2)).toMatchObject({ total: amount, priceStatus: 'current' });
    }
    await changeOffer(company, 'off_1', { price: { amount: 6_000, currency: 'USD' } });
    for (const replica of [0, 1]) expect(await read(replica)).toMatchObject({ total: 6_000, currency: 'USD' });
  });

  test('finds an offering that is created after it was looked up', async () => {
    const company = services.newCompany();
    const id = newSessionId();
    expect((await setItem(company, id, item('late', 1))).body.data.items[0].priced).toBe(false);
    await offer(company, { id: 'late' });
    expect((await company.cart.get(`/cart/sessions/${id}`)).body.data.total).toBe(5_000);
  });

  test('says for each item whether it can be ordered, in the first request after its offering changed', async () => {
    const company = services.newCompany();
    await offer(company, { id: 'off_1', capacity: 3 });
    const path = `/cart/sessions/${newSessionId()}`;
    await company.cart.post(`${path}/item`, poster(1));
    const set = await company.cart.patch(path, { items: [item('off_1', 2), poster(1)] });
    expect(set.body.data.items).toMatchObject([{ available: true }, { priced: true }]);
    expect(set.body.data.items[1]).not.toHaveProperty('available');

    const change = async (patch: object) => {
      expect((await company.events.replica(1).patch('/offerings/off_1', patch)).status).toBe(200);
      const [shown] = (await company.cart.replica(1).get(path)).body.data.items;
      return { available: shown.available, why: shown.unavailableReason, priced: shown.priced };
    };
    const refused = (why: string, priced = true) => ({ available: false, why, priced });
    expect(await change({ maxPerOrder: 1 })).toEqual(refused('above-max-per-order'));
    expect(await change({ maxPerOrder: null, onSaleUntil: '2020-01-01T00:00:00Z' })).toEqual(
      refused('no-longer-on-sale'),
    );
    expect(await change({ onSaleUntil: null, onSaleFrom: '2120-01-01T00:00:00Z' })).toEqual(refused('not-yet-on-sale'));
    expect(await change({ onSaleFrom: null, status: 'inactive' })).toEqual(refused('inactive', false));
    expect(await change({ status: 'active', capacity: 1 })).toEqual(refused('too-few-left'));
    expect(await change({ capacity: 3 })).toEqual({ available: true, why: undefined, priced: true });
  });

  test('says that the items of one event can be ordered only if the event has enough tickets for them together', async () => {
    const company = services.newCompany();
    expect((await company.events.post('/events', { id: 'evt_1', name: 'Gala', capacity: 3 })).status).toBe(201);
    for (const id of ['a', 'b']) await offer(company, { id });
    const id = newSessionId();
    await setItem(company, id, item('a', 2));
    const short = { available: false, unavailableReason: 'too-few-left' };
    expect((await setItem(company, id, item('b', 2))).body.data.items).toMatchObject([short, short]);
    const enough = { available: true };
    expect((await setItem(company, id, item('b', 1))).body.data.items).toMatchObject([enough, enough]);
  });

  test('that has not changed is 304 for a caller who has it, with the same tag on every replica', async () => {
    const company = services.newCompany();
    const path = '/cart/sessions/tagged';
    const two = item('poster', 2, { price: { amount: 500, currency: 'EUR' } });
    const changed = await company.cart.post(`${path}/item`, two);
    const tag = changed.headers.get('etag') ?? '';
    const known = { 'if-none-match': `"other", ${tag}` };
    const again = await company.cart.replica(1).get(path, known);
    expect([again.status, again.body, again.headers.get('etag')]).toEqual([304, undefined, tag]);
    await createAdjustment(company, adjustmentBody(newCode(), { type: 'promotion', conditions: {} }));
    const cheaper = await company.cart.replica(1).get(path, known);
    expect([cheaper.status, cheaper.body.data.total, cheaper.body.data.version]).toEqual([200, 800, 1]);
    expect((await company.cart.patch(path, { coupons: [] }, { 'if-match': tag })).status).toBe(200);
  });

  test('that has not changed is not priced again, nor is one with the same contents', async () => {
    const company = services.newCompany();
    const two = item('poster', 2, { price: { amount: 500, currency: 'EUR' } });
    const paths = ['a', 'b'].map((id) => `/cart/sessions/${id}`);
    const asked = await listen(services, company, RPC.evaluateCarts);
    for (const path of paths) expect((await company.cart.post(`${path}/item`, two)).body.data.total).toBe(1_000);
    for (const path of paths) expect((await company.cart.get(path)).body.data.total).toBe(1_000);
    await asked.stop();
    expect(asked.requests.map(({ carts }) => carts.length)).toEqual([1, 0, 0, 0]);
  });

  test('that can no longer be priced refuses changes of its items, shows its last prices, and can join a table', async () => {
    const company = services.newCompany();
    const id = newSessionId();
    const expensive = item('a', 100, { price: 1_000_000_000_000 });
    const before = (await setItem(company, id, expensive)).body.data;
    const surcharge = { kind: 'percentage_surcharge', percent: 1_000 };
    for (const name of ['once', 'twice']) {
      const automatic = { name, type: 'fee', category: name, stacking: 'stackable', effectBase: 'current-price' };
      await createAdjustment(company, adjustmentBody('', { ...automatic, conditions: {}, effect: surcharge }));
    }
    const changed = await setItem(company, id, { ...expensive, quantity: 90 });
    expect([changed.status, changed.body.error.details]).toEqual([
      400,
      [{ path: 'items', message: 'would exceed the maximum total; send fewer at a time' }],
    ]);
    const read = await company.cart.get(`/cart/sessions/${id}`);
    expect([read.status, read.body.data]).toEqual([200, { ...before, priceStatus: 'stored' }]);
    const table = (await company.cart.post('/cart/table-commitments', { contextId: 'evt_1', seats: 1 })).body.data.id;
    const joined = await company.cart.post(`/cart/sessions/${id}/join-table`, { tableCommitmentId: table });
    expect([joined.status, joined.body.data?.tableCommitmentId]).toEqual([200, table]);
  });
});
