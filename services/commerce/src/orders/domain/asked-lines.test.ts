import type { PricedItem } from '@event-commerce/contracts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { askedLines } from './asked-lines.ts';

const line = (lineId: string, offeringId: string, quantity: number) => ({ lineId, offeringId, quantity }) as PricedItem;
const LINES = [line('ln_1', 'off_a', 2), line('ln_2', 'off_b', 1), line('ln_3', 'off_a', 3)];
const resultOf = (asked: Parameters<typeof askedLines>[1], linesMade?: number) => {
  const { remaining, added } = askedLines(LINES, asked, linesMade);
  return { remaining: Object.fromEntries(remaining), added };
};
const ALL = { ln_1: 2, ln_2: 1, ln_3: 3 };

describe('what an amendment asks of the lines of an order', () => {
  it('leaves lines that it does not name', () => {
    expect(resultOf([])).toEqual({ remaining: ALL, added: [] });
    expect(resultOf([{ lineId: 'ln_1', quantity: 0 }])).toEqual({ remaining: { ...ALL, ln_1: 0 }, added: [] });
  });

  it('takes tickets of an offering from its newest line first', () => {
    expect(resultOf([{ offeringId: 'off_a', quantity: 1 }]).remaining).toEqual({ ...ALL, ln_1: 1, ln_3: 0 });
    expect(resultOf([{ offeringId: 'off_a', quantity: 4 }]).remaining).toEqual({ ...ALL, ln_3: 2 });
  });

  it('adds tickets as lines with ids that the order never had', () => {
    const asked = [
      { offeringId: 'off_a', quantity: 7 },
      { offeringId: 'off_c', quantity: 1, unitPrice: 500 },
    ];
    expect(resultOf(asked, 5)).toEqual({
      remaining: ALL,
      added: [
        { lineId: 'ln_6', offeringId: 'off_a', quantity: 2, index: 0 },
        { lineId: 'ln_7', offeringId: 'off_c', quantity: 1, unitPrice: 500, index: 1 },
      ],
    });
  });

  it.each([
    [[{ lineId: 'ln_3', quantity: 4 }], 'items[0].quantity cannot exceed 3; to add tickets, name the offering.'],
    [[{ lineId: 'ln_9', quantity: 0 }], 'items[0].lineId is ln_9, and the order has ln_1, ln_2, ln_3.'],
    [
      [
        { lineId: 'ln_1', quantity: 1 },
        { offeringId: 'off_a', quantity: 1 },
      ],
      'items[1] names ln_1 twice; send how many it should have once.',
    ],
    [
      [
        { offeringId: 'off_a', quantity: 0 },
        { lineId: 'ln_2', quantity: 0 },
      ],
      'items leave no ticket; cancel the order.',
    ],
  ])('refuses %j with the reason', (asked, message) => {
    expect(() => resultOf(asked)).toThrow(message);
  });

  it('refuses more lines than an order can have, and lets others take their place', () => {
    const full = Array.from({ length: 500 }, (_, n) => line(`ln_${n + 1}`, `off_${n}`, 1));
    const another = { offeringId: 'off_new', quantity: 1 };
    expect(() => askedLines(full, [another])).toThrow('items make more than 500 lines; place another order');
    expect(askedLines(full, [{ lineId: 'ln_1', quantity: 0 }, another]).added).toHaveLength(1);
  });

  it('gives every offering exactly as many tickets as are asked for', () => {
    const asked = fc.record({ off_a: fc.nat(9), off_b: fc.nat(9) }).filter(({ off_a, off_b }) => off_a + off_b > 0);
    fc.assert(
      fc.property(asked, (wanted) => {
        const items = Object.entries(wanted).map(([offeringId, quantity]) => ({ offeringId, quantity }));
        const { remaining, added } = askedLines(LINES, items);
        for (const [offeringId, quantity] of Object.entries(wanted)) {
          const kept = LINES.filter((one) => one.offeringId === offeringId).map(
            ({ lineId }) => remaining.get(lineId) ?? 0,
          );
          const more = added.filter((one) => one.offeringId === offeringId).map((one) => one.quantity);
          expect([...kept, ...more].reduce((sum, one) => sum + one, 0)).toBe(quantity);
        }
      }),
    );
  });
});
