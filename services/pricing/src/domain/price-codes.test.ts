import { describe, expect, test } from 'vitest';
import { aRequest, targeting } from './adjustments.fixture.ts';
import { price } from './price.fixture.ts';

describe('codes are secrets', () => {
  const secret = {
    id: 'adj',
    name: 'Staff, with STAFF-100-FREE',
    category: 'staff',
    conditions: { code: 'STAFF-100-FREE' },
  };
  const elsewhere = { ...secret, targets: [targeting('event/evt_9')] };

  test.each([
    ['that would apply', secret, 'code-not-presented'],
    ['that targets something else', elsewhere, 'target-mismatch'],
  ])('an adjustment %s shows neither name nor code to a caller who may not see codes', (_, adjustment, reason) => {
    const { droppedAdjustments } = price([adjustment], aRequest(1000), { showCodes: false });
    expect(droppedAdjustments).toEqual([{ adjustmentId: 'adj', category: 'staff', reason, detail: 'needs a code' }]);
  });

  test('a presented code is shown to the caller who presented it', () => {
    const request = aRequest(1000, { codes: ['staff-100-free'] });
    const { droppedAdjustments } = price([elsewhere], request, { showCodes: false });
    expect(droppedAdjustments).toMatchObject([{ name: secret.name, code: 'STAFF-100-FREE' }]);
  });
});

test('a blank code and one above the length limit are unknown', () => {
  const long = 'X'.repeat(5000);
  expect(price([], aRequest(1000, { codes: [' ', long] })).codes).toEqual([
    { code: ' ', status: 'unknown' },
    { code: long, status: 'unknown' },
  ]);
});

describe('codes', () => {
  test('a code of an adjustment for something else is dropped, and says so even without the list of mismatches', () => {
    const elsewhere = { id: 'adj', conditions: { code: 'SUMMER' }, targets: [targeting('event/evt_9')] };
    const { codes, droppedAdjustments } = price([elsewhere], aRequest(1000, { codes: ['summer'] }), {
      dropped: 'candidates',
    });
    expect(droppedAdjustments).toEqual([]);
    expect(codes).toEqual([
      {
        code: 'summer',
        status: 'dropped',
        adjustmentId: 'adj',
        reason: 'target-mismatch',
        detail: 'applies to event evt_9 only, which is not in the cart',
      },
    ]);
  });

  test('a code that lost its competition names the winner', () => {
    const coupon = { category: 'discount-coupon', stacking: 'replace-within-category' } as const;
    const { codes } = price(
      [
        {
          id: 'small',
          ...coupon,
          conditions: { code: 'SMALL' },
          effect: { kind: 'percentage_off', percent: 5, per: 'unit' },
        },
        { id: 'large', name: 'Large', ...coupon, conditions: { code: 'LARGE' } },
      ],
      aRequest(1000, { codes: ['small', 'large'] }),
    );
    expect(codes).toMatchObject([
      {
        code: 'small',
        status: 'dropped',
        reason: 'replaced-within-category',
        detail: 'gives way to "Large" of the same category (discount-coupon), with which the buyer pays no more',
      },
      { code: 'large', status: 'applied' },
    ]);
  });
});
