import { firstIdAt, newId } from '@event-commerce/service-kit';
import { liveTenant, newCompanyId, newDatabase } from '@event-commerce/test-kit';
import fc from 'fast-check';
import { beforeAll, expect, inject, test } from 'vitest';
import { commerceModels } from '../src/models.ts';
import { type HeldForOrder, numberOf, orderNumbers } from '../src/orders/order-number.repository.ts';

let models: ReturnType<typeof commerceModels>;
beforeAll(async () => {
  const { connection, drop } = await newDatabase(inject('mongoUrl'));
  models = commerceModels(connection);
  return drop;
});

const tenant = liveTenant(newCompanyId());
const OLDEST = firstIdAt('ord', Date.now() - 3_600_000);
const HOLDS_NOTHING: HeldForOrder = { redemptions: [], tickets: [], sessions: [] };
const attemptAt = (id: string, attempt: string, fingerprint = 'same') => ({
  id,
  tenant,
  orderId: newId('ord'),
  fingerprint,
  attempt,
});
const newNumber = () => numberOf(tenant, newId('ord'));
const replicas = () => [orderNumbers(models), orderNumbers(models)] as const;

test('all concurrent copies of an order have one order id, and the last one that fails gets everything they held', async () => {
  const copies = fc.array(fc.record({ holds: fc.boolean(), fails: fc.boolean() }), { minLength: 1, maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(copies, async (all) => {
      const id = newNumber();
      const on = replicas();
      const entered = await Promise.all(
        all.map(async (copy, n) => {
          const attempt = attemptAt(id, `${n}`);
          const outcome = await on[n % 2 === 0 ? 0 : 1].enter(attempt, OLDEST);
          if (outcome?.kind !== 'entered') throw new Error('a copy of an order is never refused');
          return { ...copy, n, attempt: { ...attempt, orderId: outcome.orderId } };
        }),
      );
      const orderIds = new Set(entered.map(({ attempt }) => attempt.orderId));
      expect(orderIds.size).toBe(1);

      const heldBy = (n: number) => [{ claimId: `tkt_${n}`, poolId: 'pool', of: { eventId: 'evt_1' }, quantity: 1 }];
      const left = await Promise.all(
        entered
          .filter(({ fails }) => fails)
          .map(async ({ n, holds, attempt }) => {
            const held = holds ? { ...HOLDS_NOTHING, tickets: heldBy(n) } : HOLDS_NOTHING;
            return await on[n % 2 === 0 ? 1 : 0].leave(attempt, held);
          }),
      );
      const held = entered.flatMap(({ n, holds }) => (holds ? heldBy(n) : []));
      const abandoned = left.filter((one) => one !== undefined);
      if (all.every(({ fails }) => fails)) {
        // An order is not abandoned if there is nothing to release.
        if (held.length > 0) expect(abandoned.length).toBeGreaterThan(0);
        for (const { tickets } of abandoned) expect(new Set(tickets)).toEqual(new Set(held));
      } else expect(abandoned).toEqual([]);
    }),
    { numRuns: 30 },
  );
});

test('an abandoned order cannot be entered; once it is removed, its number gets another order id', async () => {
  const [numbers] = replicas();
  const id = newNumber();
  const first = attemptAt(id, 'a');
  expect(await numbers.enter(first, OLDEST)).toEqual({ kind: 'entered', orderId: first.orderId });
  const held = { ...HOLDS_NOTHING, sessions: ['session'] };
  expect(await numbers.leave(first, held)).toEqual(held);
  const second = attemptAt(id, 'b', 'other');
  expect(await numbers.enter(second, OLDEST)).toEqual({ kind: 'abandoned', orderId: first.orderId, left: held });
  await numbers.remove(id, first.orderId);
  expect(await numbers.enter(second, OLDEST)).toEqual({ kind: 'entered', orderId: second.orderId });
  // The failed attempt no longer changes anything.
  expect(await numbers.leave(first, held)).toBeUndefined();
  await numbers.remove(id, first.orderId);
  expect(await numbers.enter(attemptAt(id, 'c', 'other'), OLDEST)).toMatchObject({ orderId: second.orderId });
});

test('an order with other content gets the number once no attempt holds it, at once if nothing was held', async () => {
  const [numbers] = replicas();
  const id = newNumber();
  const first = attemptAt(id, 'a');
  await numbers.enter(first, OLDEST);
  const other = attemptAt(id, 'b', 'other');
  expect(await numbers.enter(other, OLDEST)).toMatchObject({ kind: 'taken', orderId: first.orderId });
  expect(await numbers.leave(first, HOLDS_NOTHING)).toBeUndefined();
  expect(await numbers.enter(other, OLDEST)).toEqual({ kind: 'entered', orderId: other.orderId });
});

test('a new order does not get an old order id, whose time would hide it from searches', async () => {
  const [numbers] = replicas();
  const id = newNumber();
  const old = {
    ...attemptAt(id, 'a'),
    orderId: `${firstIdAt('ord', Date.now() - 7_200_000)}${newId('ord').slice(-16)}`,
  };
  await numbers.enter(old, '');
  const later = attemptAt(id, 'b');
  expect(await numbers.enter(later, OLDEST)).toBeUndefined();
  expect(await numbers.enter(later, OLDEST)).toEqual({ kind: 'entered', orderId: later.orderId });
});

test('the database deletes numbers that no attempt has entered for a quarter of an hour', async () => {
  await models.orderNumbers.createIndexes();
  const timed = (await models.orderNumbers.collection.indexes()).filter((index) => 'expireAfterSeconds' in index);
  expect(timed).toMatchObject([{ key: { changedAt: 1 }, expireAfterSeconds: 900 }]);
});
