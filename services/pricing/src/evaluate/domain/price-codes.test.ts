import { describe, expect, test } from 'vitest';
import { anAdjustment, aRequest, NOW, OPTIONS, targeting } from './adjustments.fixture.ts';
import { linesOf } from './cart-lines.ts';
import { priceOffering } from './price.ts';
import { price } from './price.fixture.ts';
import { sameUntilMs } from './same-until.ts';
import { CompanySnapshot } from '../../snapshot/domain/snapshot.ts';

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

test('a blank code and one over the length limit are unknown', () => {
  const long = 'X'.repeat(5000);
  expect(price([], aRequest(1000, { codes: [' ', long] })).codes).toEqual([
    { code: ' ', status: 'unknown' },
    { code: long, status: 'unknown' },
  ]);
});

describe('codes', () => {
  test('a code of an adjustment for something else is reported as dropped, even without the list of mismatches', () => {
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
        detail: 'replaced by "Large" of the same category (discount-coupon), which costs the buyer no more',
      },
      { code: 'large', status: 'applied' },
    ]);
  });

  test('of surcharges say that the price is higher with them', () => {
    const effect = { kind: 'amount_surcharge', amount: 100, currency: 'EUR', per: 'unit' } as const;
    const { codes, summary } = price(
      [{ id: 'adj', conditions: { code: 'LATE' }, effect }],
      aRequest(1000, { codes: ['late'] }),
    );
    expect(summary.total).toBe(1100);
    const detail = 'is a surcharge: the price is higher with it';
    expect(codes).toEqual([{ code: 'late', status: 'applied', adjustmentId: 'adj', detail }]);
  });
});

describe('a code that several adjustments have', () => {
  const open = { startsAt: '2027-04-01T00:00:00.000Z' };
  const ended = { endsAt: '2026-12-31T00:00:00.000Z' };
  const scheduled = { status: 'scheduled', created: '2026-01-01T00:00:00.000Z' } as const;
  const half = { kind: 'percentage_off', percent: 50, per: 'unit' } as const;

  test('redeems one of them: the active one before one that was scheduled earlier', () => {
    const { summary, codes, droppedAdjustments } = price(
      [
        { id: 'scheduled', ...scheduled, conditions: { code: 'SUMMER', ...open }, effect: half },
        { id: 'active', name: 'Active', conditions: { code: 'SUMMER' } },
      ],
      aRequest(1000, { codes: ['summer'] }),
      { dropped: 'candidates', showCodes: false },
    );
    expect(summary.total).toBe(900);
    expect(codes).toEqual([{ code: 'summer', status: 'applied', adjustmentId: 'active' }]);
    expect(droppedAdjustments).toEqual([
      {
        adjustmentId: 'scheduled',
        name: 'scheduled',
        category: 'promotion',
        code: 'SUMMER',
        reason: 'code-not-presented',
        detail: 'needs the code SUMMER, which now redeems "Active"',
        replacedBy: 'active',
      },
    ]);
  });

  test('redeems the one whose window is open, even if it is scheduled', () => {
    const { summary, droppedAdjustments } = price(
      [
        { id: 'active', conditions: { code: 'SUMMER', ...ended } },
        { id: 'scheduled', ...scheduled, conditions: { code: 'SUMMER', ...open }, effect: half },
      ],
      aRequest(1000, { codes: ['summer'] }),
    );
    expect(summary.total).toBe(500);
    expect(droppedAdjustments).toMatchObject([{ adjustmentId: 'active', reason: 'ended' }]);
  });

  test('redeems nothing while its adjustment does not count, and says why', () => {
    const { summary, codes, droppedAdjustments } = price(
      [
        { id: 'scheduled', ...scheduled, conditions: { code: 'SUMMER', ...open } },
        { id: 'active', conditions: { code: 'SUMMER' }, targets: [targeting('event/evt_9')] },
      ],
      aRequest(1000, { codes: ['summer'] }),
    );
    expect(summary.total).toBe(1000);
    expect(codes).toMatchObject([{ status: 'dropped', adjustmentId: 'active', reason: 'target-mismatch' }]);
    expect(droppedAdjustments).toMatchObject([
      { adjustmentId: 'scheduled', reason: 'code-not-presented', replacedBy: 'active' },
      { adjustmentId: 'active', reason: 'target-mismatch' },
    ]);
  });

  test('is answered with its current adjustment, not with one that ended before', () => {
    const better = { stacking: 'exclusive', effect: half } as const;
    const { codes } = price(
      [
        { id: 'leftover', ...scheduled, conditions: { code: 'SUMMER', ...ended } },
        { id: 'active', conditions: { code: 'SUMMER' } },
        { id: 'better', ...better },
      ],
      aRequest(1000, { codes: ['summer'] }),
    );
    expect(codes).toMatchObject([{ status: 'dropped', adjustmentId: 'active', reason: 'excluded-by-exclusive' }]);
  });

  test('may redeem another adjustment once its window opens, even where that one does not apply', () => {
    const tomorrow = '2027-05-02T12:00:00.000Z';
    const snapshot = new CompanySnapshot([
      anAdjustment({ id: 'here', ...scheduled, conditions: { code: 'SUMMER', ...open } }),
      anAdjustment({
        id: 'elsewhere',
        ...scheduled,
        conditions: { code: 'SUMMER', startsAt: tomorrow },
        priority: 1,
        targets: [targeting('event/evt_9')],
      }),
    ]);
    const request = aRequest(1000, { codes: ['summer'] });
    const at = (now: string) => priceOffering(snapshot, request, { ...OPTIONS, now }).summary.total;
    expect([at(NOW), at(tomorrow)]).toEqual([900, 1000]);
    const lines = linesOf({ lines: [{ offering: request.offering, quantity: 1 }] }, OPTIONS.events);
    expect(sameUntilMs(snapshot, lines, new Set(['SUMMER']), Date.parse(NOW))).toBeLessThanOrEqual(
      Date.parse(tomorrow),
    );
  });
});
