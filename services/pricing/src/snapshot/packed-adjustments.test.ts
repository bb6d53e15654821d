import { type Tenant, tenantOf } from '@event-commerce/contracts';
import { expect, test } from 'vitest';
import { anAdjustment } from '../evaluate/domain/adjustments.fixture.ts';
import type { UnreadableAdjustment } from '../adjustments/adjustment-record.ts';
import type { Definition } from './definitions.ts';
import { PackedAdjustments } from './packed-adjustments.ts';

type Batch = Definition[];

const tenant = tenantOf({ companyId: 'co', environment: 'live' });

/** Every read has two batches with its own number. `during` runs between them. */
function storeOf({ during = () => undefined, count = 3 }: { during?: () => void; count?: number } = {}) {
  let queries = 0;
  const batches = async function* (of: Tenant): AsyncGenerator<Batch> {
    const query = ++queries;
    const batch = (part: number) =>
      Array.from({ length: count }, (_, n) => ({
        ...anAdjustment({ id: `adj_${query}_${part}_${n}`, conditions: { minQuantity: n + 1 } }),
        tenant: of,
      }));
    yield batch(1);
    during();
    yield batch(2);
  };
  return { readLive: batches, queries: () => queries };
}

async function readAll(packed: PackedAdjustments, of = tenant): Promise<Batch> {
  return (await Array.fromAsync(packed.readLive(of))).flat();
}

test('adjustments that were read are returned again without a query, in the same order, until they change', async () => {
  const store = storeOf();
  const packed = new PackedAdjustments(store, 100_000);
  const first = await readAll(packed);
  expect(first.map(({ id }) => id)).toEqual(
    ['1_1_0', '1_1_1', '1_1_2', '1_2_0', '1_2_1', '1_2_2'].map((n) => `adj_${n}`),
  );
  expect([await readAll(packed), store.queries()]).toEqual([first, 1]);
  expect(packed.bytes).toBeGreaterThan(0);

  const other = tenantOf({ companyId: 'co', environment: 'test' });
  expect((await readAll(packed, other))[0]?.id).toBe('adj_2_1_0');
  packed.forget(tenant);
  expect((await readAll(packed))[0]?.id).toBe('adj_3_1_0');
  expect((await readAll(packed, other))[0]?.id).toBe('adj_2_1_0');
  packed.forgetAll();
  expect([packed.bytes, (await readAll(packed, other))[0]?.id]).toEqual([0, 'adj_4_1_0']);
});

test('a company that changed during a read, or was not read to the end, is read again', async () => {
  const store = storeOf({ during: () => packed.forget(tenant) });
  const packed: PackedAdjustments = new PackedAdjustments(store, 100_000);
  await readAll(packed);
  expect([(await readAll(packed))[0]?.id, packed.bytes]).toEqual(['adj_2_1_0', 0]);

  const whole = storeOf();
  const cutShort = new PackedAdjustments(whole, 100_000);
  for await (const _batch of cutShort.readLive(tenant)) break;
  expect([(await readAll(cutShort))[0]?.id, whole.queries()]).toEqual(['adj_2_1_0', 2]);
});

test('the later of two concurrent reads is kept', async () => {
  const store = storeOf();
  const packed = new PackedAdjustments(store, 100_000);
  const [one, two] = [packed.readLive(tenant), packed.readLive(tenant)];
  await one.next();
  await two.next();
  await Array.fromAsync(two);
  await Array.fromAsync(one);
  expect([(await readAll(packed))[0]?.id, store.queries()]).toEqual(['adj_2_1_0', 2]);
});

test('an adjustment that cannot be read is retried each time', async () => {
  const unreadable: UnreadableAdjustment = { id: 'adj_odd', version: 1, code: undefined, error: new Error('odd') };
  let queries = 0;
  const readLive = async function* (): AsyncGenerator<Batch> {
    queries++;
    yield [unreadable];
    yield [{ ...anAdjustment({ id: 'adj_good' }), tenant }];
  };
  const packed = new PackedAdjustments({ readLive }, 100_000);
  await readAll(packed);
  expect([await readAll(packed), queries, packed.bytes]).toMatchObject([[unreadable, { id: 'adj_good' }], 2, 0]);
});

test('adjustments with many targets are packed in pieces, between which other work gets its turn', async () => {
  const target = { ...anAdjustment({ id: '' }).targets[0]!, offeringId: 'x'.repeat(500) };
  const large = Array.from({ length: 20 }, (_, n) => ({
    ...anAdjustment({ id: `adj_${n}`, targets: Array.from({ length: n === 7 ? 900 : 100 }, () => target) }),
    tenant,
  }));
  const readLive = async function* (): AsyncGenerator<Batch> {
    yield large;
  };
  const packed = new PackedAdjustments({ readLive }, 1_000_000);
  await readAll(packed);
  const pieces = await Array.fromAsync(packed.readLive(tenant));
  expect(pieces.map(({ length }) => length)).toEqual([3, 3, 1, 1, 3, 3, 3, 3]);
  expect(pieces.flat()).toEqual(large);
});

test('all companies together stay within the memory limit, and one within half of it', async () => {
  const packed = new PackedAdjustments(storeOf({ count: 50 }), 20_000);
  for (let n = 0; n < 100; n++) {
    await readAll(packed, tenantOf({ companyId: `co_${n}`, environment: 'live' }));
    expect(packed.bytes).toBeLessThanOrEqual(20_000);
  }
  expect(packed.bytes).toBeGreaterThan(10_000);
  const small = new PackedAdjustments(storeOf({ count: 50 }), 500);
  await readAll(small);
  expect(small.bytes).toBe(0);
});
