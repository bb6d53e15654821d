import { adjustmentBody, type ApiClient, evaluationBody, newCode, orderBody } from '@event-commerce/test-kit';
import { type Abuse, type Abuser, made, makeMany, statusOf } from './abuse.ts';
import { largestAdjustment, LINES } from './largest-bodies.ts';

const EVALUATE = '/v1/pricing/adjustments/evaluate?dropped=candidates';
const FULL_CART = '/v1/cart/sessions/full';
/** As many as one price may compare with a full cart. */
const CODES_OF_MANY_TARGETS = 6;
const ADJUSTMENTS_BY_TAG = 180;
/** Tags of 250 characters each: 8 KiB as JSON. */
const TAGS = 32;
/** Ten times as many fit into a body. */
const LONG_TARGETS = Array.from({ length: LINES }, (_, n) => ({
  urn: `urn:v1::events:event/${String(n).padStart(4, '0')}${'x'.repeat(130)}`,
}));
/** An adjustment that needs no code. */
const GENERAL = { type: 'promotion', category: 'promotion', origin: 'catalogue' };

/** What makes prices costly: adjustments, and carts with them. */
export const pricingAbuses: readonly Abuse[] = [
  {
    name: 'member names of 750 KB',
    expected: 400,
    clients: 16,
    act: async ({ api }) =>
      await statusOf(api.post(EVALUATE, { offering: { id: 'off_1', ['x'.repeat(750_000)]: 1 }, cartContext: {} })),
  },
  {
    name: 'the largest adjustments',
    expected: 201,
    clients: 16,
    act: async ({ api }) => await statusOf(api.post('/v1/pricing/adjustments', largestAdjustment())),
  },
  {
    name: 'changes of the largest adjustment',
    expected: 200,
    clients: 16,
    prepare: async ({ setup: api }) => {
      await made(api.post('/v1/pricing/adjustments', largestAdjustment()));
    },
    act: async ({ api }, n) => {
      const { body } = await api.get('/v1/pricing/adjustments?limit=1');
      return await statusOf(api.patch(`/v1/pricing/adjustments/${body.data[0].id}`, { name: `Change ${n}` }));
    },
  },
  {
    name: 'the costliest carts to price',
    expected: 200,
    clients: 8,
    prepare: async ({ setup: api }) => {
      await makeMany(900, (n) => {
        const stacking = ['exclusive', 'replace-within-category', 'stackable'][n % 3];
        return api.post('/v1/pricing/adjustments', {
          name: `Everywhere ${n}`,
          type: 'promotion',
          category: 'promotion',
          stacking,
          targets: [{ urn: 'urn:v1::events:event/*' }],
          conditions: stacking === 'exclusive' ? { minQuantity: 100_000 } : {},
          effect:
            stacking === 'stackable'
              ? { kind: 'buy_x_get_y', buy: 2, get: 1, percent: 1, per: 'order' }
              : { kind: 'amount_off', amount: 1 + n, currency: 'EUR', per: n % 2 === 0 ? 'order' : 'unit' },
        });
      });
      await fillCart(api, (n) => ({ offeringId: `off_${n}`, price: { amount: 5_000 + n, currency: 'EUR' } }));
    },
    act: priceFullCart,
  },
  {
    name: 'carts with codes of 500 targets each',
    expected: 200,
    clients: 8,
    prepare: async ({ setup: api }) => {
      const coupons = Array.from({ length: CODES_OF_MANY_TARGETS }, newCode);
      for (const code of coupons) {
        await made(api.post('/v1/pricing/adjustments', largestAdjustment({ conditions: { code } })));
      }
      await fillCart(api, (n) => ({ offeringId: `off_${n}`, price: { amount: 5_000, currency: 'EUR' } }));
      await made(api.patch(FULL_CART, { coupons }));
    },
    act: priceFullCart,
  },
  {
    name: 'carts of offerings with 8 KiB of tags',
    expected: 200,
    clients: 8,
    prepare: async ({ setup: api }) => {
      const tags = Array.from({ length: TAGS }, (_, n) => `${n}`.padEnd(250, 'x'));
      await made(api.post('/v1/events', { id: 'evt_1', name: 'Tagged' }));
      const named = (n: number) => ({ id: `off_${n}`, name: 'Seat', price: { amount: 5_000, currency: 'EUR' }, tags });
      await makeMany(LINES, (n) => api.post('/v1/events/evt_1/offerings', named(n)));
      const tagged = (n: number) => adjustmentBody(`${n}`, { ...GENERAL, conditions: { tags: ['none'] } });
      await makeMany(ADJUSTMENTS_BY_TAG, (n) => api.post('/v1/pricing/adjustments', tagged(n)));
      await fillCart(api, (n) => ({ offeringId: `off_${n}` }));
    },
    act: priceFullCart,
  },
  {
    name: 'evaluations that try out ten of the largest adjustments',
    expected: 200,
    clients: 8,
    act: async ({ api }) => {
      const proposed = Array.from({ length: 10 }, () => largestAdjustment({ targets: LONG_TARGETS }));
      return await statusOf(api.post(EVALUATE, { ...evaluationBody(), proposed }));
    },
  },
  {
    name: 'the largest orders',
    expected: 201,
    clients: 8,
    prepare: async ({ setup: api }) => {
      await made(api.post('/v1/events', { id: 'evt_1', name: 'Counted', capacity: 10_000_000 }));
      const counted = { name: 'Seat', price: { amount: 5_000, currency: 'EUR' }, capacity: 10_000_000 };
      await makeMany(LINES, (n) => api.post('/v1/events/evt_1/offerings', { ...counted, id: `off_${n}` }));
      const effect = { kind: 'amount_off', amount: 1, currency: 'EUR', per: 'order' };
      const capped = (code: string) => ({
        stacking: 'stackable',
        conditions: { code, maxRedemptions: 1_000_000, maxRedemptionsPerCustomer: 1_000_000 },
        effect,
      });
      await makeMany(LINES, (n) => api.post('/v1/pricing/adjustments', adjustmentBody(`${n}`, capped(`LARGEST-${n}`))));
    },
    act: async ({ api, companyId }) => {
      const items = Array.from({ length: LINES }, (_, n) => ({ offeringId: `off_${n}`, quantity: 1 }));
      const coupons = Array.from({ length: LINES }, (_, n) => `LARGEST-${n}`);
      return await statusOf(api.post('/v1/orders', orderBody(companyId, { items, coupons })));
    },
  },
  {
    name: 'carts with 500 unknown codes',
    expected: 200,
    clients: 16,
    prepare: async ({ setup: api }) => {
      const item = { offeringId: 'off_1', quantity: 2, price: { amount: 5_000, currency: 'EUR' } };
      await made(api.post('/v1/cart/sessions/guessing/item', item));
    },
    act: async ({ api }) =>
      await statusOf(api.patch('/v1/cart/sessions/guessing', { coupons: Array.from({ length: LINES }, newCode) })),
  },
];

/** A cart with as many lines as it may have. */
async function fillCart(api: ApiClient, itemOf: (n: number) => Record<string, unknown>): Promise<void> {
  for (let n = 0; n < LINES; n++) await made(api.post(`${FULL_CART}/item`, { ...itemOf(n), quantity: 2 }));
}

async function priceFullCart({ api }: Abuser): Promise<number> {
  return await statusOf(api.get(FULL_CART));
}
