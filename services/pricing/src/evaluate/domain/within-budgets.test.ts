import type { Adjustment } from '@event-commerce/contracts';
import { expect, test } from 'vitest';
import { dayAt, daysAround, nextDayMs } from '../../budgets/domain/budget.ts';
import { CompanySnapshot } from '../../snapshot/domain/snapshot.ts';
import { aLine, anAdjustment, aRequest, OPTIONS } from './adjustments.fixture.ts';
import { aBudget, price } from './price.fixture.ts';
import { priceCart } from './price.ts';

const drawing = (effect: Partial<Adjustment['effect']>, id = 'adj_1', more: Partial<Adjustment> = {}) =>
  anAdjustment({
    id,
    conditions: { budgetId: 'bud_1' },
    effect: { kind: 'percentage_off', percent: 10, per: 'order', ...effect } as Adjustment['effect'],
    ...more,
  });
const partial = aBudget({ onExhausted: 'partial' });
const claimed = (amount: number) => ({ claimed: () => amount });

test('a partial budget pays to the cent for an effect per order, and says so', () => {
  const { summary, perOrderModifiers } = price([drawing({})], aRequest(10_000), claimed(1_000), [], [partial]);
  expect(summary).toMatchObject({ total: 9_500, clampedAtZero: false });
  const limited = { wanted: 1, units: 1, reason: 'budget-exhausted' };
  expect(perOrderModifiers).toMatchObject([{ total: -500, budgetId: 'bud_1', limited }]);
});

test('a partial budget pays for whole tickets of an effect per unit, the cheapest or the dearest first', () => {
  const lines = [aLine('off_1', 3_000, 2), aLine('off_2', 5_000, 2)];
  const priced = (pick: 'cheapest' | 'dearest') => {
    const all = [drawing({ per: 'unit', percent: 20, units: { max: 4, pick } })];
    return priceCart(new CompanySnapshot(all, [partial]), { lines, cartContext: {} }, OPTIONS);
  };
  // 6.00 and 6.00 of 15.00; the next ticket would take 10.00.
  expect(priced('cheapest').lines.map(({ total }) => total)).toEqual([4_800, 10_000]);
  // 10.00 of 15.00; the next would take as much again.
  expect(priced('dearest').lines.map(({ total }) => total)).toEqual([6_000, 9_000]);
  const limited = { wanted: 4, units: 1, reason: 'budget-exhausted' };
  expect(priced('dearest').lines[1]?.perUnitModifiers).toMatchObject([{ units: 1, limited }]);
});

test('an adjustment that a budget leaves out gives way to its competitor', () => {
  const category = 'promotion';
  const stacking = 'replace-within-category' as const;
  const other = anAdjustment({
    id: 'adj_2',
    category,
    stacking,
    effect: { kind: 'percentage_off', percent: 5, per: 'order' },
  });
  const all = [drawing({}, 'adj_1', { category, stacking }), other];
  const { summary, droppedAdjustments } = price(all, aRequest(20_000), {}, [], [aBudget()]);
  expect(summary.total).toBe(19_000);
  expect(droppedAdjustments).toMatchObject([
    { reason: 'budget-exhausted', detail: 'its budget has 15.00 EUR left, this order would take 20.00 EUR' },
  ]);
});

test('adjustments that share a budget draw on it in the order of the cascade', () => {
  const all = [drawing({}, 'adj_1', { priority: 1 }), drawing({}, 'adj_2'), drawing({}, 'adj_3')];
  const { perOrderModifiers, droppedAdjustments } = price(all, aRequest(10_000), {}, [], [partial]);
  expect(perOrderModifiers.map(({ adjustmentId, total }) => [adjustmentId, total])).toEqual([
    ['adj_1', -1_000],
    ['adj_2', -500],
  ]);
  expect(droppedAdjustments).toMatchObject([{ adjustmentId: 'adj_3', reason: 'budget-exhausted' }]);
});

test('an adjustment at listing whose budget is empty leaves the listed price as it is', () => {
  const listing = drawing({ per: 'unit' }, 'adj_1', { application: 'at-listing' });
  const { summary, effectivePrice } = price([listing], aRequest(20_000), {}, [], [aBudget()]);
  expect([summary.total, effectivePrice.amount]).toEqual([20_000, 20_000]);
});

test('a budget says why it does not pay', () => {
  const why = (budget: Parameters<typeof aBudget>[0], amount = 0) =>
    price([drawing({})], aRequest(1_000), claimed(amount), [], [aBudget(budget)]).droppedAdjustments;
  expect(why({}, 1_500)).toMatchObject([{ reason: 'budget-exhausted', detail: 'its budget has 0.00 EUR left' }]);
  expect(why({ limit: { amount: 1, currency: 'USD' } })).toMatchObject([
    { reason: 'currency-mismatch', detail: 'its budget is in USD, the prices are in EUR' },
  ]);
  expect(why({ per: 'customer' })).toMatchObject([
    { reason: 'customer-missing', detail: 'has a budget per customer, no customer was given' },
  ]);
});

test('a day begins and ends by the clocks of its zone', () => {
  const before = Date.parse('2027-03-27T22:59:59.999Z');
  expect(dayAt('Europe/Berlin', before)).toBe('2027-03-27');
  expect(nextDayMs('Europe/Berlin', before)).toBe(before + 1);
  expect(dayAt('Europe/Berlin', before + 1)).toBe('2027-03-28');
  // The clocks go forward: the day has 23 hours.
  expect(nextDayMs('Europe/Berlin', before + 1)).toBe(before + 1 + 23 * 60 * 60 * 1000);
  expect(daysAround('Asia/Kolkata', before)).toEqual(['2027-03-27', '2027-03-28', '2027-03-29']);
});
