import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { become, changeOf, type ClaimStatus, countsAs, keepsPlace, TRANSITIONS } from './claim.ts';

const statuses = Object.keys(TRANSITIONS) as ClaimStatus[];
const ended = ['cancelled', 'lapsed', 'released'] as const;

describe('a claim', () => {
  test('only moves forward: no status leads back to an earlier one', () => {
    const later = (from: ClaimStatus): ClaimStatus[] => TRANSITIONS[from].flatMap((to) => [to, ...later(to)]);
    for (const from of statuses) expect(later(from)).not.toContain(from);
  });

  test('that ended keeps its final status', () => {
    for (const from of ended) for (const to of statuses) expect(become(from, to)).toBe(from);
  });

  test.each([
    ['held', { confirmed: 'confirmed', released: 'released' }],
    ['confirmed', { released: 'released' }],
  ] as const)(
    'that is %s neither lapses nor is cancelled',
    (from, moves: Partial<Record<ClaimStatus, ClaimStatus>>) => {
      for (const to of statuses) expect(become(from, to)).toBe(moves[to] ?? from);
    },
  );

  test('frees its place once: no status without a place leads to one with a place', () => {
    for (const from of statuses) {
      for (const to of TRANSITIONS[from]) {
        expect(countsAs(from, 1).claimed).toBeGreaterThanOrEqual(countsAs(to, 1).claimed);
      }
    }
  });

  test('counts as its final status, in whatever order its steps are counted', () => {
    const path = fc.infiniteStream(fc.nat()).map((choices) => {
      const taken: ClaimStatus[] = ['pending'];
      for (const choice of choices) {
        const next = TRANSITIONS[taken.at(-1) as ClaimStatus];
        if (next.length === 0) break;
        taken.push(next[choice % next.length] as ClaimStatus);
      }
      return taken;
    });
    fc.assert(
      fc.property(path, fc.integer({ min: 1, max: 9 }), fc.nat(), (statusesTaken, quantity, turn) => {
        const steps = statusesTaken.slice(1).map((to, n) => ({ from: statusesTaken[n] as ClaimStatus, to }));
        const shuffled = [...steps.slice(turn % steps.length), ...steps.slice(0, turn % steps.length)];
        const counts = shuffled.reduce(
          (sum, step) => {
            const { claimed, confirmed } = changeOf(step, quantity);
            return { claimed: sum.claimed + claimed, confirmed: sum.confirmed + confirmed };
          },
          countsAs('pending', quantity),
        );
        expect(counts).toEqual(countsAs(statusesTaken.at(-1) as ClaimStatus, quantity));
      }),
    );
  });
});

test('a claim keeps its place in the ledger while it is held or confirmed', () => {
  expect(statuses.filter(keepsPlace)).toEqual(['held', 'confirmed']);
});
