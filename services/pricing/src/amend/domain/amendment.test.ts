import type { Adjustment, AmendmentMode } from '@event-commerce/contracts';
import { describe, expect, test } from 'vitest';
import { aLine, anAdjustment, targeting } from '../../evaluate/domain/adjustments.fixture.ts';
import { amend, amended, type CartLines, type Change, placed, requestOf } from './amend.fixture.ts';

const MODES: AmendmentMode[] = ['keep', 'reprice'];
const off = (effect: Adjustment['effect'], conditions: Adjustment['conditions'] = {}, id = 'adj') =>
  anAdjustment({ id, effect, conditions, effectBase: 'current-price' });
const group = (buy: number) => off({ kind: 'buy_x_get_y', buy, get: 1, percent: 100, per: 'order' });
const ofOrder = (percent: number, maxAmount?: number) =>
  off({ kind: 'percentage_off', percent, per: 'order', ...(maxAmount === undefined ? {} : { maxAmount }) });
const tickets = (quantity: number, amount = 5_000): CartLines => [aLine('off_a', amount, quantity)];
const A_AND_B = [aLine('off_a', 3_000, 2), aLine('off_b', 4_000, 1)];
const tenOff = off({ kind: 'amount_off', amount: 1_000, currency: 'EUR', per: 'order' });
const halfFromTen = off({ kind: 'percentage_off', percent: 50, per: 'unit' }, { minQuantity: 10 });
const code = off(
  { kind: 'percentage_off', percent: 20, per: 'unit' },
  { code: 'TWO', minQuantity: 2, maxRedemptions: 1 },
);

interface Worked {
  what: string;
  adjustments: Adjustment[];
  lines: CartLines;
  total: number;
  change: Change;
  keep: number;
  reprice: number;
  codes?: string[];
  charges?: { fees: number; tax: number };
}

const WORKED: Worked[] = [
  {
    what: '3 of 4, buy 3 get 1',
    adjustments: [group(3)],
    lines: tickets(4),
    total: 15_000,
    change: { quantities: { ln_1: 3 } },
    keep: -3_750,
    reprice: 0,
  },
  {
    what: '2 of 4, buy 3 get 1',
    adjustments: [group(3)],
    lines: tickets(4),
    total: 15_000,
    change: { quantities: { ln_1: 2 } },
    keep: -7_500,
    reprice: -5_000,
  },
  {
    what: '2 of 3, buy 2 get 1',
    adjustments: [group(2)],
    lines: tickets(3),
    total: 10_000,
    change: { quantities: { ln_1: 2 } },
    keep: -3_333,
    reprice: 0,
  },
  {
    what: '2 of 3, 10 % per order',
    adjustments: [ofOrder(10)],
    lines: tickets(3, 1_005),
    total: 2_713,
    change: { quantities: { ln_1: 2 } },
    keep: -904,
    reprice: -904,
  },
  {
    what: 'without B, 10.00 off per order',
    adjustments: [tenOff],
    lines: A_AND_B,
    total: 9_000,
    change: { quantities: { ln_2: 0 } },
    keep: -3_600,
    reprice: -4_000,
  },
  {
    what: '2 of 3, 20 % per order of at most 15.00',
    adjustments: [ofOrder(20, 1_500)],
    lines: tickets(3),
    total: 13_500,
    change: { quantities: { ln_1: 2 } },
    keep: -4_500,
    reprice: -5_000,
  },
  {
    what: '9 of 10, half price from 10',
    adjustments: [halfFromTen],
    lines: tickets(10),
    total: 25_000,
    change: { quantities: { ln_1: 9 } },
    keep: -2_500,
    reprice: 0,
  },
  {
    what: '4 of 10, half price from 10',
    adjustments: [halfFromTen],
    lines: tickets(10),
    total: 25_000,
    change: { quantities: { ln_1: 4 } },
    keep: -15_000,
    reprice: -5_000,
  },
  {
    what: '1 of 2, a code from 2 tickets',
    adjustments: [code],
    codes: ['two'],
    lines: tickets(2),
    total: 8_000,
    change: { quantities: { ln_1: 1 } },
    keep: -4_000,
    reprice: -3_000,
  },
  {
    what: 'A exchanged for B, 10 % per order',
    adjustments: [ofOrder(10)],
    lines: tickets(2),
    total: 9_000,
    change: { quantities: { ln_1: 1 }, added: [aLine('off_b', 8_000, 1)] },
    keep: 3_500,
    reprice: 2_700,
  },
  {
    what: '2 of 3, with fees and tax',
    adjustments: [],
    charges: { fees: 300, tax: 2_850 },
    lines: tickets(3),
    total: 18_150,
    change: { quantities: { ln_1: 2 } },
    keep: -5_950,
    reprice: -5_950,
  },
];

describe('an amendment', () => {
  test.each(WORKED)('to $what costs $keep at kept prices and $reprice when priced again', (worked) => {
    const { adjustments, lines, total, change, codes = [], charges = {} } = worked;
    const request = requestOf(placed(adjustments, lines, { codes, charges }), change);
    for (const mode of MODES) {
      const { due, costs } = amend(mode, request, adjustments);
      expect([mode, due, costs.before.total, costs.after.total]).toEqual([
        mode,
        worked[mode],
        total,
        total + worked[mode],
      ]);
    }
  });

  test('in steps refunds what was paid, to the cent', () => {
    for (const [mode, dues] of [
      ['keep', [-904, -905]],
      ['reprice', [-904, -905]],
    ] as const) {
      const adjustments = [ofOrder(10)];
      let order = placed(adjustments, tickets(3, 1_005));
      const due = [2, 1].map((left) => {
        const request = requestOf(order, { quantities: { ln_1: left } });
        const amendment = amend(mode, request, adjustments);
        order = amended(request, amendment);
        return [amendment.due, amendment.costs.after.total];
      });
      expect(due).toEqual([
        [dues[0], 1_809],
        [dues[1], 904],
      ]);
    }
  });

  test('that would cost more withholds what the returned tickets were worth, and refunds it once the price allows', () => {
    const adjustments = [halfFromTen];
    const order = placed(adjustments, tickets(10));
    const nine = requestOf(order, { quantities: { ln_1: 9 } });
    const kept = amend('reprice', nine, adjustments);
    expect(kept).toMatchObject({ due: 0, withheld: 2_500, redemptions: { kept: ['adj'], claimed: [], released: [] } });
    expect(kept.order.lines).toMatchObject([{ quantity: 9, total: 22_500, charged: 25_000, withheld: 2_500 }]);
    const charged = amend('reprice', { ...nine, chargeDifference: true }, adjustments);
    expect(charged).toMatchObject({ due: 20_000, withheld: 0, redemptions: { released: ['adj'] } });
    const four = requestOf(amended(nine, kept), { quantities: { ln_1: 4 } });
    expect(amend('reprice', four, adjustments)).toMatchObject({ due: -5_000, withheld: 0 });
    expect(amend('keep', four, adjustments)).toMatchObject({ due: -13_889, withheld: 1_111 });
  });

  test('keeps a redemption while its adjustment changes the price of a line, and claims what is new', () => {
    const order = placed([code], tickets(2), { codes: ['two'] });
    const request = requestOf(order, { quantities: { ln_1: 1 } });
    expect(amend('keep', request, [code]).redemptions).toEqual({
      kept: ['adj'],
      claimed: [],
      released: [],
      tickets: {},
      budgets: {},
    });
    expect(amend('reprice', request, [code]).redemptions).toEqual({
      kept: [],
      claimed: [],
      released: ['adj'],
      tickets: {},
      budgets: {},
    });
    const late = anAdjustment({
      id: 'late',
      conditions: { code: 'LATE' },
      effect: { kind: 'percentage_off', percent: 20, per: 'unit' },
    });
    const plain = placed([], tickets(2));
    const presented = amend('reprice', requestOf(plain, { codes: ['late'] }), [], [late]);
    expect(presented).toMatchObject({
      due: -2_000,
      redemptions: { claimed: ['late'] },
      codes: [{ status: 'applied' }],
    });
    const again = amended(requestOf(plain, { codes: ['late'] }), presented);
    expect(amend('reprice', requestOf(again, { quantities: { ln_1: 1 } }), [late]).due).toBe(-4_000);
  });

  test('prices added tickets by what is live now, and the others by what was live then', () => {
    const then = [ofOrder(10)];
    const perUnit = off({ kind: 'percentage_off', percent: 50, per: 'unit' }, {}, 'now');
    const order = placed(then, tickets(2));
    const request = requestOf(order, { added: [aLine('off_b', 8_000, 1)] });
    // Changed, paused or archived since: that changes nothing for the order.
    for (const live of [[perUnit], [perUnit, off({ kind: 'percentage_off', percent: 90, per: 'order' })]]) {
      expect(amend('reprice', request, then, live)).toMatchObject({
        costs: { after: { total: 9_000 + 4_000 - 400 } },
        redemptions: { kept: ['adj'], claimed: ['now'], released: [] },
      });
    }
    expect(amend('keep', request, then, [perUnit, ...then]).costs.after.total).toBe(9_000 + 4_000);
    // A single ticket of the order keeps the adjustment, so that it does not count again.
    const twice = requestOf(placed([perUnit], tickets(2)), { added: [aLine('off_b', 8_000, 1)] });
    expect(amend('keep', twice, [perUnit])).toMatchObject({ due: 4_000, redemptions: { kept: ['now'], claimed: [] } });
  });

  test('leaves out an automatic adjustment without room', () => {
    const capped = off(
      { kind: 'percentage_off', percent: 50, per: 'unit' },
      { maxQuantity: 1, maxRedemptions: 0 },
      'capped',
    );
    const placedThen = placed([{ ...capped, conditions: { maxQuantity: 1 } }], tickets(2));
    const request = requestOf(placedThen, { quantities: { ln_1: 1 } });
    expect(amend('reprice', request, [{ ...capped, conditions: { maxQuantity: 1 } }]).due).toBe(-7_500);
    expect(amend('reprice', request, [capped]).due).toBe(-5_000);
  });

  test('with a stated total splits it over the lines, and is not priced again', () => {
    const order = placed([tenOff], A_AND_B, { charges: { fees: 300, tax: 0 } });
    const request = requestOf(order, { quantities: { ln_1: 1 }, costs: { total: 5_000 } });
    const { costs, order: after, lines } = amend('keep', request, [tenOff]);
    expect(costs.after).toMatchObject({ fees: 300, total: 5_000 });
    expect(lines.map(({ charged }) => charged.after)).toEqual([2_014, 2_686]);
    expect(after.basis).toBeUndefined();
    expect(() => amend('reprice', requestOf(amended(request, amend('keep', request, [tenOff])), {}), [])).toThrow(
      expect.objectContaining({ code: 'REPRICE_UNAVAILABLE', message: expect.stringContaining('were stated') }),
    );
  });

  test.each<[string, Change, AmendmentMode[], string]>([
    ['that leaves nothing', { quantities: { ln_1: 0 } }, MODES, 'items leave no ticket; cancel the order.'],
    [
      'that adds to an order with tax',
      { added: tickets(1) },
      MODES,
      'costs.tax is required: the order has tax, and tickets are added.',
    ],
    ['that removes a code', { codes: [] }, MODES, 'coupons remove a code'],
    ['with a new code and nothing added', { codes: ['two', 'new'] }, ['keep'], 'coupons add a code'],
    ['with an unknown code', { codes: ['two', 'new'] }, ['reprice'], 'NEW'],
  ])('%s is refused', (_what, change, modes, message) => {
    const order = placed([code], tickets(2), { codes: ['two'], charges: { fees: 0, tax: 100 } });
    for (const mode of modes) expect(() => amend(mode, requestOf(order, change), [code])).toThrow(message);
  });

  test('removes a code from an order that may cost more', () => {
    const order = placed([code], tickets(2), { codes: ['two'] });
    const request = requestOf(order, { codes: [], chargeDifference: true });
    expect(amend('reprice', request, [code])).toMatchObject({ due: 2_000, redemptions: { released: ['adj'] } });
  });

  test('applies a frozen adjustment to added lines that it targets only', () => {
    const ofB = anAdjustment({ id: 'b', targets: [targeting('offering/off_b')] });
    const order = placed([ofB], [aLine('off_a', 5_000, 1), aLine('off_b', 5_000, 1)]);
    const request = requestOf(order, { added: [aLine('off_a', 5_000, 1), aLine('off_b', 5_000, 1)] });
    expect(amend('reprice', request, [ofB], []).lines.map(({ charged }) => charged.after)).toEqual([
      5_000, 4_500, 5_000, 4_500,
    ]);
  });
});
