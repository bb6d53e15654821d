import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Ask,
  byClaim,
  byOrder,
  grantsOf,
  type Group,
  groupByPool,
  isContended,
  isCrowdedOut,
  leastOf,
  oneEach,
  PENDING_MAX,
  type PlannedClaim,
  type Pool,
  standingOf,
  wasConfirmed,
} from './plan.ts';

type Planned = Ask<PlannedClaim>;

const ask = fc
  .record({
    poolId: fc.constantFrom('pool_1', 'pool_2', 'pool_3'),
    orderId: fc.stringMatching(/^o[0-9]$/),
    settledBy: fc.constantFrom('commerce', 'ledger'),
    quantity: fc.integer({ min: 1, max: 5 }),
    atLeast: fc.option(fc.integer({ min: 1, max: 5 }), { nil: undefined }),
    version: fc.integer({ min: 1, max: 2 }),
  })
  .map(({ poolId, version, atLeast, ...claim }): Planned => ({
    poolId,
    claim: { id: crypto.randomUUID(), ...claim },
    version,
    limit: 10,
    atLeast,
  }));
const batch = fc.array(ask, { maxLength: 40 });
const identity = fc.constantFrom(byOrder, byClaim);
const pool = fc.record({
  definitionVersion: fc.integer({ min: 1, max: 2 }),
  claimed: fc.integer({ min: 0, max: 12 }),
  pending: fc.array(
    fc.record({
      id: fc.uuid(),
      orderId: fc.stringMatching(/^o[0-9]$/),
      settledBy: fc.constantFrom('commerce', 'ledger'),
    }),
    { maxLength: 3 },
  ),
  recent: fc.array(fc.stringMatching(/^(manual )?o[0-9]$/), { maxLength: 2 }),
});

const claimOf = (change: Partial<PlannedClaim> = {}): PlannedClaim => ({
  id: 'rdm_1',
  orderId: 'o1',
  settledBy: 'commerce',
  quantity: 1,
  ...change,
});
const want = (change: Partial<PlannedClaim> = {}, limit: number | undefined = 10): Planned => ({
  poolId: 'pool_1',
  claim: claimOf(change),
  version: 1,
  limit,
});
const groupOf = (...members: Planned[]): Group<PlannedClaim> => ({
  poolId: 'pool_1',
  version: 1,
  limit: members[0]?.limit,
  members,
});
const poolOf = (change: Partial<Pool> = {}): Pool => ({
  definitionVersion: 1,
  claimed: 0,
  pending: [],
  recent: [],
  ...change,
});
const ordersOf = (asks: readonly Planned[]) => asks.map(({ claim }) => claim.orderId);
const quantitiesIn = (grants: ReadonlyMap<Planned, PlannedClaim>) =>
  Array.from(grants.values(), ({ orderId, quantity }) => [orderId, quantity]);

describe('when claims come together', () => {
  test('each order requests each definition of a pool once, and no claim is lost', () => {
    fc.assert(
      fc.property(batch, (all) => {
        const { first, repeats } = oneEach(all, byOrder);
        expect(new Set([...first, ...repeats.keys()])).toEqual(new Set(all));
        const holders = first.map(
          ({ poolId, version, claim }) => `${poolId} ${version} ${claim.settledBy} ${claim.orderId}`,
        );
        expect(new Set(holders).size).toBe(holders.length);
        for (const original of repeats.values()) expect(first).toContain(original);
      }),
    );
  });

  test('each claim requests its share once, however many copies of its order there are', () => {
    const copies = [want({ id: 'a' }), want({ id: 'b' }), want({ id: 'a', orderId: 'o2' })];
    const { first, repeats } = oneEach(copies, byClaim);
    expect(first.map(({ claim }) => claim.id)).toEqual(['a', 'b']);
    expect(repeats.get(copies[2] as Planned)).toBe(copies[0]);
  });

  test('a group has one pool under one version, with one claim per order; each pool has one group, and the rest waits', () => {
    fc.assert(
      fc.property(batch, (all) => {
        const { groups, rest } = groupByPool(all);
        expect(new Set([...groups.flatMap(({ members }) => members), ...rest])).toEqual(new Set(all));
        expect(new Set(groups.map(({ poolId }) => poolId)).size).toBe(groups.length);
        for (const { poolId, version, members } of groups) {
          for (const one of members) expect([one.poolId, one.version]).toEqual([poolId, version]);
          expect(new Set(ordersOf(members)).size).toBe(members.length);
        }
      }),
    );
  });
});

describe('what fits', () => {
  test('never exceeds the limit, holds nothing twice, and leaves out nothing that would still fit', () => {
    fc.assert(
      fc.property(batch, pool, identity, (all, found, identify) => {
        for (const group of groupByPool(oneEach(all, identify).first).groups) {
          const grants = grantsOf(group, found, identify);
          const fitting = [...grants.keys()];
          const { version } = group;
          // A share refuses only claims under an older definition than its own.
          const isAt = identify === byOrder ? version === found.definitionVersion : version >= found.definitionVersion;
          if (!isAt) {
            expect(fitting).toEqual([]);
            continue;
          }
          const taken = [...grants.values()].reduce((sum, { quantity }) => sum + quantity, 0);
          for (const [{ claim, atLeast = claim.quantity }, { quantity, ...granted }] of grants) {
            expect({ ...granted, quantity: claim.quantity }).toEqual(claim);
            expect(quantity).toBeGreaterThanOrEqual(Math.min(atLeast, claim.quantity));
            // Whoever gets less gets all that is left.
            expect(quantity === claim.quantity || found.claimed + taken === 10).toBe(true);
          }
          expect(taken).toBeLessThanOrEqual(Math.max(0, 10 - found.claimed));
          const holds = ({ claim }: Planned) =>
            standingOf(found, claim, identify) !== undefined || wasConfirmed(found, claim, identify);
          expect(fitting.filter(holds)).toEqual([]);
          for (const one of group.members.filter((member) => !fitting.includes(member))) {
            expect(holds(one) || found.claimed + taken + leastOf(one) > 10).toBe(true);
          }
        }
      }),
    );
  });

  test('is decided by the order of arrival: later claims change nothing for earlier ones', () => {
    fc.assert(
      fc.property(fc.array(ask, { minLength: 1, maxLength: 20 }), ask, pool, (all, late, found) => {
        const members = all.map((one) => ({ ...one, poolId: 'pool_1', version: 1 }));
        const early = groupOf(...members);
        const later = groupOf(...members, { ...late, poolId: 'pool_1', version: 1 });
        const before = [...grantsOf(early, found, byOrder)];
        expect([...grantsOf(later, found, byOrder)].slice(0, before.length)).toEqual(before);
      }),
    );
  });

  test('is not affected by a member that requests too much', () => {
    const sizes = [2, 9, 2, 1].map((quantity, n) => want({ orderId: `o${n + 1}`, quantity }, 4));
    expect(quantitiesIn(grantsOf(groupOf(...sizes), poolOf(), byOrder))).toEqual([
      ['o1', 2],
      ['o3', 2],
    ]);
    expect(grantsOf(groupOf(...sizes), undefined, byOrder).size).toBe(0);
  });

  test('is the rest for a claim that takes less', () => {
    const takes = (orderId: string, quantity: number, atLeast: number) => ({
      ...want({ orderId, quantity }, 7),
      atLeast,
    });
    const asks = [takes('o1', 5, 1), takes('o2', 4, 3), takes('o3', 4, 1), takes('o4', 1, 1)];
    expect(quantitiesIn(grantsOf(groupOf(...asks), poolOf(), byOrder))).toEqual([
      ['o1', 5],
      ['o3', 2],
    ]);
    const pending = [{ id: 'p', orderId: 'p', settledBy: 'commerce' as const, quantity: 2 }];
    const held = { ...poolOf({ claimed: 7 }), pending };
    expect(asks.map((one) => isContended(one, held))).toEqual([true, false, true, true]);
  });

  test('is everything that the pool can store if there is no limit', () => {
    const unlimited = (n: number) => ({ ...want({ orderId: `o${n}`, quantity: 1_000_000 }), limit: undefined });
    const pending = Array.from({ length: PENDING_MAX - 2 }, (_, n) => ({
      id: `p${n}`,
      orderId: `p${n}`,
      settledBy: 'commerce' as const,
    }));
    const crowded = poolOf({ pending, claimed: 10 });
    const asks = [1, 2, 3].map(unlimited);
    expect(ordersOf([...grantsOf(groupOf(...asks), crowded, byOrder).keys()])).toEqual(['o1', 'o2']);
    const full = poolOf({ pending: [...pending, ...pending.slice(0, 2)] });
    expect(isCrowdedOut(unlimited(1), full)).toBe(true);
    expect(isCrowdedOut(want({}, 0), full)).toBe(false);
  });
});

test('a claim is identified by its order, and one that was redeemed manually for the order is remembered separately', () => {
  const pending = [{ id: 'a', orderId: 'o1', settledBy: 'commerce' as const }];
  const standing = (claim: PlannedClaim) => standingOf(poolOf({ pending }), claim, byOrder)?.id;
  expect(standing(claimOf({ id: 'other' }))).toBe('a');
  expect(standing(claimOf({ settledBy: 'ledger' }))).toBe('a');
  expect(standing(claimOf({ orderId: 'o3' }))).toBeUndefined();
  expect(wasConfirmed(poolOf({ recent: ['o1'] }), claimOf(), byOrder)).toBe(true);
  expect(wasConfirmed(poolOf({ recent: ['o1'] }), claimOf({ settledBy: 'ledger' }), byOrder)).toBe(false);
  expect(wasConfirmed(poolOf({ recent: ['o2'] }), claimOf(), byOrder)).toBe(false);
  expect(wasConfirmed(poolOf({ recent: ['rdm_1'] }), claimOf(), byClaim)).toBe(true);
});
