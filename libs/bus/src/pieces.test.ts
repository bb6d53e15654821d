import { expect, test } from 'vitest';
import { isInPieces, readPieces, writePieces } from './pieces.ts';

const list = Buffer.from('aaaäbbbb');
const pieces = ['{"a":"ü', [0, 3], '-', [5, 9], '"}'] as const;
const text = '{"a":"üaaa-bbbb"}';

test('a reply in pieces contains the list for a receiver that has not kept it, and is small for others', () => {
  const first = writePieces('d1', pieces, list);
  const { parts, list: kept } = readPieces(first, undefined);
  expect(Buffer.concat(parts).toString()).toBe(text);
  expect(Buffer.from(kept.bytes)).toEqual(list);

  const second = writePieces('d1', pieces);
  expect(second.length).toBe(first.length - list.length);
  expect(Buffer.concat(readPieces(second, kept).parts).toString()).toBe(text);
});

test('a reply is never read with a list other than its own', () => {
  const other = { digest: 'd2', bytes: list };
  expect(() => readPieces(writePieces('d1', pieces), other)).toThrow('a list that is not here');
  expect(() => readPieces(writePieces('d1', pieces), undefined)).toThrow('a list that is not here');
  expect(() => readPieces(writePieces('d1', [[0, 99]], list), undefined)).toThrow('more than its list');
  expect(readPieces(writePieces('d1', pieces, list), other).list.digest).toBe('d1');
});

test('a JSON object is not in pieces', () => {
  expect(isInPieces(Buffer.from(text))).toBe(false);
  expect(isInPieces(writePieces('d1', pieces))).toBe(true);
});
