import { invalidInput, WORDS_MAX } from '@event-commerce/contracts';

/** Matches texts that begin with `text`, taken literally. The pattern is anchored, so an index serves it. */
export function beginsWith(text: string): { $regex: string } {
  return { $regex: `^${text.replaceAll(/[^\p{L}\p{N} ]/gu, String.raw`\$&`)}` };
}

/**
 * What a record's terms begin with if it matches the query parameter `q`, as `searchedFor` finds it; nothing without
 * one.
 *
 * @throws {PlatformError} VALIDATION_FAILED for a text without a letter or digit, or with too many words
 */
export function beginningsOf<Beginning>(
  q: string | undefined,
  searchedFor: (text: string) => Beginning[],
): Beginning[] {
  if (q === undefined) return [];
  const beginnings = searchedFor(q);
  if (beginnings.length === 0) throw invalidInput('q', `must have a letter or digit (got ${JSON.stringify(q)})`);
  if (beginnings.length > WORDS_MAX)
    throw invalidInput('q', `must have at most ${WORDS_MAX} words (got ${beginnings.length})`);
  return beginnings;
}
