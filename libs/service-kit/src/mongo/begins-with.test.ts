import { expect, test } from 'vitest';
import { beginningsOf } from './begins-with.ts';

const words = (text: string) => text.split(' ').filter((word) => word !== '');

test('a search has one to ten words, and finds each of them separately', () => {
  expect(beginningsOf(undefined, words)).toEqual([]);
  expect(beginningsOf('ada lovelace', words)).toEqual(['ada', 'lovelace']);
  expect(() => beginningsOf(' ', words)).toThrow('q must have a letter or digit (got " ").');
  expect(beginningsOf('a b c d e f g h i j', words)).toHaveLength(10);
  expect(() => beginningsOf('a b c d e f g h i j k', words)).toThrow('q must have at most 10 words (got 11).');
});
