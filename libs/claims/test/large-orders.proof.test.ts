import { tryAgainShortly } from '@event-commerce/contracts';
import { newId } from '@event-commerce/service-kit';
import { liveTenant } from '@event-commerce/test-kit';
import { expect, test } from 'vitest';
import { HeldClaims, holdAll, oneByOne } from '../src/index.ts';
import { claimOn, tickets, useTicketPools } from './ticket-pools.ts';

const { collections, countersOf, differences, processOn } = useTicketPools();

const newPools = (length: number) => Array.from({ length }, () => newId('off'));

test('at most one of two large orders racing in two processes for the last of many pools holds all, and the other leaves nothing', async () => {
  // As many as an order claims one by one, so that what both request is claimed many at a time.
  const own = [newPools(20), newPools(20)] as const;
  const common = newPools(55);
  const processes = [processOn(), processOn()] as const;

  const place = async (n: 0 | 1) => {
    const poolIds = [...own[n], ...common];
    const held = new HeldClaims();
    const outcome = await holdAll(
      processes[n],
      { orderId: newId('ord') },
      {
        // In one process, large orders of one company come in turn.
        tenant: liveTenant(`of process ${n}`),
        steps: oneByOne(poolIds),
        holdRequestOf: (poolId, ofOrder) => ({
          claim: claimOn(poolId, { ...ofOrder, customerId: 'c1' }),
          pool: tickets(poolId, 1),
          customerLimit: 1,
        }),
        held,
        crowdedOut: () => tryAgainShortly('A pool is crowded.'),
        keepsChanging: () => tryAgainShortly('A pool keeps changing.'),
        untilMs: performance.now() + 20_000,
      },
    );
    if (outcome.kind !== 'held') {
      expect(outcome).toMatchObject({ kind: 'full', isContended: true });
      await Promise.all(held.except([]).map(async (claim) => processes[n].cancel(claim)));
      return [];
    }
    expect(outcome.claims.map(({ poolId }) => poolId).toSorted()).toEqual(poolIds.toSorted());
    return [{ n, claims: outcome.claims }];
  };

  for (let round = 1; round <= 5; round++) {
    const placed = (await Promise.all([place(0), place(1)])).flat();
    expect(placed.length).toBeLessThanOrEqual(1);
    // Two orders of that size may have refused each other: then the next one can have everything.
    if (placed.length === 0) placed.push(...(await place(0)));
    expect(placed).toHaveLength(1);
    for (const { n, claims } of placed) {
      await Promise.all(claims.map(async (claim) => processes[n].cancel(claim)));
    }
  }
  for (const id of [...own.flat(), ...common]) expect(await countersOf(id)).toMatchObject({ claimed: 0, pending: 0 });
  expect(await collections().shares?.countDocuments({ claimed: { $ne: 0 } })).toBe(0);
  expect(await differences()).toEqual([]);
});
