import { type Adjustment, DROP_REASONS, type DropReason } from '@event-commerce/contracts';
import { expect, test } from 'vitest';
import { aRequest } from './adjustments.fixture.ts';
import type { KeptBudget } from '../../budgets/domain/budget.ts';
import type { PresentedCode } from './issued-adjustments.ts';
import { aBudget, price } from './price.fixture.ts';
import type { PriceOptions } from './price.ts';

interface Example {
  adjustments: Partial<Adjustment>[];
  request?: Parameters<typeof aRequest>[1];
  options?: Partial<PriceOptions>;
  issued?: PresentedCode[];
  budgets?: KeptBudget[];
  /** The sentence of the first adjustment, or of the code that does not count for it. */
  detail: string;
}

const EUR = (amount: number) => ({ amount, currency: 'EUR' });
const off = (percent: number) => ({ kind: 'percentage_off', percent, per: 'unit' }) as const;
const only = (conditions: Adjustment['conditions'], detail: string, more: Partial<Example> = {}): Example => ({
  adjustments: [{ conditions }],
  detail,
  ...more,
});

/** A buyer with issued codes of the first adjustment. */
function presenting(code: string, limit = 1, ...others: string[]): Pick<Example, 'request' | 'issued'> {
  const codes = [code, ...others];
  const of = { adjustmentId: 'adj_0', limit, version: 1, claimed: 0 };
  return { request: { codes }, issued: codes.map((one) => ({ ...of, code: one })) };
}

/** What a merchant reads for each reason, of two tickets at 10.00 EUR. */
const SENTENCES: Record<DropReason, Example> = {
  'target-mismatch': {
    adjustments: [{ targets: [{ urn: 'urn:v1:acme:events:event/evt_9', companyId: 'acme' }] }],
    detail: 'applies to event evt_9 only, which is not in the cart',
  },
  'not-started': only(
    { startsAt: '2027-06-01T00:00:00.000Z' },
    'starts at 2027-06-01T00:00:00.000Z, it is 2027-05-01T12:00:00.000Z',
  ),
  ended: only(
    { endsAt: '2027-04-01T00:00:00.000Z' },
    'ended at 2027-04-01T00:00:00.000Z, it is 2027-05-01T12:00:00.000Z',
  ),
  'outside-recurring-window': only(
    { recurring: [{ days: ['mon'], from: '17:00', to: '19:00', timezone: 'Europe/Berlin' }] },
    'runs Mon 17:00–19:00 (Europe/Berlin), next on Mon 3 May 2027 at 17:00',
  ),
  'quantity-below-minimum': only({ minQuantity: 4 }, 'needs at least 4 tickets, the cart has 2'),
  'quantity-above-maximum': only({ maxQuantity: 1 }, 'allows at most 1 ticket, the cart has 2'),
  'order-total-below-minimum': only(
    { minOrderTotal: EUR(5_000) },
    'needs at least 50.00 EUR for the whole order, at catalogue prices; it has 20.00 EUR',
    { request: { orderTotal: EUR(2_000) } },
  ),
  'order-total-above-maximum': only(
    { maxOrderTotal: EUR(1_000) },
    'allows at most 10.00 EUR for the whole order, at catalogue prices; it has 20.00 EUR',
    { request: { orderTotal: EUR(2_000) } },
  ),
  'order-total-missing': only(
    { minOrderTotal: EUR(5_000) },
    'needs at least 50.00 EUR for the whole order, at catalogue prices; no total was given',
  ),
  'eligible-total-below-minimum': only(
    { minEligibleTotal: EUR(10_000) },
    'needs 100.00 EUR of tickets it applies to, at catalogue prices; the cart has 20.00 EUR',
  ),
  'segment-mismatch': only({ customerSegments: ['vip'] }, 'is for customers in segment vip, no segment was given'),
  'channel-mismatch': only({ channelIds: ['web'] }, 'is for sales on channel web, no channel was given'),
  'tag-mismatch': only({ tags: ['seated'] }, 'needs an offering tagged seated, the cart has none'),
  'code-not-presented': only({ code: 'SUMMER' }, 'needs the code SUMMER, which was not presented'),
  'code-used-up': only({ uniqueCodes: true }, 'this code was used 1 of 1 times', {
    ...presenting('A'),
    options: { claimed: () => 1 },
  }),
  'code-revoked': only({ uniqueCodes: true }, 'this code was withdrawn', presenting('A', 0)),
  'code-counts-once': only(
    { uniqueCodes: true },
    'another code of the same coupon already counts',
    presenting('A', 1, 'B'),
  ),
  'redemption-limit-reached': only({ maxRedemptions: 5 }, 'allows 5 redemptions in all, none is left', {
    options: { claimed: () => 5 },
  }),
  'customer-redemption-limit-reached': only(
    { maxRedemptionsPerCustomer: 1 },
    'allows 1 redemption per customer, for this one none is left',
    { request: { customerId: 'cus_1' }, options: { customerUsage: () => 1 } },
  ),
  'ticket-limit-reached': only({ maxTickets: 100 }, 'allows 100 tickets in all, none is left', {
    options: { claimed: () => 100 },
  }),
  'budget-exhausted': {
    adjustments: [{ conditions: { budgetId: 'bud_1' } }],
    budgets: [aBudget({ limit: EUR(150) })],
    detail: 'its budget has 1.50 EUR left, this order would take 2.00 EUR',
  },
  'customer-ticket-limit-reached': only(
    { maxTicketsPerCustomer: 2 },
    'allows 2 tickets per customer, for this one none is left',
    { request: { customerId: 'cus_1' }, options: { customerUsage: () => 2 } },
  ),
  'customer-missing': only({ maxRedemptionsPerCustomer: 1 }, 'allows 1 redemption per customer, no customer was given'),
  'currency-mismatch': {
    adjustments: [{ effect: { kind: 'amount_off', amount: 100, currency: 'USD', per: 'unit' } }],
    detail: 'is in USD, the prices are in EUR',
  },
  'replaced-within-category': {
    adjustments: [
      { stacking: 'replace-within-category', effect: off(5) },
      { stacking: 'replace-within-category', effect: off(10), name: 'Better' },
    ],
    detail: 'replaced by "Better" of the same category (promotion), which costs the buyer no more',
  },
  'excluded-by-exclusive': {
    adjustments: [{ effect: off(5) }, { stacking: 'exclusive', effect: off(30), name: 'Alone' }],
    detail: 'does not combine with "Alone", which is exclusive',
  },
  'combination-is-cheaper': {
    adjustments: [{ stacking: 'exclusive', effect: off(10) }, { effect: off(20) }],
    detail: 'alone it makes 18.00 EUR, without it the buyer pays 16.00 EUR',
  },
  'no-effect': {
    adjustments: [{ effect: { kind: 'fixed_price', ...EUR(1_500), per: 'unit' } }],
    detail: 'has no effect, the price of 10.00 EUR is not above the fixed price of 15.00 EUR',
  },
};

test.each(DROP_REASONS)('a merchant reads a sentence with its numbers for %s', (reason) => {
  const { adjustments, request, options, issued, budgets, detail } = SENTENCES[reason];
  const all = adjustments.map((one, n) => ({ id: `adj_${n}`, ...one }));
  const { droppedAdjustments, codes } = price(
    all,
    aRequest(1_000, { quantity: 2, ...request }),
    options,
    issued,
    budgets,
  );
  const [dropped = codes.find(({ status }) => status === 'dropped'), ...others] = droppedAdjustments;
  expect(others).toEqual([]);
  expect(dropped).toMatchObject({ adjustmentId: 'adj_0', reason, detail });
});
