import { randomUUID } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { type Claim, type Tenant } from '@event-commerce/contracts';
import { connectMongo, createLogger, newId } from '@event-commerce/service-kit';
import { liveTenant } from '@event-commerce/test-kit';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { customerUsageRepository } from '../src/store/customer-usage.repository.ts';
import { type PricingModels, pricingModels } from '../src/store/models.ts';
import { redemptionRepository } from '../src/store/redemption.repository.ts';
import type { HeldClaim } from '../src/store/usage-record.ts';
import { usageRepository } from '../src/store/usage.repository.ts';
import { toHeld } from '../src/use-cases/claim-redemptions.ts';
import { confirmClaims, releaseClaims, type SettleDeps } from '../src/use-cases/settle-claims.ts';

// Claims that are confirmed and given back by several replicas at once, as events come again and processes are killed.

let mongo: Awaited<ReturnType<typeof connectMongo>>;
let models: PricingModels;
let replicas: SettleDeps[];
beforeAll(async () => {
  mongo = await connectMongo(inject('mongoUrl'), { dbName: `t${randomUUID().slice(0, 8)}`, appName: 'test' });
  models = pricingModels(mongo);
  await Promise.all(Object.values(models).map((model) => model.createIndexes()));
  replicas = [replica(), replica()];
});
afterAll(async () => {
  await mongo.dropDatabase();
  await mongo.close();
});

function replica(over: PricingModels = models): SettleDeps {
  const customers = customerUsageRepository(over);
  const usage = usageRepository(over, customers, { publish: () => {}, stop: async () => {} });
  const redemptions = redemptionRepository(over, usage, customers);
  return { usage, redemptions, clock: () => new Date(), logger: createLogger({ service: 'test', level: 'silent' }) };
}

const tenant: Tenant = liveTenant('company-1');
const [first, second] = [0, 1].map((n) => () => replicas[n] as SettleDeps) as [() => SettleDeps, () => SettleDeps];

/** An order whose one claim is pending. */
async function claimedOrder() {
  const adjustmentId = newId('adj');
  await first().usage.follow(tenant, { id: adjustmentId, version: 1, origin: 'rule' });
  const claim: Claim = { redemptionId: newId('rdm'), adjustmentId, quantity: 1, perCustomer: false, key: randomUUID() };
  const order = { tenant, id: newId('ord'), claims: [claim] };
  const held: HeldClaim = { ...toHeld(tenant, order.id, claim), attempts: ['a'] };
  expect(await first().usage.hold({ claim: held, under: { version: 1, maxRedemptions: 5 } })).toMatchObject({
    held: true,
  });
  return { order, held, adjustmentId };
}

async function countersOf(adjustmentId: string) {
  const { confirmed, claimed, pending, releasing = [] } = (await models.usages.findById(adjustmentId).lean()) ?? {};
  return { confirmed, claimed, pending: pending?.length, releasing: releasing.length };
}
const NOTHING_LEFT = { confirmed: 0, claimed: 0, pending: 0, releasing: 0 };

test('a redemption leaves the counters once when its confirmation comes again while it is given back', async () => {
  const { order, held, adjustmentId } = await claimedOrder();
  // Killed before it was counted.
  await first().redemptions.settle({ claim: held, status: 'confirmed', now: new Date() });
  // Killed when the ledger had it, before the counters had.
  const by = randomUUID();
  await first().usage.beginRelease(held, by);
  const released = { $set: { status: 'released', releasedBy: by } };
  await models.redemptions.collection.updateOne({ _id: held.id } as never, released);

  await confirmClaims(second(), order);
  await second().redemptions.endRelease(tenant, { id: held.id, by, adjustmentId }, new Date());
  expect(await countersOf(adjustmentId)).toEqual(NOTHING_LEFT);
});

test('orders that are confirmed and cancelled at once, again and again, leave nothing in the counters', async () => {
  const rounds = Array.from({ length: 60 }, async (_, round) => {
    const { order, adjustmentId } = await claimedOrder();
    const later = async (turns: number, run: () => Promise<void>) => {
      for (let n = 0; n < turns; n++) await turn();
      await run();
    };
    await Promise.all([
      later(0, () => confirmClaims(first(), order)),
      later(round % 7, () => releaseClaims(second(), order)),
      later(round % 11, () => confirmClaims(second(), order)),
      later(round % 13, () => releaseClaims(first(), order)),
    ]);
    return await countersOf(adjustmentId);
  });
  expect(await Promise.all(rounds)).toEqual(rounds.map(() => NOTHING_LEFT));
});

test('a claim whose entry the ledger refuses without showing why has no ending yet', async () => {
  const connection = mongo.useDb(`t${randomUUID().slice(0, 8)}`);
  const over = pricingModels(connection);
  // Refuses a second entry, as a member does that knows of one and cannot show it yet.
  await over.redemptions.collection.createIndex({ companyId: 1 }, { unique: true });
  const { redemptions } = replica(over);
  const ending = () => ({
    claim: {
      ...toHeld(tenant, newId('ord'), {
        redemptionId: newId('rdm'),
        adjustmentId: 'adj_1',
        quantity: 1,
        perCustomer: false,
      }),
    },
    status: 'confirmed' as const,
    now: new Date(),
  });
  try {
    expect(await redemptions.settle(ending())).toBe('confirmed');
    await expect(redemptions.settle(ending())).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  } finally {
    await connection.dropDatabase();
  }
});
