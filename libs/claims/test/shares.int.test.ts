import { newId } from '@event-commerce/service-kit';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { eraseFromPools, type HoldRequest, type Pools } from '../src/index.ts';
import { claimOn, tickets, useTicketPools, watched } from './ticket-pools.ts';

const { collections, countersOf, differences, processOn } = useTicketPools();

/** The shares, with all writes delayed until `time`. */
const writingAfter = (time: Promise<void>) => {
  const { shares } = collections();
  return shares && watched(shares, async (operation) => (operation === 'findOne' ? undefined : time));
};

const ask = (id: string, version: number, limit: number) => ({
  claim: claimOn(id, { customerId: 'c1' }),
  pool: tickets(id, undefined, version),
  customerLimit: limit,
});

/** Holds a claim like an order that ends if it is refused: commerce then releases what it holds. */
async function tryHold(pools: Pools, request: HoldRequest) {
  const { kind, claim } = await pools.hold(request);
  if (kind !== 'held' && claim !== undefined) await pools.cancel(claim);
  return kind;
}

test("a customer's old limit admits nothing more once the new one has admitted a claim", async () => {
  const id = newId('off');
  const change = Promise.withResolvers<void>();
  const slow = processOn({ ...collections(), shares: writingAfter(change.promise) });
  const quick = processOn();
  const early = tryHold(slow, ask(id, 2, 5));
  await expect.poll(() => countersOf(id)).toMatchObject({ claimed: 1 });
  await quick.follow(tickets(id, undefined, 3));
  expect((await quick.hold(ask(id, 3, 1))).kind).toBe('held');
  change.resolve();
  expect(await early).toBe('outdated');
  expect(await countersOf(id)).toMatchObject({ claimed: 1, pending: 1 });
  expect(await tryHold(quick, ask(id, 3, 1))).toBe('share-full');
  expect(await differences()).toEqual([]);
});

test('a copy of an order with an older limit does not rely on the claim of a copy with the newer one', async () => {
  const id = newId('off');
  const order = { orderId: newId('ord') };
  const change = Promise.withResolvers<void>();
  const [slow, quick] = [processOn({ ...collections(), shares: writingAfter(change.promise) }), processOn()];
  const knowing = (version: number, limit: number) => {
    const asked = ask(id, version, limit);
    return { ...asked, claim: { ...asked.claim, ...order } };
  };
  await quick.follow(tickets(id, undefined, 3));
  const newer = tryHold(slow, knowing(3, 0));
  await expect.poll(() => countersOf(id)).toMatchObject({ claimed: 1 });
  expect((await quick.hold(knowing(2, 5))).kind).toBe('outdated');
  change.resolve();
  expect(await newer).toBe('share-full');
  expect(await differences()).toEqual([]);
});

test('a copy with an older limit is outdated, even if it arrives together with one with the newer limit', async () => {
  const id = newId('off');
  const order = { orderId: newId('ord') };
  const pools = processOn();
  const knowing = async (version: number, limit: number) => {
    const asked = ask(id, version, limit);
    return await tryHold(pools, { ...asked, claim: { ...asked.claim, ...order } });
  };
  expect((await pools.hold(ask(id, 2, 5))).kind).toBe('held');
  await pools.follow(tickets(id, undefined, 3));
  const asked = ask(id, 3, 1);
  // The other two wait together while this one is being written.
  const first = pools.hold({ ...asked, claim: { ...asked.claim, customerId: 'c2' } });
  expect(await Promise.all([knowing(3, 1), knowing(2, 5)])).toEqual(['share-full', 'outdated']);
  expect((await first).kind).toBe('held');
  expect(await countersOf(id)).toMatchObject({ claimed: 2 });
  expect(await differences()).toEqual([]);
});

test('a share does not grow with what its customer takes: events are stored only in the pool', async () => {
  const id = newId('off');
  const pools = processOn();
  const asked = [ask(id, 1, 5), ask(id, 1, 5)];
  for (const one of asked) {
    expect((await pools.hold(one)).kind).toBe('held');
    expect(await pools.followOrder(one.claim, 'placed')).toBe('confirmed');
  }
  const { pools: inPool, shares } = collections();
  expect(await inPool.findOne({ _id: id })).toMatchObject({ outbox: [{ extra: asked[0]?.claim.id }, {}] });
  const share = await shares?.findOne({ _id: `${id}\nc1` });
  expect(share).toMatchObject({ claimed: 2, pending: [] });
  expect(share).not.toHaveProperty('outbox');
});

test('a claim counts in all of its shares or in none, and releases in each what its order returns', async () => {
  const id = newId('off');
  const pools = processOn();
  const asked = (customerId: string, email: string, quantity: number) => {
    const { claim, ...others } = ask(id, 1, 4);
    return { ...others, claim: { ...claim, customerId, shares: [email], quantity } };
  };
  const taken = async (...keys: string[]) =>
    await Promise.all(keys.map(async (key) => (await pools.claimedBy(key, [id])).get(id) ?? 0));
  const first = asked('c1', 'em_1', 3);
  expect((await pools.hold(first)).kind).toBe('held');
  expect(await taken('c1', 'em_1')).toEqual([3, 3]);
  // Another id with the same address, and the same id with another address.
  expect(await tryHold(pools, asked('c2', 'em_1', 2))).toBe('share-full');
  expect(await tryHold(pools, asked('c1', 'em_2', 2))).toBe('share-full');
  expect(await taken('c1', 'c2', 'em_1', 'em_2')).toEqual([3, 0, 3, 0]);
  expect(await tryHold(pools, asked('c2', 'em_2', 4))).toBe('held');

  expect(await pools.followOrder(first.claim, 'placed')).toBe('confirmed');
  expect(await pools.followOrder({ ...first.claim, keeps: 1 }, 'placed')).toBe('confirmed');
  expect(await taken('c1', 'em_1')).toEqual([1, 1]);
  expect(await tryHold(pools, asked('c3', 'em_1', 3))).toBe('held');
  expect(await differences()).toEqual([]);
  expect(await pools.followOrder(first.claim, 'cancelled')).toBe('released');
  expect(await taken('c1', 'em_1', 'em_2')).toEqual([0, 3, 4]);
  expect(await differences()).toEqual([]);
});

describe('a customer who is erased', () => {
  const erase = async (id: string, keys: string[] = []) => {
    const { shares, ...others } = collections();
    if (shares === undefined) throw new Error('no shares');
    const tenant = claimOn(id).companyId;
    return await eraseFromPools({ ...others, shares }, [id], { tenant, ids: ['c1'], keys, pseudonym: 'erased_1' });
  };
  const shareOf = async (id: string, customer: string) =>
    (await collections().shares?.findOne({ _id: `${id}\n${customer}` }))?.claimed;

  test('leaves what was claimed to the pseudonym, and what is released later is released there', async () => {
    const id = newId('off');
    const pools = processOn();
    const asked = [ask(id, 1, 5), ask(id, 1, 5), ask(id, 1, 5)];
    for (const { claim, ...others } of asked) {
      expect((await pools.hold({ claim, ...others })).kind).toBe('held');
      await pools.followOrder(claim, 'placed');
    }
    const [pending] = [ask(id, 1, 5)];
    await pools.hold(pending);
    expect(await erase(id)).toBe('waits');
    await pools.followOrder(pending.claim, 'placed');
    expect(await erase(id)).toBe('done');
    expect([await shareOf(id, 'c1'), await shareOf(id, 'erased_1')]).toEqual([undefined, 4]);
    // Its event was published before.
    if (asked[0] !== undefined) await pools.followOrder(asked[0].claim, 'cancelled');
    expect([await shareOf(id, 'c1'), await shareOf(id, 'erased_1')]).toEqual([undefined, 3]);
    expect(await differences()).toEqual([]);
    expect(await tryHold(pools, ask(id, 1, 1))).toBe('held');
    expect(await differences()).toEqual([]);
  });

  test('moves each share that a claim counted in to a separate share of the pseudonym', async () => {
    const id = newId('off');
    const pools = processOn();
    const asked = ask(id, 1, 5);
    const claim = { ...asked.claim, shares: ['em_1', 'em_2'], quantity: 3 };
    expect((await pools.hold({ ...asked, claim })).kind).toBe('held');
    await pools.followOrder(claim, 'placed');
    expect(await erase(id, ['em_1'])).toBe('done');
    const taken = async () =>
      await Promise.all(['c1', 'em_1', 'em_2', 'erased_1', 'erased_1.1'].map(async (key) => shareOf(id, key)));
    expect(await taken()).toEqual([undefined, undefined, 3, 3, 3]);
    await pools.followOrder({ ...claim, keeps: 1 }, 'placed');
    expect(await taken()).toEqual([undefined, undefined, 1, 1, 1]);
    expect(await differences()).toEqual([]);
  });

  test('has exact counters whatever is released while the erasure runs', async () => {
    for (let round = 0; round < 3; round++) {
      const id = newId('off');
      const pools = processOn();
      const asked = Array.from({ length: 8 }, () => ask(id, 1, 50));
      for (const { claim, ...others } of asked) {
        await pools.hold({ claim, ...others });
        await pools.followOrder(claim, 'placed');
      }
      const erasing = async () => {
        while ((await erase(id)) !== 'done');
      };
      const releases = asked.slice(0, 6).map(async ({ claim }) => {
        await setTimeout(Math.random() * 20);
        await processOn().followOrder(claim, 'cancelled');
      });
      await Promise.all([erasing(), ...releases]);
      expect(await erase(id)).toBe('done');
      expect([await shareOf(id, 'c1'), await shareOf(id, 'erased_1')]).toEqual([undefined, 2]);
    }
    expect(await differences()).toEqual([]);
  });
});
