import { describe, expect, test } from 'vitest';
import { aRequest } from './adjustments.fixture.ts';
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

  test('it applies alone even if others together would be cheaper', () => {
    const { summary } = price([exclusive('five', 5), { id: 'a' }, { id: 'b' }], aRequest(1000));
    expect(summary.total).toBe(950);
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
