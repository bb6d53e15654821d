import { adjustmentBody, type ApiClient, evaluationBody, newCompanyId, orderBody } from '@event-commerce/test-kit';
import { beforeAll, expect, test } from 'vitest';
import { sharedPlatform, type SharedPlatform } from '../harness/platform.ts';

let platform: SharedPlatform;
beforeAll(async () => {
  platform = await sharedPlatform();
});

const price = { amount: 5_000, currency: 'EUR' };
const percentOff = (percent: number) => ({ effect: { kind: 'percentage_off', percent } });
const items = [{ offeringId: 'off_1', quantity: 2 }];

type Ask = (shop: ApiClient, codes: string[], companyId: string) => Promise<{ status: number; body: unknown }>;
/**
 * The requests, the scope of each, and what no response may reveal besides the codes and their names. `statuses`:
 * without a code, with one that applies, and with an unknown one.
 */
const ASKED: [what: string, scope: string, ask: Ask, hidden: string, statuses: number[]][] = [
  [
    'an evaluation',
    'pricing:evaluate',
    async (shop, codes) => shop.post('/v1/pricing/adjustments/evaluate', evaluationBody({ codes: [...codes, ' '] })),
    '2999',
    [200, 200, 200],
  ],
  [
    'a cart',
    'carts:write',
    async (shop, coupons) => shop.post('/v1/cart/sessions', { id: `cart-of-${coupons.join()}`, items, coupons }),
    'id of a secret',
    [201, 201, 201],
  ],
  [
    'the refusal of an order',
    'orders:checkout',
    async (shop, coupons, companyId) =>
      shop.post('/v1/orders', orderBody(companyId, { items, coupons, expectedTotal: 1 })),
    'id of a secret',
    [409, 409, 400],
  ],
];

/** The responses to a key with `scope`, as text, in a company whose secret codes begin with `prefix`. */
async function seenBy(prefix: string, scope: string, ask: Ask): Promise<string[]> {
  const companyId = newCompanyId();
  const { api: office } = await platform.newCompany({ companyId });
  const { api: shop } = await platform.newCompany({ companyId, scopes: [scope] });
  await office.post('/v1/events', { id: 'evt_1', name: 'Gala' });
  await office.post('/v1/events/evt_1/offerings', { id: 'off_1', name: 'Ticket', price });
  const secret = (name: string, conditions: object = {}, changes: object = {}) => {
    const code = `${prefix}-${name}`;
    return adjustmentBody(code, { name: `Secret ${code}`, ...changes, conditions: { code, ...conditions } });
  };
  const shown = new Map([[companyId, 'company']]);
  const create = async (name: string, body: object) =>
    shown.set((await office.post('/v1/pricing/adjustments', body)).body.data.id, name);
  await create('id of a secret', secret('STAFF'));
  await create('id of a secret', secret('ELSEWHERE', {}, { targets: [{ eventId: 'evt_9' }] }));
  await create('id of a secret', secret('LATER', { startsAt: '2999-01-01T00:00:00Z' }));
  await create('id of a secret', secret('GONE', { maxRedemptions: 0 }));
  await create('known', adjustmentBody('KNOWN'));
  const targets = [{ eventId: 'evt_1' }];
  await create('for all', { name: 'for all', targets, ...percentOff(5) });
  await create('sold out', { name: 'sold out', targets, conditions: { maxRedemptions: 0 }, ...percentOff(6) });
  const texts: string[] = [];
  for (const codes of [[], ['KNOWN'], ['NOBODY-KNOWS']]) {
    const { status, body } = await ask(shop, codes, companyId);
    const text = JSON.stringify([status, body]).replace(/req_\w+|20\d\d-[\d:.T-]+Z/g, 'this request');
    texts.push([...shown].reduce((whole, [id, name]) => whole.replaceAll(id, name), text));
  }
  return texts;
}

test.each(ASKED)(
  '%s reveals nothing about codes that were not presented',
  async (_what, scope, ask, hidden, statuses) => {
    const seen = await seenBy('100-FREE', scope, ask);
    expect(seen.map((text) => JSON.parse(text)[0])).toEqual(statuses);
    expect(seen.join()).not.toMatch(new RegExp(`100-FREE|Secret|${hidden}`));
    // Codes that were presented, and adjustments that need none, are shown even if they do not apply.
    expect(seen[1]).toContain('"KNOWN"');
    if (scope !== 'carts:write') expect(seen[0]).toContain('redemption-limit-reached');
    expect(await seenBy('OTHER', scope, ask)).toEqual(seen);
  },
);
