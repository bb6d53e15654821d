import { tenantOf } from '@event-commerce/contracts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Claim } from './claim.ts';
import { holdAll, type OrdersClaim } from './hold-all.ts';

const companyId = tenantOf({ companyId: 'co', environment: 'live' });
const claimOf = (poolId: string, common: OrdersClaim): Claim => ({
  id: `claim of ${poolId}`,
  poolId,
  companyId,
  quantity: 1,
  ...common,
});

/** What becomes of a claim: it is held, for this order or for a copy of it, or it is not. */
const outcome = fc.constantFrom('own', 'copy', 'full', 'fails');
const someSteps = fc.array(fc.array(outcome, { minLength: 1, maxLength: 3 }), { maxLength: 5 });

test('an order holds all of its claims for one order id, or none of them', async () => {
  await fc.assert(
    fc.asyncProperty(someSteps, async (outcomes) => {
      const held: Claim[] = [];
      const letGo: Claim[] = [];
      const pools = {
        letGo: async (claim: Claim, attempt: string) => {
          expect(attempt).toBe('attempt');
          letGo.push(claim);
        },
      };
      const steps = outcomes.map((step, s) => step.map((what, n) => ({ what, poolId: `${s}/${n}` })));
      const result = await holdAll(pools, { orderId: 'own', attempt: 'attempt' }, steps, async (wanted, common) => {
        if (wanted.what === 'fails') throw new Error('away');
        if (wanted.what === 'full') return { obstacle: { kind: 'full' as const } };
        const claim = claimOf(wanted.poolId, wanted.what === 'copy' ? { ...common, orderId: 'copy' } : common);
        held.push(claim);
        return { claim };
      }).catch((error: unknown) => ({ kind: 'failed' as const, error }));

      if (result.kind === 'held') {
        expect([letGo, result.claims, held.length]).toEqual([[], held, outcomes.flat().length]);
        expect(held.every(({ orderId }) => orderId === result.orderId)).toBe(true);
      } else expect(letGo).toEqual(held);
    }),
  );
});

test('claims come step by step, and after an obstacle no more are asked for', async () => {
  const asked: string[] = [];
  const pools = { letGo: async () => undefined };
  const order = { orderId: 'ord_1', key: 'key', content: 'digest', reopening: 2 };
  const result = await holdAll(pools, order, [['a'], ['b', 'c'], ['d']], async (poolId, common) => {
    asked.push(poolId);
    expect(common).toEqual({
      ...order,
      status: 'pending',
      settledBy: 'commerce',
      attempts: [expect.stringMatching(/./)],
    });
    return poolId === 'c' ? { obstacle: { kind: 'full' as const, poolId } } : { claim: claimOf(poolId, common) };
  });
  expect([result, asked]).toEqual([{ kind: 'full', poolId: 'c' }, ['a', 'b', 'c']]);
});

test('a copy of the order that came first gets the claims that follow, for its order id', async () => {
  const pools = { letGo: async () => undefined };
  const result = await holdAll(pools, { orderId: 'ord_2' }, [['a'], ['b']], async (poolId, common) => ({
    claim: claimOf(poolId, poolId === 'a' ? { ...common, orderId: 'ord_1' } : common),
  }));
  expect(result).toMatchObject({
    kind: 'held',
    orderId: 'ord_1',
    claims: [{ orderId: 'ord_1' }, { orderId: 'ord_1' }],
  });
  const late = await holdAll(pools, { orderId: 'ord_2' }, [['a'], ['b']], async (poolId, common) => ({
    claim: claimOf(poolId, poolId === 'b' ? { ...common, orderId: 'ord_1' } : common),
  }));
  expect(late).toEqual({ kind: 'other-copy', orderId: 'ord_1' });
});
