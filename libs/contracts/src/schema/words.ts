import { plain, text } from './primitives.ts';

const WORD_LENGTH_MAX = 64;

/** The words of a text as a search compares them: without case and accents. */
export function wordsOf(given: string): string[] {
  const bare = given.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  const words = bare.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
  return words.map((word) => word.slice(0, WORD_LENGTH_MAX));
}

/** Each word of a search is looked for by itself. */
export const WORDS_MAX = 10;

/** The filter `q` of a list: a text that is searched for in `fields`. */
export function searchText(fields: string) {
  const about = `Beginnings of up to ${WORDS_MAX} words in ${fields}; all of them must match.`;
  return plain(text.max(256)).optional().describe(about);
}
