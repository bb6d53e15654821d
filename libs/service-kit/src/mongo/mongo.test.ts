import { serviceTooSlow } from '@event-commerce/contracts';
import mongoose from 'mongoose';
import { expect, test } from 'vitest';
import { databaseUnavailable } from './database-unavailable.ts';
import { isOutage } from '../http/errors.ts';
import { failedWrites, isOvertaken } from './mongo.ts';

const { MongoBulkWriteError, MongoNetworkError, MongoOperationTimeoutError, MongoServerError, MongoWriteConcernError } =
  mongoose.mongo;

test.each([
  [
    'cannot be reached',
    new MongoNetworkError('connection closed'),
    'The database does not respond; try again shortly.',
  ],
  [
    'has a full disk',
    new MongoServerError({ message: 'No space left on device', code: 14_031 }),
    'The database has no space left; try again shortly.',
  ],
  [
    'keeps losing a write to others',
    new MongoServerError({ message: 'write conflict', code: 112 }),
    'Too many requests change the same record at once; try again shortly.',
  ],
])('a database that %s is 503 with Retry-After', (_how, error, message) => {
  expect(databaseUnavailable(error)).toMatchObject({ statusCode: 503, message, retryAfterSeconds: 1, cause: error });
});

const whileFailingOver = [
  6, 7, 24, 50, 64, 89, 91, 100, 133, 134, 189, 251, 262, 365, 9_001, 10_107, 11_600, 11_602, 13_435, 13_436,
];

test.each([
  ...whileFailingOver.map((code) => [`answers ${code}`, new MongoServerError({ message: 'not now', code })] as const),
  ...whileFailingOver.map(
    (code) =>
      [`answers ${code} to a bulk`, new MongoBulkWriteError({ message: 'not now', code }, {} as never)] as const,
  ),
  [
    'does not confirm that a majority has a write',
    new MongoWriteConcernError({
      writeConcernError: { code: 64, errmsg: 'waiting for replication timed out' },
    } as never),
  ] as const,
  [
    'has no free connection',
    Object.assign(new Error('Timed out while checking out a connection'), { name: 'MongoWaitQueueTimeoutError' }),
  ] as const,
  ['is too slow', new MongoOperationTimeoutError('Timed out during socket read')] as const,
])('a database that %s fails over or is too slow: requests get 503, and events wait', (_how, error) => {
  expect(databaseUnavailable(error)).toMatchObject({ statusCode: 503, retryAfterSeconds: 1, cause: error });
  expect(isOutage(error)).toBe(true);
});

test('a service that does not respond in time is an outage', () => {
  expect(isOutage(serviceTooSlow('commerce'))).toBe(true);
});

test('a mistake of one request is not an outage', () => {
  expect(databaseUnavailable(new MongoServerError({ message: 'E11000 duplicate key', code: 11_000 }))).toBeUndefined();
});

test('each write of a bulk fails with the error it would have had alone; a lost connection fails the whole bulk', () => {
  const writeErrors = [
    { index: 1, code: 11_000, errmsg: 'E11000 duplicate key' },
    { index: 3, code: 14_031, errmsg: 'No space left on device' },
  ];
  const bulk = new MongoBulkWriteError({ message: 'two failed', code: 11_000, writeErrors } as never, {} as never);
  const failed = failedWrites(bulk);
  expect(failed.map(({ index }) => index)).toEqual([1, 3]);
  expect(failed.map(({ error }) => isOvertaken(error))).toEqual([true, false]);
  expect(databaseUnavailable(failed[1]?.error)?.statusCode).toBe(503);

  const lost = new MongoNetworkError('connection closed');
  expect(() => failedWrites(new MongoBulkWriteError(lost as never, {} as never))).toThrow(lost);
});
