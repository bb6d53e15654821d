import { invalidInput } from '@event-commerce/contracts';

/** As a structured-field string, which the draft of the header asks for, or bare, which most clients send. */
const QUOTED = /^"([!#-[\]-~]{1,255})"$/;
const BARE = /^[!#-~][!-~]{0,254}$/;

/**
 * The key in an `Idempotency-Key` field. With quotes or without it is the same key.
 *
 * @throws {PlatformError} VALIDATION_FAILED
 */
export function parseIdempotencyKey(field: string): string {
  const key = QUOTED.exec(field)?.[1] ?? BARE.exec(field)?.[0];
  if (key !== undefined) return key;
  throw invalidInput('Idempotency-Key', 'must be one key of 1 to 255 visible ASCII characters');
}
