import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  become,
  changeOf,
  type ClaimStatus,
  countsAs,
  enteredAs,
  keepsPlace,
  type Recorded,
  transitionOf,
  TRANSITIONS,
} from './claim.ts';

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
        const [before, after] = [from, to].map((status) => countsAs({ status, quantity: 1 }).claimed);
        expect(before).toBeGreaterThanOrEqual(after ?? 0);
      }
    }
  });

  /** What orders say: the status that the claim should have, and how much of it they keep. */
  const told = fc.record({
    to: fc.constantFrom('held', 'confirmed', 'released'),
    keeps: fc.oneof(fc.constant(Infinity), fc.nat({ max: 5 })),
  });

  test('comes to the same state in whatever order it hears of changes, and its steps change the counters by the difference', () => {
    const entered = fc.constantFrom('held', 'confirmed');
    fc.assert(
      fc.property(entered, fc.integer({ min: 1, max: 5 }), fc.array(told), fc.nat(), (status, quantity, all, turn) => {
        const apply = (heard: typeof all) => {
          let claim: Recorded = { status, quantity };
          for (const { to, keeps } of heard) {
            const change = transitionOf(claim, to, keeps);
            if (change === undefined) continue;
            const step = { by: String(claim.steps?.length), ...changeOf(change) };
            claim = { ...change.to, steps: [...(claim.steps ?? []), step] };
            expect(step.claimed).toBeLessThanOrEqual(0);
          }
          const { claimed, confirmed } = countsAs({ status, quantity });
          const steps = claim.steps ?? [];
          const sum = {
            claimed: steps.reduce((total, step) => total + step.claimed, claimed),
            confirmed: steps.reduce((total, step) => total + step.confirmed, confirmed),
          };
          expect(sum).toEqual(countsAs(claim));
          expect(enteredAs(claim)).toEqual({ status, quantity });
          return sum;
        };
        const at = all.length === 0 ? 0 : turn % all.length;
        const counts = apply(all);
        expect(apply([...all.slice(at), ...all.slice(0, at)])).toEqual(counts);
        expect(apply([...all, ...all])).toEqual(counts);
      }),
    );
  });
});

test('a claim keeps its place in the ledger while it is held or confirmed', () => {
  expect(statuses.filter(keepsPlace)).toEqual(['held', 'confirmed']);
});
