import pg from 'pg';
import { expect, test } from 'vitest';
import { translate } from './errors.ts';

test.each([
  ['23505', 11_000, 'DuplicateKey'],
  ['40001', 112, 'WriteConflict'],
  ['53100', 14_031, 'OutOfDiskSpace'],
  ['XX000', 8_000, 'InternalError'],
])('state %s is what MongoDB calls %i %s', (state, code, codeName) => {
  const error = new pg.DatabaseError('no', 0, 'error');
  error.code = state;
  expect(translate(error)).toMatchObject({ code, codeName });
});
