import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  fittingOf,
  type Group,
  groupByAdjustment,
  oneClaimPerOrder,
  type PlannedClaim,
  type Pool,
  standingOf,
  type Wanted,
  wasConfirmed,
} from './plan-claims.ts';

const wanted = fc
  .record({
    adjustmentId: fc.constantFrom('adj_1', 'adj_2', 'adj_3'),
    orderId: fc.stringMatching(/^o[0-9]$/),
    key: fc.option(fc.constantFrom('k1', 'k2', 'k3', 'k4'), { nil: undefined }),
    quantity: fc.integer({ min: 1, max: 5 }),
    version: fc.integer({ min: 1, max: 2 }),
  })
  .map(({ version, ...claim }): Wanted => ({
    claim: { id: crypto.randomUUID(), ...claim },
    under: { version, maxRedemptions: 10 },
  }));
const batch = fc.array(wanted, { maxLength: 40 });
const pool = fc.record({
  definitionVersion: fc.integer({ min: 1, max: 2 }),
  claimed: fc.integer({ min: 0, max: 12 }),
  pending: fc.array(
    fc.record({
      id: fc.uuid(),
      orderId: fc.stringMatching(/^o[0-9]$/),
      key: fc.option(fc.constantFrom('k1', 'k2'), { nil: undefined }),
    }),
    { maxLength: 3 },
  ),
  recent: fc.array(fc.constantFrom('k3', 'k4'), { maxLength: 2 }),
});
const groups = batch.map((all) => groupByAdjustment(all).groups);

const claimOf = (change: Partial<PlannedClaim> = {}): PlannedClaim => ({
  id: 'rdm_1',
  adjustmentId: 'adj_1',
  orderId: 'o1',
  quantity: 1,
  ...change,
});
const want = (change: Partial<PlannedClaim> = {}, maxRedemptions: number | undefined = 10): Wanted => ({
  claim: claimOf(change),
  under: { version: 1, maxRedemptions },
});
const poolOf = (change: Partial<Pool> = {}): Pool => ({ definitionVersion: 1, claimed: 0, pending: [], ...change });

test('an order asks once for each adjustment, whatever its copies call themselves, and no claim is lost', () => {
  fc.assert(
    fc.property(batch, (all) => {
      const { first, repeats } = oneClaimPerOrder(all);
      expect(new Set([...first, ...repeats.keys()])).toEqual(new Set(all));
      const holders = first.map(({ claim }) => `${claim.adjustmentId} ${claim.key ?? `order ${claim.orderId}`}`);
      expect(new Set(holders).size).toBe(holders.length);
      for (const original of repeats.values()) expect(first).toContain(original);
    }),
  );
});

test('a group is of one adjustment under one version, one group an adjustment, and the rest waits', () => {
  fc.assert(
    fc.property(batch, (all) => {
      const { groups: made, rest } = groupByAdjustment(all);
      expect(new Set([...made.flat(), ...rest])).toEqual(new Set(all));
      expect(new Set(made.map(([{ claim }]) => claim.adjustmentId)).size).toBe(made.length);
      for (const group of made) {
        expect(new Set(group.map(({ claim, under }) => `${claim.adjustmentId} ${under.version}`)).size).toBe(1);
      }
    }),
  );
});

test('what fits never passes the cap, holds no order twice, and leaves out nothing that would still fit', () => {
  fc.assert(
    fc.property(groups, pool, (all, usage) => {
      for (const group of all) {
        const fitting = fittingOf(group, usage);
        const taken = fitting.reduce((sum, { claim }) => sum + claim.quantity, 0);
        if (group[0].under.version !== usage.definitionVersion) {
          expect(fitting).toEqual([]);
          continue;
        }
        expect(taken).toBeLessThanOrEqual(Math.max(0, 10 - usage.claimed));
        for (const { claim } of fitting) {
          expect(standingOf(usage, claim)).toBeUndefined();
          expect(wasConfirmed(usage, claim)).toBe(false);
        }
        const left = group.filter((one) => !fitting.includes(one));
        for (const { claim } of left) {
          const holds = standingOf(usage, claim) !== undefined || wasConfirmed(usage, claim);
          expect(holds || usage.claimed + taken + claim.quantity > 10).toBe(true);
        }
      }
    }),
  );
});

test('the first who fit get the room; one that asks for too much is in nobody’s way', () => {
  const group: Group = [
    want({ orderId: 'o1', quantity: 2 }, 4),
    want({ orderId: 'o2', quantity: 9 }, 4),
    want({ orderId: 'o3', quantity: 2 }, 4),
    want({ orderId: 'o4' }, 4),
  ];
  expect(fittingOf(group, poolOf()).map(({ claim }) => claim.orderId)).toEqual(['o1', 'o3']);
  expect(fittingOf(group, undefined)).toEqual([]);
});

test('a copy is known by its key, an order without one by its id', () => {
  const pending = [
    { id: 'a', orderId: 'o1', key: 'k1' },
    { id: 'b', orderId: 'o2' },
  ];
  expect(standingOf(poolOf({ pending }), claimOf({ orderId: 'other', key: 'k1' }))?.id).toBe('a');
  expect(standingOf(poolOf({ pending }), claimOf({ orderId: 'o2', key: 'k2' }))?.id).toBe('b');
  expect(standingOf(poolOf({ pending }), claimOf({ orderId: 'o3' }))).toBeUndefined();
  expect(wasConfirmed(poolOf({ recent: ['k1'] }), claimOf({ key: 'k1' }))).toBe(true);
  expect(wasConfirmed(poolOf({ recent: ['k1'] }), claimOf())).toBe(false);
});
