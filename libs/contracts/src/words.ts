const WORD_LENGTH_MAX = 64;

/** The words of a text as a search compares them: without case and accents. */
export function wordsOf(text: string): string[] {
  const plain = text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  const words = plain.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
  return words.map((word) => word.slice(0, WORD_LENGTH_MAX));
}
