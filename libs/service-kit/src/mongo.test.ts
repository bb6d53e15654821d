import mongoose from 'mongoose';
import { expect, test } from 'vitest';
import { databaseUnavailable } from './mongo.ts';

const { MongoNetworkError, MongoServerError } = mongoose.mongo;

test.each([
  ['cannot be reached', new MongoNetworkError('connection closed'), 'The database does not answer; try again shortly.'],
  [
    'has a full disk',
    new MongoServerError({ message: 'No space left on device', code: 14_031 }),
    'The database has no space left; try again shortly.',
  ],
])('a database that %s is 503 with a time to try again', (_how, error, message) => {
  expect(databaseUnavailable(error)).toMatchObject({ statusCode: 503, message, retryAfterSeconds: 1, cause: error });
});

test('what is wrong with one request is no outage', () => {
  expect(databaseUnavailable(new MongoServerError({ message: 'E11000 duplicate key', code: 11_000 }))).toBeUndefined();
});
