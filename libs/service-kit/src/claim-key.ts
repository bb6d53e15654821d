import { createHash } from 'node:crypto';

/** Enough that no two orders of a company ever share it. */
const CHARACTERS = 22;

/** What all copies of an order have in common: always the same for the same `parts`, for others another one. */
export function claimKey(...parts: string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, CHARACTERS);
}
