import type { Adjustment } from '@event-commerce/contracts';
import { describe, expect, test } from 'vitest';
import { CompanySnapshot } from '../../snapshot/domain/snapshot.ts';
import { aLine, anAdjustment, aRequest, OPTIONS, targeting } from './adjustments.fixture.ts';
import { priceCart } from './price.ts';
import { price } from './price.fixture.ts';

describe('exclusives', () => {
  const exclusive = (id: string, percent: number) =>
    ({ id, name: id, stacking: 'exclusive', effect: { kind: 'percentage_off', percent, per: 'unit' } }) as const;

  test('the best one applies alone', () => {
    const { perUnitModifiers, droppedAdjustments } = price(
      [{ id: 'other', priority: 9 }, exclusive('ten', 10), exclusive('twenty', 20)],
      aRequest(1000),
    );
    expect(perUnitModifiers).toMatchObject([{ adjustmentId: 'twenty' }]);
    const detail = 'does not combine with "twenty", which is exclusive';
    expect(droppedAdjustments).toMatchObject([
      { adjustmentId: 'ten', reason: 'excluded-by-exclusive', replacedBy: 'twenty', detail },
      { adjustmentId: 'other', reason: 'excluded-by-exclusive', replacedBy: 'twenty', detail },
    ]);
  });

  test('one that costs more than the others together is dropped, and the reason has both totals', () => {
    const automatic = { id: 'auto', effect: { kind: 'percentage_off', percent: 20, per: 'unit' } } as const;
    const { summary, droppedAdjustments } = price(
      [exclusive('ten', 10), exclusive('five', 5), automatic],
      aRequest(5000),
    );
    expect(summary.total).toBe(4000);
    const why = 'alone it makes 45.00 EUR, without it the buyer pays 40.00 EUR';
    expect(droppedAdjustments).toMatchObject([
      { adjustmentId: 'five', reason: 'combination-is-cheaper', detail: `"ten" is the cheapest exclusive: ${why}` },
      { adjustmentId: 'ten', reason: 'combination-is-cheaper', detail: why },
    ]);
  });

  test('it applies if the others together cost the same, and a surcharge on others does not count against it', () => {
    expect(price([exclusive('ten', 10), { id: 'a' }], aRequest(1000)).droppedAdjustments).toMatchObject([
      { adjustmentId: 'a', reason: 'excluded-by-exclusive' },
    ]);
    const fee = { id: 'fee', effect: { kind: 'percentage_surcharge', percent: 10, per: 'unit' } } as const;
    expect(price([exclusive('five', 5), { id: 'a' }, fee], aRequest(1000)).summary.total).toBe(950);
  });

  test('at listing, it applies if the buyer pays no more in the end', () => {
    const [dear, cheap] = [aLine('off_1', 10_000, 1), aLine('off_2', 10_000, 1)];
    const amountOff = (id: string, amount: number, offering: string, changes: Partial<Adjustment> = {}) =>
      anAdjustment({
        id,
        targets: [targeting(`offering/${offering}`)],
        effect: { kind: 'amount_off', amount, per: 'unit' },
        ...changes,
      });
    const atListing = [
      amountOff('exclusive', 3000, 'off_1', { application: 'at-listing', stacking: 'exclusive' }),
      amountOff('other', 2500, 'off_2', { application: 'at-listing' }),
    ];
    const freed = (offering: string) => {
      const snapshot = new CompanySnapshot([...atListing, amountOff('free', 10_000, offering)]);
      return priceCart(snapshot, { lines: [dear, cheap], cartContext: {} }, OPTIONS);
    };
    // The list prices alone would be 170.00 EUR with the exclusive, and 175.00 EUR without it.
    expect(freed('off_2').summary.total).toBe(7000);
    expect(freed('off_1')).toMatchObject({
      summary: { total: 7500 },
      droppedAdjustments: [
        { adjustmentId: 'exclusive', detail: 'alone it makes 100.00 EUR, without it the buyer pays 75.00 EUR' },
      ],
    });
  });

  test('one that is not eligible excludes no other', () => {
    const { summary } = price(
      [{ ...exclusive('half', 50), conditions: { code: 'HALF' } }, { id: 'a' }],
      aRequest(1000),
    );
    expect(summary.total).toBe(900);
  });

  test('one that would change nothing excludes no other, and is not applied with the others', () => {
    const idle = {
      id: 'idle',
      stacking: 'exclusive',
      effectBase: 'current-price',
      effect: { kind: 'fixed_price', amount: 1050, currency: 'EUR', per: 'order' },
    } as const;
    const fee = { id: 'fee', effect: { kind: 'percentage_surcharge', percent: 10, per: 'unit' } } as const;
    const { summary, droppedAdjustments } = price([idle, fee], aRequest(1000));
    expect(summary.total).toBe(1100);
    expect(droppedAdjustments).toMatchObject([
      {
        reason: 'no-effect',
        detail: 'has no effect, the price of 10.00 EUR is not above the fixed price of 10.50 EUR',
      },
    ]);
  });
});
