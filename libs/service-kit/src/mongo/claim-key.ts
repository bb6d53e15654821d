import { createHash, randomBytes } from 'node:crypto';

/** Long enough that no two orders of a company ever share it. */
const CHARACTERS = 22;

/** The key that all copies of an order share: always the same for the same `parts`, and different for others. */
export function claimKey(...parts: string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, CHARACTERS);
}

const ATTEMPT_BYTES = 6;

/** Distinguishes an attempt to place an order from those of its copies. Short, because each claim stores it. */
export function newAttempt(): string {
  return randomBytes(ATTEMPT_BYTES).toString('base64url');
}
