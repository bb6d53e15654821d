import { expect, test } from 'vitest';
import { beginningsOf } from './begins-with.ts';

const words = (text: string) => text.split(' ').filter((word) => word !== '');

test('a search has from one to ten words, each of which is looked for by itself', () => {
  expect(beginningsOf(undefined, words)).toEqual([]);
  expect(beginningsOf('ada lovelace', words)).toEqual(['ada', 'lovelace']);
  expect(() => beginningsOf(' ', words)).toThrow('q must have a letter or digit.');
  expect(beginningsOf('a b c d e f g h i j', words)).toHaveLength(10);
  expect(() => beginningsOf('a b c d e f g h i j k', words)).toThrow('q must have at most 10 words.');
});
