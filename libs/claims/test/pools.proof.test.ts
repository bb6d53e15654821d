import { newId } from '@event-commerce/service-kit';
import type { OrderState } from '@event-commerce/contracts';
import fc from 'fast-check';
import type { mongo } from 'mongoose';
import { describe, expect, test } from 'vitest';
import { type Claim, keptIndex, type LedgerEntry, type PoolDocument, type Pools } from '../src/index.ts';
import { claimOn, hold, logger, tickets, useTicketPools, watched } from './ticket-pools.ts';

const { collections, countersOf, differences, ledgerOf, processOn } = useTicketPools();

describe('a contended pool', () => {
  test('is sold to the last place and never oversold, whatever quantities race for it in two processes', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 30, maxLength: 60 }),
        fc.integer({ min: 1, max: 60 }),
        async (quantities, limit) => {
          const id = newId('off');
          const processes = [processOn(), processOn()];
          const outcomes = await Promise.all(
            quantities.map(async (quantity, n) => {
              const pools = processes[n % 2] as Pools;
              return { quantity, outcome: await hold(pools, claimOn(id, { quantity }), tickets(id, limit)) };
            }),
          );
          const held = outcomes.filter(({ outcome }) => outcome.kind === 'held');
          const taken = held.reduce((sum, { quantity }) => sum + quantity, 0);
          expect(await countersOf(id)).toMatchObject({ claimed: taken, pending: held.length });
          expect(taken).toBeLessThanOrEqual(limit);
          // Every refused claim requested more than was left.
          for (const { quantity, outcome } of outcomes) {
            if (outcome.kind !== 'held') expect([outcome.kind, taken + quantity > limit]).toEqual(['full', true]);
          }
        },
      ),
      { numRuns: 8 },
    );
  });

  test('gives its last places to whoever accepts less: 200 buyers of 1 to 7 tickets get all 100, and never more', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 200, maxLength: 200 }), async (wanted) => {
        const id = newId('off');
        const processes = [processOn(), processOn(), processOn()];
        const granted = await Promise.all(
          wanted.map(async (quantity, n) => {
            const pools = processes[n % 3] as Pools;
            const claim = claimOn(id, { quantity, customerId: `c-${n}` });
            const outcome = await hold(pools, claim, tickets(id, 100), { atLeast: 1, customerLimit: 7 });
            if (outcome.kind !== 'held') return 0;
            // A copy of the order gets the same.
            const again = await hold(pools, { ...claim, id: newId('rdm'), quantity: 7 }, tickets(id, 100), {
              atLeast: 1,
            });
            expect(again.claim).toEqual(outcome.claim);
            expect(outcome.claim.quantity).toBeLessThanOrEqual(quantity);
            await pools.followOrder(outcome.claim, 'placed');
            return outcome.claim.quantity;
          }),
        );
        expect(granted.reduce((sum, quantity) => sum + quantity, 0)).toBe(100);
        // One buyer got what was left, and the others all or nothing.
        expect(granted.filter((quantity, n) => quantity > 0 && quantity < (wanted[n] ?? 0)).length).toBeLessThanOrEqual(
          1,
        );
        expect(await countersOf(id)).toEqual({ confirmed: 100, claimed: 100, pending: 0, transitions: 0 });
        expect(await differences()).toEqual([]);
      }),
      { numRuns: 3 },
    );
  });

  test('agrees with the ledger after claims are held, confirmed, cancelled, released and ended at once, in every order', async () => {
    const processes = [processOn(), processOn(), processOn()];
    const id = newId('off');
    const ended = await Promise.all(
      Array.from({ length: 120 }, async (_, n) => {
        const pools = processes[n % 3] as Pools;
        const other = processes[(n + 1) % 3] as Pools;
        const outcome = await hold(pools, claimOn(id), tickets(id, 60));
        if (outcome.kind !== 'held') return;
        const { claim } = outcome;
        const ways = [
          [() => pools.confirm(claim), () => other.confirm(claim)],
          [() => pools.confirm(claim), () => other.followOrder(claim, 'cancelled')],
          [() => pools.cancel(claim), () => other.cancel(claim)],
          [() => pools.followOrder(claim, 'void'), () => other.confirm(claim)],
          [
            () => pools.followOrder(claim, 'expired'),
            () => other.followOrder(claim, 'cancelled'),
            () => pools.confirm(claim),
          ],
          [() => pools.followOrder(claim, 'pending'), () => other.confirm(claim)],
          [
            () => pools.followOrder(claim, 'pending'),
            () => other.confirm(claim),
            () => pools.followOrder(claim, 'expired'),
          ],
          [
            () => pools.followOrder(claim, 'pending'),
            () => other.followOrder(claim, 'cancelled'),
            () => other.followOrder(claim, 'pending'),
          ],
          [() => pools.followOrder(claim, 'pending'), () => other.followOrder(claim, 'void')],
        ];
        await Promise.all((ways[n % ways.length] ?? []).map((way) => way()));
      }),
    );
    expect(ended).toHaveLength(120);
    expect(await countersOf(id)).toEqual(await ledgerOf(id));
    expect(await differences()).toEqual([]);
  });

  test('gives all copies of an order one claim, and ends each claim once, however many end at the same time', async () => {
    const orders = fc.array(fc.record({ copies: fc.integer({ min: 1, max: 4 }), isEnded: fc.boolean() }), {
      minLength: 1,
      maxLength: 30,
    });
    await fc.assert(
      fc.asyncProperty(orders, async (all) => {
        const id = newId('off');
        const processes = [processOn(), processOn()] as const;
        const held = await Promise.all(
          all.map(async ({ copies }) => {
            const orderId = newId('ord');
            const asked = Array.from({ length: copies }, async (_, n) =>
              hold(processes[n % 2 === 0 ? 0 : 1], claimOn(id, { orderId }), tickets(id, undefined)),
            );
            const claims = (await Promise.all(asked)).flatMap(({ claim }) => claim ?? []);
            expect(new Set(claims.map((claim) => claim.id)).size).toBe(1);
            return claims;
          }),
        );
        await Promise.all(
          held.flatMap((claims, n) =>
            all[n]?.isEnded === true
              ? claims.map(async (claim, c) => processes[c % 2 === 0 ? 0 : 1].cancel(claim))
              : [],
          ),
        );
        const left = all.filter(({ isEnded }) => !isEnded).length;
        expect(await countersOf(id)).toMatchObject({ claimed: left, pending: left });
      }),
      { numRuns: 15 },
    );
  });

  test('refuses claims under an older definition, and takes over a newer one that it does not know', async () => {
    const pools = processOn();
    const id = newId('off');
    const ask = async (limit: number, version: number) =>
      (await hold(pools, claimOn(id), tickets(id, limit, version))).kind;
    expect([await ask(1, 1), await ask(1, 1)]).toEqual(['held', 'full']);
    expect(await ask(5, 2)).toBe('held');
    expect(await ask(1, 1)).toBe('outdated');
    await pools.follow(tickets(id, 5, 4));
    expect(await ask(5, 2)).toBe('outdated');
    expect((await pools.find(id))?.definitionVersion).toBe(4);
  });

  test('refuses a definition whose parts were read at different times, and takes over one that is newer in one or both', async () => {
    const pools = processOn();
    const id = newId('off');
    const known = (limit: number, version: number, parentVersion: number) => ({
      ...tickets(id, limit, version),
      parentVersion,
    });
    const ask = async (limit: number, version: number, parentVersion: number) =>
      (await hold(pools, claimOn(id), known(limit, version, parentVersion))).kind;
    expect(await pools.follow(known(9, 1, 3))).toBe(true);
    expect(await pools.follow(known(1, 2, 3))).toBe(true);
    // The same sum of versions, one older and one newer than what the pool knows.
    expect([await ask(9, 1, 4), await ask(9, 3, 2), await ask(9, 1, 3)]).toEqual(['outdated', 'outdated', 'outdated']);
    expect([await pools.follow(known(9, 1, 4)), await pools.follow(known(9, 3, 2))]).toEqual([false, false]);
    expect([await ask(1, 2, 3), await ask(1, 2, 3)]).toEqual(['held', 'full']);
    const both = await Promise.all([pools.follow(known(9, 1, 9)), pools.follow(known(2, 2, 4))]);
    expect(both).toEqual([false, true]);
    expect([await ask(2, 2, 4), await ask(9, 2, 3)]).toEqual(['held', 'outdated']);
    expect(await pools.find(id)).toMatchObject({ definitionVersion: 2, parentVersion: 4, limit: 2 });
  });
});

test('each revision of an order has a claim of its own, in the pool and in the ledger, and its copies share that', async () => {
  const { pools: inPools, shares, ledger, poolField } = collections();
  const [keys, { unique, partialFilterExpression }] = keptIndex(poolField);
  await ledger.createIndex(
    keys as mongo.IndexSpecification,
    { unique, partialFilterExpression } as mongo.CreateIndexesOptions,
  );
  const id = newId('off');
  const orderId = newId('ord');
  const processes = [processOn(), processOn({ pools: inPools, shares, ledger, poolField })] as const;
  const ask = async (n: 0 | 1, revision?: number) =>
    await hold(processes[n], claimOn(id, { orderId, ...(revision === undefined ? {} : { revision }) }), tickets(id, 9));
  const revisions = [undefined, 1, 2];
  const held: Claim[] = [];
  for (const revision of revisions) {
    const [one, other] = await Promise.all([ask(0, revision), ask(1, revision)]);
    expect([one.kind, other.kind, other.claim]).toEqual(['held', 'held', one.claim]);
    if (one.claim !== undefined) held.push(one.claim);
  }
  expect(await countersOf(id)).toMatchObject({ claimed: 3, pending: 3 });
  const manual = claimOn(id, { orderId, settledBy: 'ledger' });
  expect((await processes[0].hold({ claim: manual, pool: tickets(id, 9) })).kind).toBe('changed');

  const lost = { ...held[1], id: newId('rdm') } as Claim;
  const placed = await Promise.all(held.map(async (claim) => processes[0].followOrder(claim, 'placed')));
  expect([placed, await processes[1].followOrder(lost, 'placed')]).toEqual([held.map(() => 'confirmed'), 'cancelled']);
  expect(await countersOf(id)).toEqual({ confirmed: 3, claimed: 3, pending: 0, transitions: 0 });
  expect(await Promise.all(revisions.map(async (revision) => (await ask(0, revision)).kind))).toEqual(
    revisions.map(() => 'confirmed'),
  );
});

test('a copy of a new order gets nothing beside a later revision of the order', async () => {
  const pools = processOn();
  const id = newId('off');
  const orderId = newId('ord');
  expect((await hold(pools, claimOn(id, { orderId, revision: 1 }), tickets(id, 5))).kind).toBe('held');
  expect((await hold(pools, claimOn(id, { orderId }), tickets(id, 5))).kind).toBe('later-revision');
  expect(await countersOf(id)).toMatchObject({ claimed: 1, pending: 1 });
});

test('only one of two claims for one order in a batch, one of them redeemed manually, is held', async () => {
  const pools = processOn();
  await Promise.all(
    Array.from({ length: 10 }, async () => {
      const id = newId('off');
      const orderId = newId('ord');
      const outcomes = await Promise.all(
        (['commerce', 'ledger'] as const).map((settledBy) =>
          pools.hold({ claim: claimOn(id, { orderId, settledBy }), pool: tickets(id, 5) }),
        ),
      );
      expect(outcomes.map(({ kind }) => kind).toSorted()).toEqual(['changed', 'held']);
      expect(await countersOf(id)).toMatchObject({ claimed: 1, pending: 1 });
    }),
  );
});

test('what a pending amendment adds to a placed order is held, and confirmed or released with the amendment', async () => {
  const pools = processOn();
  const id = newId('off');
  const [applied, ended] = [claimOn(id, { revision: 1 }), claimOn(id, { revision: 1 })];
  for (const claim of [applied, ended]) {
    expect((await hold(pools, claim, tickets(id, 5))).kind).toBe('held');
    expect(await pools.followOrder({ ...claim, held: true }, 'placed')).toBe('held');
  }
  expect(await countersOf(id)).toEqual({ confirmed: 0, claimed: 2, pending: 0, transitions: 0 });
  expect(await pools.followOrder(applied, 'placed')).toBe('confirmed');
  expect(await pools.followOrder({ ...ended, keeps: 0 }, 'placed')).toBe('released');
  // Earlier events arrive late.
  for (const claim of [applied, ended]) await pools.followOrder({ ...claim, held: true }, 'placed');
  expect(await countersOf(id)).toEqual({ confirmed: 1, claimed: 1, pending: 0, transitions: 0 });
});

test('orders that wait for days do not count towards the limit of pending claims', async () => {
  const pools = processOn();
  const id = newId('off');
  const waiting = await Promise.all(
    Array.from({ length: 30 }, async () => {
      const outcome = await hold(pools, claimOn(id), tickets(id, 30));
      if (outcome.kind === 'held') await pools.followOrder(outcome.claim, 'pending');
      return outcome.kind;
    }),
  );
  expect(new Set(waiting)).toEqual(new Set(['held']));
  expect(await countersOf(id)).toEqual({ confirmed: 0, claimed: 30, pending: 0, transitions: 0 });
  expect((await hold(pools, claimOn(id), tickets(id, 30))).kind).toBe('full');
});

test('the sweep asks about the orders of all held claims at once, and settles those whose orders are not waiting', async () => {
  const pools = processOn();
  const id = newId('off');
  const states: OrderState[] = ['pending', 'placed', 'cancelled', 'expired'];
  const stateOf = new Map<string, OrderState>();
  for (const state of states) {
    const outcome = await hold(pools, claimOn(id), tickets(id, 10));
    if (outcome.kind !== 'held') throw new Error('there is room for all');
    await pools.followOrder(outcome.claim, 'pending');
    stateOf.set(outcome.claim.orderId, state);
  }
  const asked: string[][] = [];
  const ended: (OrderState | undefined)[] = [];
  const sweep = processOn().sweep({
    ttlMs: 0,
    logger,
    waitingOf: async (orderIds) => {
      asked.push([...orderIds]);
      return new Set(orderIds.filter((orderId) => stateOf.get(orderId) === 'pending'));
    },
    end: async (claim) => {
      const state = stateOf.get(claim.orderId);
      ended.push(state);
      await pools.followOrder(claim, state ?? 'void');
    },
  });
  await sweep.run(new AbortController().signal);
  expect(asked.map((orderIds) => new Set(orderIds))).toEqual([new Set(stateOf.keys())]);
  expect(new Set(ended)).toEqual(new Set(['cancelled', 'expired', 'placed']));
  expect(ended).toHaveLength(3);
  expect(await countersOf(id)).toEqual({ confirmed: 1, claimed: 2, pending: 0, transitions: 0 });
  expect(await ledgerOf(id)).toEqual(await countersOf(id));
});

/** Claims of waiting orders in a pool, the shares of three customers and the ledger. */
async function heldClaims(count: number): Promise<Claim[]> {
  const { pools, shares, ledger } = collections();
  const poolId = newId('off');
  const claims = Array.from({ length: count }, (_, n) => claimOn(poolId, { customerId: `c${n % 3}` }));
  const counters = ({ companyId }: Claim, claimed: number): Omit<PoolDocument, '_id'> => ({
    companyId,
    claimed,
    pending: [],
    definitionVersion: 1,
    version: 1,
  });
  for (const [customerId, own] of Map.groupBy(claims, (claim) => claim.customerId)) {
    await shares?.insertOne({ _id: `${poolId}\n${customerId}`, ...counters(own[0] as Claim, own.length) });
  }
  await pools.insertOne({ _id: poolId, confirmed: 0, ...counters(claims[0] as Claim, count) });
  const entries = claims.map(({ id, poolId: ticketsOf, ...claim }): LedgerEntry => {
    const entry = { ...claim, _id: id, ticketsOf, status: 'held', created: new Date() } as const;
    return entry;
  });
  await ledger.insertMany(entries);
  return claims;
}

test('claims that end together share the writes of their pool, and each is counted once', async () => {
  const claims = await heldClaims(1_000);
  let writes = 0;
  const { pools, ...others } = collections();
  const counted = watched(pools, (operation, [operations]) => {
    if (operation === 'bulkWrite') writes += (operations as unknown[]).length;
    else if (operation !== 'findOne') writes += 1;
  });
  const process = processOn({ pools: counted, ...others });
  const ended = await Promise.all(claims.map((claim, n) => process.followOrder(claim, n < 500 ? 'placed' : 'expired')));
  expect(ended.map((status) => status === 'confirmed')).toEqual(claims.map((_, n) => n < 500));
  expect(writes).toBeLessThan(50);
  const poolId = claims[0]?.poolId ?? '';
  expect(await countersOf(poolId)).toEqual({ confirmed: 500, claimed: 500, pending: 0, transitions: 0 });
  expect(await ledgerOf(poolId)).toEqual(await countersOf(poolId));
  expect(await differences()).toEqual([]);
  expect(await collections().pools.findOne({ _id: poolId })).toMatchObject({ outbox: { length: 1_000 } });
});

test('claims that end together are counted once each, even if another process finishes some of them first', async () => {
  const claims = await heldClaims(40);
  const poolId = claims[0]?.poolId ?? '';
  const { pools, shares, ledger, poolField } = collections();
  const finished = Promise.withResolvers<void>();
  /** Whether a write counts transitions: such a write removes their notes. */
  const counts = (args: readonly unknown[]) =>
    /"\$inc":\{"claimed":.*"\$pull":\{"transitions"/.test(JSON.stringify(args));
  const late = <T extends object>(collection: T): T =>
    watched(collection, async (_operation, args) => (counts(args) ? finished.promise : undefined));
  const slow = processOn({ pools: late(pools), shares: shares && late(shares), ledger, poolField });
  const ending = Promise.all(claims.map((claim, n) => slow.followOrder(claim, n % 4 === 0 ? 'placed' : 'expired')));
  await expect.poll(() => ledger.countDocuments({ ticketsOf: poolId, status: 'held' })).toBe(0);

  // The other process sees half of the claims.
  const seen = new Set(claims.filter((_, n) => n % 8 < 4).map(({ id }) => id));
  const half = watched(ledger, (_operation, [filter]) => {
    const { _id } = filter as { _id?: string };
    if (_id !== undefined && !seen.has(_id)) throw new Error('the claim is not shown');
  });
  const sweep = processOn({ pools, shares, ledger: half, poolField }).sweep({ ttlMs: 0, logger, end: async () => {} });
  await sweep.run(new AbortController().signal);
  expect(await countersOf(poolId)).toMatchObject({ confirmed: 5, claimed: 25, transitions: 20 });
  finished.resolve();
  await ending;
  expect(await countersOf(poolId)).toEqual({ confirmed: 10, claimed: 10, pending: 0, transitions: 0 });
  expect(await differences()).toEqual([]);
});

test('a transition that is noted twice, or after another one, is counted once', async () => {
  const pools = processOn();
  await Promise.all(
    Array.from({ length: 40 }, async (_, n) => {
      const id = newId('off');
      const outcome = await hold(pools, claimOn(id), tickets(id, 1));
      if (outcome.kind !== 'held') throw new Error('there is room for one');
      const { claim } = outcome;
      await pools.followOrder(claim, 'pending');
      const events: OrderState[] = [
        'placed',
        'placed',
        'pending',
        ...(n % 2 === 0 ? (['expired', 'expired'] as const) : []),
      ];
      await Promise.all(events.map(async (state) => processOn().followOrder(claim, state)));
      const placed = n % 2 === 0 ? 0 : 1;
      expect(await countersOf(id)).toEqual({ confirmed: placed, claimed: placed, pending: 0, transitions: 0 });
    }),
  );
  expect(await differences()).toEqual([]);
});
