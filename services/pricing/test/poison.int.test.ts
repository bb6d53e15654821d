import { randomUUID } from 'node:crypto';
import { connectBus } from '@event-commerce/bus';
import { connectMongo, createLogger, newId } from '@event-commerce/service-kit';
import { hostileMembers, liveTenant } from '@event-commerce/test-kit';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { natsUrlOfThisFile } from '@event-commerce/test-kit/nats-url';
import { openChangeFeed } from '../src/store/change-feed.ts';
import { type Change, changeLogRepository } from '../src/store/change-log.repository.ts';
import { couponStateRepository } from '../src/store/coupon-state.repository.ts';
import { customerUsageRepository } from '../src/store/customer-usage.repository.ts';
import { type PricingModels, pricingModels } from '../src/store/models.ts';
import { redemptionRepository } from '../src/store/redemption.repository.ts';
import { type HeldClaim } from '../src/store/usage-record.ts';
import { usageRepository } from '../src/store/usage.repository.ts';

let mongo: Awaited<ReturnType<typeof connectMongo>>;
let models: PricingModels;
let store: ReturnType<typeof storeOf>;
beforeAll(async () => {
  mongo = await connectMongo(inject('mongoUrl'), { dbName: `t${randomUUID().slice(0, 8)}`, appName: 'test' });
  models = pricingModels(mongo);
  await Promise.all(Object.values(models).map((model) => model.createIndexes()));
  store = storeOf();
});
afterAll(async () => {
  await mongo.dropDatabase();
  await mongo.close();
});

function storeOf() {
  const customers = customerUsageRepository(models);
  const usage = usageRepository(models, customers, { publish: () => {}, stop: async () => {} });
  return { usage, redemptions: redemptionRepository(models, usage, customers), states: couponStateRepository(models) };
}

const tenant = liveTenant('company-1');
const UNDER = { version: 1, maxRedemptions: 10 };

async function adjustment(): Promise<string> {
  const id = newId('adj');
  await store.usage.follow(tenant, { id, version: 1, origin: 'rule' });
  return id;
}

const claimOn = (adjustmentId: string, change: Record<string, unknown> = {}): HeldClaim => ({
  id: newId('rdm'),
  adjustmentId,
  companyId: tenant,
  orderId: newId('ord'),
  key: randomUUID(),
  quantity: 1,
  perCustomer: false,
  settledBy: 'commerce',
  attempts: ['a'],
  ...change,
});

/** What each of `good` answers when each hostile item runs among them. */
async function amid<T>(good: (() => Promise<T>)[], hostile: (() => Promise<unknown>)[]): Promise<T[]> {
  const running = good.map((run, n) => [hostile[n]?.().catch(() => undefined), run()] as const);
  const rest = hostile.slice(good.length).map(async (run) => run().catch(() => undefined));
  await Promise.all([...running.map(([one]) => one), ...rest]);
  return await Promise.all(running.map(([, one]) => one));
}

// Where a claim comes from nothing of this gets through; a batch does not rely on it.
const hostile = Object.entries({ ...hostileMembers(), 'a lone surrogate': '\ud800', 'a NUL': 'a\u0000b' });

describe.each(hostile)('beside a claim that holds %s', (what, member) => {
  test('claims are held, shared, settled, counted and released as if it were not there', async () => {
    const ids = await Promise.all(Array.from({ length: 4 }, adjustment));
    const good = ids.flatMap((id) =>
      Array.from({ length: 10 }, () => claimOn(id, { customerId: 'c1', perCustomer: true })),
    );
    const names = ['id', 'orderId', 'key', 'customerId', 'code', 'content', 'adjustmentId', 'quantity'];
    const bad = (what.startsWith('more') ? ['code'] : names).map((name) =>
      claimOn(ids[0] ?? '', { perCustomer: true, [name]: member }),
    );
    const now = new Date();
    const hostileAttempt: any = member;

    const held = await amid(
      good.map((claim) => () => store.usage.hold({ claim, under: UNDER })),
      bad.map((claim) => () => store.usage.hold({ claim, under: { version: 1, maxRedemptions: undefined } })),
    );
    // What a hostile claim took, it took as any claim would: nobody was told of a place that is not there.
    for (const id of ids) {
      const usage = await models.usages.findById(id).lean();
      const admitted = good.filter((one, n) => one.adjustmentId === id && held[n]?.held);
      expect(usage?.pending.filter(({ id: pending }) => admitted.some((one) => one.id === pending))).toHaveLength(
        admitted.length,
      );
      if (id !== ids[0]) expect(admitted).toHaveLength(10);
    }
    const standing = good.filter((_, n) => held[n]?.held);

    const joined = await amid(
      standing.map((claim) => () => store.usage.join({ claim, attempt: 'b' })),
      bad.map((claim) => () => store.usage.join({ claim, attempt: hostileAttempt })),
    );
    expect(new Set(joined)).toEqual(new Set([true]));

    const endings = await amid(
      standing.map((claim) => () => store.redemptions.settle({ claim, status: 'confirmed', now })),
      bad.map((claim) => () => store.redemptions.settle({ claim, status: 'confirmed', now })),
    );
    expect(new Set(endings)).toEqual(new Set(['confirmed']));

    await amid(
      standing.map((claim) => () => store.usage.countConfirmed({ claim, now })),
      bad.map((claim) => () => store.usage.countConfirmed({ claim, now })),
    );
    for (const id of ids.slice(1)) {
      expect(await models.usages.findById(id).lean()).toMatchObject({ confirmed: 10, claimed: 10, pending: [] });
    }
    await Promise.all(standing.slice(-3).map((claim) => store.redemptions.release(claim, now)));
    expect(await models.usages.findById(ids[3]).lean()).toMatchObject({ confirmed: 7, claimed: 7 });
  }, 60_000);
});

test('how often adjustments are claimed is told whatever else is asked for at that moment', async () => {
  const ids = await Promise.all(Array.from({ length: 10 }, adjustment));
  await Promise.all(ids.map((id) => store.usage.hold({ claim: claimOn(id), under: UNDER })));
  const asked = await amid(
    ids.map((id) => () => store.usage.claimedOf([id])),
    hostile.map(
      ([, member]) =>
        () =>
          store.usage.claimedOf([member]),
    ),
  );
  expect(asked.map((claimed, n) => claimed.get(ids[n] ?? ''))).toEqual(ids.map(() => 1));
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

  test('of a coupon that was not known', async () => {
    for (let round = 0; round < 60; round++) {
      const id = newId('cpn');
      const state = { id, companyId: 'company-1', enabled: true, offeringIds: [], contextIds: [] };
      await Promise.all(versions.map((version) => store.states.keepNewest(tenant, { ...state, version })));
      expect((await store.states.find(id))?.version).toBe(12);
    }
  });

  test('of an adjustment that was never claimed', async () => {
    for (let round = 0; round < 60; round++) {
      const id = newId('adj');
      const record = { id, origin: 'rule' as const };
      await Promise.all(versions.map((version) => store.usage.follow(tenant, { ...record, version })));
      expect((await store.usage.find(id))?.definitionVersion).toBe(12);
    }
  });
});

describe('redemptions that are given back', () => {
  const under = { version: 1, maxRedemptions: undefined };
  const now = new Date();

  async function redeemed(id: string, count: number): Promise<HeldClaim[]> {
    const claims = Array.from({ length: count }, () => claimOn(id));
    await Promise.all(claims.map((claim) => store.usage.hold({ claim, under })));
    await Promise.all(claims.map((claim) => store.redemptions.settle({ claim, status: 'confirmed', now })));
    await Promise.all(claims.map((claim) => store.usage.countConfirmed({ claim, now })));
    return claims;
  }
  const usageOf = async (id: string) => await models.usages.findById(id).lean();

  test('leave the counters once each, however many give them back, while others claim without a pause', async () => {
    const id = await adjustment();
    const claims = await redeemed(id, 20);
    // Other processes: each writes by itself.
    const others = Array.from({ length: 4 }, storeOf);
    let over = false;
    let claimed = 0;
    const claiming = Promise.all(
      others.map(async ({ usage }) => {
        while (!over) if ((await usage.hold({ claim: claimOn(id), under }))?.held) claimed += 1;
      }),
    );
    const startedMs = performance.now();
    const givenBack = await Promise.all(
      [...claims, ...claims, ...claims].map(async (claim, n) => others[n % 4]?.redemptions.release(claim, now)),
    );
    const tookMs = performance.now() - startedMs;
    over = true;
    await claiming;
    expect(givenBack.filter(Boolean)).toHaveLength(20);
    expect(await usageOf(id)).toMatchObject({ confirmed: 0, claimed, releasing: [] });
    expect(tookMs).toBeLessThan(20_000);
  }, 60_000);

  test.each(['before the ledger says so', 'before the counters say so'])(
    'by a process that was killed %s, leave the counters once',
    async (killed) => {
      const id = await adjustment();
      const [claim] = (await redeemed(id, 3)) as [HeldClaim];
      await store.usage.beginRelease(claim, 'dead');
      if (killed.includes('counters')) {
        const change = { $set: { status: 'released', releasedBy: 'dead' } };
        await models.redemptions.collection.updateOne({ _id: claim.id } as never, change);
      }
      const begun = (await store.usage.releasing(undefined)).found.filter(({ adjustmentId }) => adjustmentId === id);
      expect(begun).toEqual([{ id: 'dead', redemptionId: claim.id, by: 'dead', adjustmentId: id, companyId: tenant }]);
      // Whoever ends it, at once and again, and somebody who gives it back at that moment.
      await Promise.all([
        ...Array.from({ length: 5 }, () => store.redemptions.endRelease(tenant, { ...claim, by: 'dead' }, now)),
        ...Array.from({ length: 5 }, () => store.redemptions.release(claim, now)),
      ]);
      await store.redemptions.endRelease(tenant, { ...claim, by: 'dead' }, now);
      expect(await usageOf(id)).toMatchObject({ confirmed: 2, claimed: 2, releasing: [] });
    },
  );
});
