import { randomBytes } from 'node:crypto';

/** No vowels, so that no words appear; no look-alikes, so that nothing is misread. */
const ALPHABET = '34679CDFGHJKMNPQRTVWXY';
/** The largest multiple of the alphabet's length that a byte can count: above it, some characters would be likelier. */
const FAIR_BYTES = 256 - (256 % ALPHABET.length);
/** How many codes must be possible for each one that is made from a pattern, so that guessing is hopeless. */
const POSSIBILITIES_PER_CODE = 50_000;

/** How many more `#` a pattern needs for `count` codes; 0 if it has enough. */
export function placesMissing(pattern: string, count: number): number {
  const places = pattern.split('#').length - 1;
  const needed = Math.ceil(Math.log(POSSIBILITIES_PER_CODE * count) / Math.log(ALPHABET.length));
  return Math.max(0, needed - places);
}

/** `count` random codes of a pattern, in which each `#` stands for one character. */
export function randomCodes(pattern: string, count: number): string[] {
  const characters = randomCharacters();
  return Array.from({ length: count }, () => pattern.replaceAll('#', () => characters.next().value));
}

function* randomCharacters(): Generator<string, never> {
  for (;;) {
    for (const byte of randomBytes(8_192)) if (byte < FAIR_BYTES) yield ALPHABET.charAt(byte % ALPHABET.length);
  }
}
