import { connectBus } from '@event-commerce/bus';
import type { Claim } from '@event-commerce/claims';
import type { Relay } from '@event-commerce/outbox';
import { createLogger, newId } from '@event-commerce/service-kit';
import { hostileMembers, liveTenant, newDatabase } from '@event-commerce/test-kit';
import { natsUrlOfThisFile } from '@event-commerce/test-kit/nats-url';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { openChangeFeed } from '../src/snapshot/change-feed.ts';
import { type Change, changeLogRepository } from '../src/snapshot/change-log.repository.ts';
import { couponStateRepository } from '../src/adjustments/coupon-state.repository.ts';
import { type PricingModels, pricingModels, type UsageDocument } from '../src/models.ts';
import { redemptionPools } from '../src/redemptions/redemption-pools.ts';
import { createOrderRedemptions } from '../src/redemptions/order-redemptions.ts';

let models: PricingModels;
let store: ReturnType<typeof storeOf>;
beforeAll(async () => {
  const { connection, drop } = await newDatabase(inject('mongoUrl'));
  models = pricingModels(connection);
  await Promise.all(Object.values(models).map((model) => model.createIndexes()));
  store = storeOf();
  return drop;
});

function storeOf() {
  const relay: Relay<UsageDocument> = { publish: () => {}, stop: async () => {} };
  return { pools: redemptionPools(models, relay, () => new Date()), states: couponStateRepository(models) };
}

const tenant = liveTenant('company-1');
const poolOf = (id: string, limit: number | undefined = 10, version = 1) => ({
  id,
  companyId: tenant,
  version,
  limit,
  about: { origin: 'rule' },
});

async function adjustment(): Promise<string> {
  const id = newId('adj');
  await store.pools.follow(poolOf(id));
  return id;
}

const claimOn = (poolId: string, change: Record<string, unknown> = {}): Claim => ({
  id: newId('rdm'),
  poolId,
  companyId: tenant,
  orderId: newId('ord'),
  quantity: 1,
  status: 'pending',
  settledBy: 'commerce',
  ...change,
});

/** Holds a claim, and returns whether that succeeded. */
const hold = async (claim: Claim, limit: number | undefined = 10, { pools } = store) =>
  await pools.hold({ claim, pool: poolOf(claim.poolId, limit) });

/** The answers to `good` when each hostile item runs among them. */
async function amid<T>(good: (() => Promise<T>)[], hostile: (() => Promise<unknown>)[]): Promise<T[]> {
  const running = good.map((run, n) => [hostile[n]?.().catch(() => undefined), run()] as const);
  const rest = hostile.slice(good.length).map(async (run) => run().catch(() => undefined));
  await Promise.all([...running.map(([one]) => one), ...rest]);
  return await Promise.all(running.map(([, one]) => one));
}

// Callers never let any of this through, but a batch does not rely on that.
const hostile = Object.entries({ ...hostileMembers(), 'a lone surrogate': '\ud800', 'a NUL': 'a\u0000b' });

describe.each(hostile)('beside a claim that holds %s', (what, member) => {
  test('other claims are held, shared, settled, counted and released normally', async () => {
    const ids = await Promise.all(Array.from({ length: 4 }, adjustment));
    const good = ids.flatMap((id) => Array.from({ length: 10 }, () => claimOn(id, { customerId: 'c1' })));
    const names = ['id', 'orderId', 'customerId', 'code', 'poolId', 'quantity'];
    const bad = (what.startsWith('more') ? ['code'] : names).map((name) => claimOn(ids[0] ?? '', { [name]: member }));

    const held = await amid(
      good.map((claim) => () => hold(claim)),
      bad.map((claim) => () => hold(claim, undefined)),
    );
    // A hostile claim took its place as any claim would: no answer promised a place that does not exist.
    for (const id of ids) {
      const usage = await models.usages.findById(id).lean();
      const admitted = good.filter((one, n) => one.poolId === id && held[n]?.kind === 'held');
      expect(usage?.pending.filter(({ id: pending }) => admitted.some((one) => one.id === pending))).toHaveLength(
        admitted.length,
      );
      if (id !== ids[0]) expect(admitted).toHaveLength(10);
    }
    const standing = good.filter((_, n) => held[n]?.kind === 'held');

    // A copy of the order claims with another id, and gets the same claim.
    const copyOf = (claim: Claim): Claim => ({ ...claim, id: newId('rdm') });
    const joined = await amid(
      standing.map((claim) => () => hold(copyOf(claim))),
      bad.map((claim) => () => hold(copyOf(claim))),
    );
    expect(joined.map((outcome) => outcome.kind === 'held' && outcome.claim.id)).toEqual(standing.map(({ id }) => id));

    const endings = await amid(
      standing.map((claim) => () => store.pools.confirm(claim)),
      bad.map((claim) => () => store.pools.confirm(claim)),
    );
    expect(new Set(endings)).toEqual(new Set(['confirmed']));
    for (const id of ids.slice(1)) {
      expect(await models.usages.findById(id).lean()).toMatchObject({ confirmed: 10, claimed: 10, pending: [] });
    }
    await Promise.all(standing.slice(-3).map((claim) => store.pools.followOrder(claim, 'cancelled')));
    expect(await models.usages.findById(ids[3]).lean()).toMatchObject({ confirmed: 7, claimed: 7 });
  });
});

test('the number of claims is returned whatever else is requested at that moment', async () => {
  const ids = await Promise.all(Array.from({ length: 10 }, adjustment));
  await Promise.all(ids.map((id) => hold(claimOn(id))));
  const asked = await amid(
    ids.map((id) => () => store.pools.countsOf([id])),
    hostile.map(
      ([, member]) =>
        () =>
          store.pools.countsOf([member]),
    ),
  );
  expect(asked.map((claimed, n) => claimed.get(ids[n] ?? '')?.claimed)).toEqual(ids.map(() => 1));
});

test('a change is announced whatever else is announced at that moment', async () => {
  const logger = createLogger({ service: 'test', level: 'silent' });
  const bus = await connectBus({ url: natsUrlOfThisFile(), name: 'test', logger });
  const noted = new Set<string>();
  const follower = { note: (changes: readonly Change[]) => changes.forEach(({ id }) => noted.add(id)), forgetAll() {} };
  const feed = await openChangeFeed(changeLogRepository(models), bus, logger, follower);
  try {
    const changes = Array.from({ length: 40 }, () => ({ tenant, id: newId('adj'), version: 1 }));
    await amid(
      changes.map((change) => () => feed.announce(change)),
      hostile.flatMap(([, member]) => [
        () => feed.announce({ tenant, id: member, version: 1 }),
        () => feed.announce({ tenant, id: newId('adj'), version: member as never }),
      ]),
    );
    expect(changes.filter(({ id }) => !noted.has(id))).toEqual([]);
  } finally {
    await feed.close();
    await bus.close();
  }
});

describe('of versions that arrive at once, the newest is kept', () => {
  const versions = Array.from({ length: 12 }, (_, n) => n + 1);

  test('for an unknown coupon', async () => {
    for (let round = 0; round < 60; round++) {
      const id = newId('cpn');
      const state = { id, companyId: 'company-1' };
      await Promise.all(versions.map((version) => store.states.keepNewest(tenant, { ...state, version })));
      expect((await store.states.find(tenant, id))?.version).toBe(12);
    }
  });

  test('for an adjustment that was never claimed', async () => {
    for (let round = 0; round < 60; round++) {
      const id = newId('adj');
      await Promise.all(versions.map((version) => store.pools.follow(poolOf(id, 10, version))));
      expect((await store.pools.find(id))?.definitionVersion).toBe(12);
    }
  });
});

describe('redemptions that are released', () => {
  async function redeemed(id: string, count: number): Promise<Claim[]> {
    const claims = Array.from({ length: count }, () => claimOn(id));
    await Promise.all(claims.map((claim) => hold(claim, Infinity)));
    await Promise.all(claims.map((claim) => store.pools.confirm(claim)));
    return claims;
  }
  const usageOf = async (id: string) => await models.usages.findById(id).lean();

  test('leave the counters once each, however often they are released, while others keep claiming', async () => {
    const id = await adjustment();
    const claims = await redeemed(id, 20);
    // Other processes: each writes by itself.
    const others = Array.from({ length: 4 }, storeOf);
    let over = false;
    let claimed = 0;
    const claiming = Promise.all(
      others.map(async (other) => {
        while (!over) if ((await hold(claimOn(id), Infinity, other)).kind === 'held') claimed += 1;
      }),
    );
    const startedMs = performance.now();
    await Promise.all([...claims, ...claims, ...claims].map(async (claim, n) => others[n % 4]?.pools.release(claim)));
    const tookMs = performance.now() - startedMs;
    over = true;
    await claiming;
    expect(await usageOf(id)).toMatchObject({ confirmed: 0, claimed, transitions: [] });
    expect(tookMs).toBeLessThan(20_000);
  });

  test.each(['before the ledger says so', 'before the counters say so'])(
    'by a process that was killed %s, leave the counters once',
    async (killed) => {
      const id = await adjustment();
      const [claim] = (await redeemed(id, 3)) as [Claim];
      const [from, to] = ['confirmed', 'released'].map((status) => ({ status, quantity: claim.quantity }));
      const note = { $push: { transitions: { id: claim.id, by: 'dead', from, to } } };
      await models.usages.updateOne({ _id: id }, note);
      if (killed.includes('counters')) {
        const steps = [{ by: 'dead', claimed: -claim.quantity, confirmed: -claim.quantity }];
        await models.redemptions.updateOne({ _id: claim.id }, { $set: { status: 'released', steps } });
      }
      // The event handler, twice at once, and a concurrent manual release.
      const settleOrder = async () => ({ outcome: 'void' as const });
      const logger = createLogger({ service: 'test', level: 'silent' });
      const { signal } = new AbortController();
      const sweeps = Array.from({ length: 6 }, () =>
        createOrderRedemptions({
          pools: storeOf().pools,
          logger,
          settleOrder,
          waitingOrders: async () => new Set(),
        }).sweep({ ttlMs: 0 }),
      );
      await Promise.all([
        ...sweeps.slice(1).map(async (sweep) => sweep.run(signal)),
        ...Array.from({ length: 5 }, () => store.pools.release(claim)),
      ]);
      await sweeps[0]?.run(signal);
      expect(await usageOf(id)).toMatchObject({ confirmed: 2, claimed: 2, transitions: [] });
    },
  );
});
