import { beforeAll, expect, test } from 'vitest';
import { type Services, sharedServices } from '../../../tests/harness/services.ts';
import { members, newEvent } from './groups-of-friends.ts';

let services: Services;
beforeAll(async () => {
  services = await sharedServices();
});

/** The merges that succeeded; the others must have been refused. */
async function succeeded(replies: Promise<{ status: number; body: any }>[]) {
  const settled = await Promise.all(replies);
  for (const { status } of settled) expect([200, 400, 409]).toContain(status);
  return settled.filter(({ status }) => status === 200);
}

test('exactly one of two concurrent opposite merges succeeds, 15 times', async () => {
  const { group, read, merge } = await newEvent(services);
  for (let n = 0; n < 15; n++) {
    const [a, b] = await Promise.all([group(2), group(3)]);
    expect(await succeeded([merge(a.id, b.id, 5, 0), merge(b.id, a.id, 5, 1)])).toHaveLength(1);
    const after = [await read(a.id), await read(b.id)];
    expect(after.filter(({ status }) => status === 'active').map(({ size }) => size)).toEqual([5]);
    expect(after.filter(({ status }) => status === 'merged')).toHaveLength(1);
  }
});

test('20 concurrent merges into one target all succeed if each retries with the current size', async () => {
  const { group, read, merge } = await newEvent(services);
  const target = await group(0, []);
  const sources = await Promise.all(Array.from({ length: 20 }, async (_, n) => group(1, members(`m${n}`))));
  const untilMerged = async (id: string, replica: number) => {
    for (;;) {
      const reply = await merge(target.id, id, (await read(target.id)).size + 1, replica);
      if (reply.status === 200) return;
      expect([400, 409]).toContain(reply.status);
    }
  };
  await Promise.all(sources.map(async ({ id }, n) => untilMerged(id, n % 2)));
  const after = await read(target.id);
  expect([after.size, after.members.length, after.notes.length, after.history.length]).toEqual([20, 20, 20, 20]);
});

test('one or two of three merges in a cycle succeed, and nobody is lost', async () => {
  const { group, read, merge } = await newEvent(services);
  for (let n = 0; n < 8; n++) {
    const [a, b, c] = await Promise.all([group(1), group(1), group(1)]);
    const won = await succeeded([merge(a.id, b.id, 2), merge(b.id, c.id, 2, 1), merge(c.id, a.id, 2)]);
    expect(won.length).toBeGreaterThanOrEqual(1);
    const after = await Promise.all([a, b, c].map(async ({ id }) => read(id)));
    const active = after.filter(({ status }) => status === 'active');
    expect(active.reduce((sum, { size }) => sum + size, 0)).toBe(3);
    expect(active).toHaveLength(3 - won.length);
  }
});
