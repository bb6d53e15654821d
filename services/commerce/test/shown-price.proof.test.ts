import { adjustmentBody, newCode, orderBody, proofSize } from '@event-commerce/test-kit';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { type Services, sharedServices } from '../../../tests/harness/services.ts';
import { EUR } from './shop.ts';

let services: Services;
beforeAll(async () => {
  services = await sharedServices();
});

/** Who buys, and where: adjustments have conditions on it. */
const buyer = { customerId: 'cus_1', customerSegment: 'member', channelId: 'web' };
const CONDITIONS = [
  { customerSegments: ['member'] },
  { channelIds: ['web'] },
  { tags: ['vip'] },
  { maxRedemptionsPerCustomer: 1 },
];
/** What a shop may change while a buyer looks at a cart. */
interface Edit {
  kind: 'reprice' | 'withdraw' | 'percent' | 'pause' | 'automatic' | 'coupon' | 'spend' | 'spend-own';
  amount?: number;
  percent?: number;
  amountOff?: number;
}
const edit: fc.Arbitrary<Edit> = fc.oneof(
  fc.record({ kind: fc.constant('reprice'), amount: fc.integer({ min: 1, max: 9_000 }) }),
  fc.record({ kind: fc.constantFrom('percent', 'automatic'), percent: fc.integer({ min: 1, max: 60 }) }),
  fc.record({ kind: fc.constant('coupon'), amountOff: fc.integer({ min: 1, max: 3_000 }) }),
  fc.record({ kind: fc.constantFrom('pause', 'withdraw', 'spend', 'spend-own') }),
);

test(
  'whatever a shop edits between showing a cart and ordering it, or meanwhile, the order charges what was shown or is refused',
  { timeout: 300_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(edit, { maxLength: 4 }),
        fc.integer({ min: 1, max: 4 }),
        fc.boolean(),
        async (edits, quantity, meanwhile) => {
          const { cart, commerce, companyId, events, pricing } = services.newCompany();
          const event = (await events.post('/events', { name: 'Gala' })).body.data.id;
          const offering = { name: 'Ticket', price: EUR(5_000), capacity: 20, tags: ['vip'] };
          const ticket = (await events.post(`/events/${event}/offerings`, offering)).body.data.id;
          const free = { type: 'sale', category: 'sale', stacking: 'stackable', conditions: {} };
          const conditional = await Promise.all(
            CONDITIONS.map(async (of, n) => {
              const body = { ...free, conditions: of, effect: { kind: 'amount_off', amount: 100 + n } };
              return (await pricing.post('/pricing/adjustments', adjustmentBody('x', body))).body.data.id;
            }),
          );
          const code = newCode();
          const conditions = { code, maxRedemptions: 1 };
          const sale = (await pricing.post('/pricing/adjustments', adjustmentBody(code, { conditions }))).body.data.id;
          const coupon = (await commerce.post('/coupons', { code: newCode(), amountOff: 100, contextIds: [event] }))
            .body.data;
          const coupons = [code, coupon.code];
          const items = [{ offeringId: ticket, quantity }];
          const shown = (await cart.post('/cart/sessions', { ...buyer, items, coupons, currency: 'EUR' })).body.data;
          const shownIds = shown.items[0].modifiers.map((one: { adjustmentId: string }) => one.adjustmentId);
          expect(shownIds).toEqual(expect.arrayContaining(conditional));

          const percentOff = (percent: number) => ({ effect: { kind: 'percentage_off', percent } });
          const ofOffering = async (change: object) => events.patch(`/offerings/${ticket}`, change);
          const ofSale = async (change: object) => pricing.patch(`/pricing/adjustments/${sale}`, change);
          const making = {
            reprice: async ({ amount = 0 }) => ofOffering({ price: EUR(amount) }),
            withdraw: async () => ofOffering({ status: 'inactive' }),
            percent: async ({ percent = 0 }) => ofSale(percentOff(percent)),
            pause: async () => ofSale({ status: 'paused' }),
            automatic: async ({ percent = 0 }) =>
              pricing.post('/pricing/adjustments', adjustmentBody('x', { ...free, ...percentOff(percent) })),
            coupon: async ({ amountOff = 0 }) => commerce.patch(`/coupons/${coupon.id}`, { amountOff }),
            spend: async () => pricing.post(`/pricing/adjustments/${sale}/redemptions`, { orderId: 'elsewhere' }),
            'spend-own': async () =>
              pricing.post(`/pricing/adjustments/${conditional.at(-1)}/redemptions`, {
                orderId: 'elsewhere',
                customerId: buyer.customerId,
              }),
          };
          const run = async (one: Edit) => making[one.kind](one);
          const order = { contextId: event, items: [], cartSessionId: shown.id, expectedTotal: shown.total };
          const editing = Promise.all(edits.map(run));
          if (!meanwhile) await editing;
          const { status, body } = await commerce.replica(quantity % 2).post('/orders', orderBody(companyId, order));
          await editing;
          // Refusing every order would satisfy the other assertions too.
          if (edits.length === 0) expect(status).toBe(201);
          if (status === 201) {
            const { costs, pricing: source } = body.data.order;
            expect([costs.total, source.source]).toEqual([shown.total, 'platform']);
          } else {
            const { code: reason, details } = body.error;
            const reasons = ['PRICE_CHANGED', 'ADJUSTMENT_NOT_APPLICABLE', 'REDEMPTION_LIMIT_REACHED', 'NOT_FOR_SALE'];
            expect([status, [...reasons, 'VALIDATION_FAILED']]).toEqual([
              status === 400 ? 400 : 409,
              expect.arrayContaining([reason]),
            ]);
            if (reason === 'PRICE_CHANGED') {
              expect(details[0]).toMatchObject({ expectedTotal: shown.total, total: expect.any(Number) as number });
              expect(details[0].total).not.toBe(shown.total);
            }
            expect((await commerce.get('/orders')).body.data).toEqual([]);
          }
        },
      ),
      { numRuns: proofSize(10, 30), examples: [[[], 1, false]] },
    );
  },
);
