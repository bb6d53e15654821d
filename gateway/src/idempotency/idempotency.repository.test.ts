import mongoose, { type Connection } from 'mongoose';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createIdempotencyRepository } from './idempotency.repository.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A database that finds `record` and is slow to write; `writes` lists what changed records. */
function slowDatabase(record: object | null) {
  const slow = Promise.withResolvers<void>();
  const writes: unknown[][] = [];
  const records = {
    updateOne: async (filter: object, update: object, options?: { upsert?: boolean }) => {
      if (options?.upsert === true && record !== null) throw new mongoose.mongo.MongoServerError({ code: 11_000 });
      writes.push(['updateOne', filter, update]);
      await slow.promise;
      return { matchedCount: 1, modifiedCount: 1 };
    },
    findOne: async () => record,
    deleteOne: async (filter: object) => writes.push(['deleteOne', filter]),
  };
  return { connection: { collection: () => records } as unknown as Connection, respond: slow.resolve, writes };
}

test.each([
  ['a new record is deleted', null, ['deleteOne', { _id: 'a', holder: expect.any(String) }]],
  [
    'the record of an earlier attempt is released',
    { holder: null, fingerprint: 'print', idSuffix: 'suffix', ageMs: 1_000 },
    ['updateOne', { _id: 'a', holder: expect.any(String) }, { $set: { holder: null } }],
  ],
])('when a look-up that nobody waits for takes the key after all, %s', async (_what, record, undone) => {
  const { connection, respond, writes } = slowDatabase(record);
  const refusal = createIdempotencyRepository(connection, 15_000)
    .take('a', 'print')
    .catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(await refusal).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  expect(writes).toHaveLength(1);
  respond();
  await vi.waitFor(() => expect(writes.slice(1)).toEqual([undone]));
});

test('a response that is not sent because it was stored too late is not replayed', async () => {
  const { connection, respond, writes } = slowDatabase(null);
  const key = { id: 'a', holder: 'b', attempt: { idSuffix: 'suffix', repeated: false }, begun: true };
  const refusal = createIdempotencyRepository(connection, 15_000)
    .saveOrRelease(key, { statusCode: 201, headers: {}, sealed: null })
    .catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(await refusal).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  expect(writes).toHaveLength(1);
  respond();
  const released = ['updateOne', { _id: 'a', holder: 'b' }, { $set: { holder: null } }];
  await vi.waitFor(() => expect(writes.slice(1)).toEqual([released]));
});
