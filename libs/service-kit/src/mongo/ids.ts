import { createHash } from 'node:crypto';
import { typeidUnboxed } from 'typeid-js';

/** The prefixes of the platform's own ids. */
export type IdPrefix =
  | 'cpn'
  | 'adj'
  | 'rdm'
  | 'bud'
  | 'tkt'
  | 'cs'
  | 'ord'
  | 'amd'
  | 'evt'
  | 'off'
  | 'pg'
  | 'tbl'
  | 'key'
  | 'req'
  | 'whk'
  | 'rpl'
  | 'ers'
  | 'job'
  | 'cof'
  | 'bat'
  | 'reh';

/** A new TypeID: time-ordered, so that sorting by id sorts by creation. */
export function newId(prefix: IdPrefix): string {
  return typeidUnboxed(prefix);
}

/**
 * The id with `prefix` of what belongs to both `id` and `other`, always the same. It begins with the time of `id`.
 */
export function idFrom(prefix: IdPrefix, id: string, other: string): string {
  const time = id.slice(id.indexOf('_') + 1).slice(0, TIME_LENGTH);
  const digest = createHash('sha256')
    .update(JSON.stringify([id, other]))
    .digest();
  return `${prefix}_${time}${Array.from(digest.subarray(0, 16), (byte) => ALPHABET[byte % 32]).join('')}`;
}

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
/** A TypeID begins with its time, 48 bits of milliseconds in base 32. */
const TIME_LENGTH = 10;

/** The smallest id with `prefix` that can be created at `epochMs` or later. */
export function firstIdAt(prefix: IdPrefix, epochMs: number): string {
  let left = Math.max(0, Math.floor(epochMs));
  let text = '';
  for (let at = 0; at < TIME_LENGTH; at++) {
    text = `${ALPHABET[left % 32]}${text}`;
    left = Math.floor(left / 32);
  }
  return `${prefix}_${text}`;
}

/** When `id` was created, in epoch milliseconds. Also accepts what `firstIdAt` returns. */
export function timeOfId(id: string): number {
  let ms = 0;
  for (const character of id.slice(id.indexOf('_') + 1).slice(0, TIME_LENGTH)) {
    ms = 32 * ms + ALPHABET.indexOf(character);
  }
  return ms;
}
