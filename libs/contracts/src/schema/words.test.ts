import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { wordsOf } from './words.ts';

describe('the words of a text', () => {
  test.each([
    ['Łódź', 'lodz'],
    ['Østerbro', 'osterbro'],
    ['Straßenfest', 'strassenfest'],
    ['STRASSENFEST', 'strassenfest'],
    ['Diyarbakır', 'diyarbakir'],
    ['İstanbul', 'istanbul'],
    ['Ærø', 'aero'],
    ['Cœur', 'coeur'],
    ['Þórr', 'thorr'],
    ['Đà', 'da'],
    ['ðħŧŋ', 'dhtng'],
    ['Crème', 'creme'],
    ['ﬁesta', 'fiesta'],
    ['ΣΟΦΟΣ', 'σοφοσ'],
    ['σοφός', 'σοφοσ'],
    ['Ёлка', 'елка'],
  ])('%s is %s', (given, word) => expect(wordsOf(given)).toEqual([word]));

  test.each([
    ['東京ジャズ', 'ジャズ'],
    ['東京ジャズ', '東京'],
    ['北京爵士音乐节', '音乐节'],
    ['夏の音楽祭り2027', '音楽'],
    ['夏の音楽祭り2027', '2027'],
    ['ดนตรีกรุงเทพ', 'ดนตรี'],
  ])('%s has the word %s, which no space separates', (given, word) => {
    expect(wordsOf(given)).toEqual(expect.arrayContaining(wordsOf(word)));
  });

  test('are listed once each, in order', () => {
    expect(wordsOf('Jazz & JAZZ, a+b; O’Brien')).toEqual(['jazz', 'a', 'b', 'o', 'brien']);
  });

  test('have a normal form that is its own normal form, in any case', () => {
    const texts = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 40 }),
      fc.string({ unit: 'binary', maxLength: 40 }),
    );
    fc.assert(
      fc.property(texts, (given) => {
        const words = wordsOf(given);
        // Splitting part of a text by a dictionary may split it elsewhere, but never changes its characters.
        expect(wordsOf(words.join(' ')).join('')).toBe([...new Set(words)].join(''));
        for (const word of words) expect(word).toMatch(/^[\p{L}\p{N}]{1,64}$/u);
      }),
    );
  });
});
