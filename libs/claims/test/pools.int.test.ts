import { newId } from '@event-commerce/service-kit';
import type { OrderState } from '@event-commerce/contracts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Pools } from '../src/index.ts';
import { claimOn, hold, logger, tickets, useTicketPools } from './ticket-pools.ts';

const { countersOf, differences, ledgerOf, processOn } = useTicketPools();

describe('a pool that everybody wants', () => {
  test('is sold out to the last place and never oversold, whatever quantities race for it in two processes', async () => {
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
          // Whoever was refused wanted more than was left.
          for (const { quantity, outcome } of outcomes) {
            if (outcome.kind !== 'held') expect([outcome.kind, taken + quantity > limit]).toEqual(['full', true]);
          }
        },
      ),
      { numRuns: 8 },
    );
  });

  test('counts what the ledger says after claims are held, confirmed, cancelled, released and ended at once, in every order', async () => {
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

  test('gives all copies of an order one claim, and ends claims once, however many are ended at once', async () => {
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

  test('refuses whoever knows an older definition, and takes over one that it has not heard of', async () => {
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

  test('refuses a definition whose parts were read at different times, and takes over one that is later in both or one', async () => {
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
    // The same sum of versions, one earlier and one later than what the pool knows.
    expect([await ask(9, 1, 4), await ask(9, 3, 2), await ask(9, 1, 3)]).toEqual(['outdated', 'outdated', 'outdated']);
    expect([await pools.follow(known(9, 1, 4)), await pools.follow(known(9, 3, 2))]).toEqual([false, false]);
    expect([await ask(1, 2, 3), await ask(1, 2, 3)]).toEqual(['held', 'full']);
    const both = await Promise.all([pools.follow(known(9, 1, 9)), pools.follow(known(2, 2, 4))]);
    expect(both).toEqual([false, true]);
    expect([await ask(2, 2, 4), await ask(9, 2, 3)]).toEqual(['held', 'outdated']);
    expect(await pools.find(id)).toMatchObject({ definitionVersion: 2, parentVersion: 4, limit: 2 });
  });
});

test('a reopening of an order does not get the claim of an earlier one: that may lapse with its number', async () => {
  const pools = processOn();
  const id = newId('off');
  const orderId = newId('ord');
  const ask = async (reopening: number) =>
    (await hold(pools, claimOn(id, { orderId, reopening }), tickets(id, 5))).kind;
  expect(await ask(2)).toBe('held');
  expect(await ask(3)).toBe('earlier-reopening');
  expect(await ask(1)).toBe('later-reopening');
  expect(await ask(2)).toBe('held');
  expect(await countersOf(id)).toMatchObject({ claimed: 1, pending: 1 });
});

test('of two claims for one order, one of them redeemed manually, that come in one batch, one is held', async () => {
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

test('orders that wait for days take no room from those that are being placed', async () => {
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
  expect(await countersOf(id)).toEqual({ confirmed: 0, claimed: 30, pending: 0, moving: 0 });
  expect((await hold(pools, claimOn(id), tickets(id, 30))).kind).toBe('full');
});

test('the sweep settles held claims whose orders have moved on without telling, and leaves those whose orders wait', async () => {
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
  const sweep = processOn().sweep({
    ttlMs: 0,
    logger,
    end: async (claim) => void (await pools.followOrder(claim, stateOf.get(claim.orderId) ?? 'void')),
  });
  await sweep.run(new AbortController().signal);
  expect(await countersOf(id)).toEqual({ confirmed: 1, claimed: 2, pending: 0, moving: 0 });
  expect(await ledgerOf(id)).toEqual(await countersOf(id));
});

test('a move that is noted twice, or after another one, is counted once', async () => {
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
      expect(await countersOf(id)).toEqual({ confirmed: placed, claimed: placed, pending: 0, moving: 0 });
    }),
  );
  expect(await differences()).toEqual([]);
});
