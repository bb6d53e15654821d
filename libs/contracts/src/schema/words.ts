import anyAscii from 'any-ascii';
import { plain, text } from './primitives.ts';

const WORD_LENGTH_MAX = 64;
const BETWEEN_WORDS = /[^\p{L}\p{M}\p{N}]+/u;
/** Scripts that are written without spaces between words. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;
/** Splits by dictionaries, whatever the stated language. Much slower than a pattern. */
const segmenter = new Intl.Segmenter('und', { granularity: 'word' });

/**
 * The words of a text as a search compares them, each once: without case and accents, and with letters that are not
 * Latin letters with an accent, such as `ł` and `ß`, as the plain letters that people type for them. Stored texts and
 * searches are split and folded in the same way.
 */
export function wordsOf(given: string): string[] {
  const words = given.normalize('NFKC').split(BETWEEN_WORDS).flatMap(cut).map(fold);
  return [...new Set(words.filter((word) => word !== ''))];
}

/** Whether a text has words that are not separated by spaces. */
export function isUnspaced(given: string): boolean {
  return UNSPACED.test(given);
}

function cut(run: string): string[] {
  if (!isUnspaced(run)) return [run];
  return Array.from(segmenter.segment(run)).flatMap(({ segment, isWordLike }) => (isWordLike ? [segment] : []));
}

function fold(word: string): string {
  if (/^[\da-z]*$/i.test(word)) return word.slice(0, WORD_LENGTH_MAX).toLowerCase();
  const bare = word.normalize('NFKD').replaceAll(/\p{M}/gu, '');
  // Upper case has one form where lower case has two, such as sigma, and spells some letters out.
  const caseless = bare.toUpperCase().toLowerCase().replaceAll('ς', 'σ');
  const folded = caseless.replaceAll(/[\p{sc=Latin}--[a-z]]+/gv, anyAscii).replaceAll(/[^\p{L}\p{N}]/gu, '');
  // Without half a character if the limit splits one.
  return folded
    .toLowerCase()
    .slice(0, WORD_LENGTH_MAX)
    .replace(/\p{Cs}$/u, '');
}

/** Each word of a search is looked up separately. */
export const WORDS_MAX = 10;

/** The filter `q` of a list: a text that is searched for in `fields`. */
export function searchText(fields: string) {
  const about = `Beginnings of up to ${WORDS_MAX} words in ${fields}; all of them must match, whatever their case and accents.`;
  return plain(text.max(256)).optional().describe(about);
}
