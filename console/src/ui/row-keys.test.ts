import { expect, it } from 'vitest';
import { nextRow } from './row-keys.ts';

it.each([
  ['the first row, from the heading', -1, 1, 0],
  ['the next row', 0, 1, 1],
  ['the row before', 2, -1, 1],
  ['the same row, at the first', 0, -1, 0],
  ['the same row, at the last', 2, 1, 2],
  ['the first row', 2, -Infinity, 0],
  ['the last row', 0, Infinity, 2],
])('a key leads to %s', (_, at, step, row) => {
  expect(nextRow(at, step, 3)).toBe(row);
});
