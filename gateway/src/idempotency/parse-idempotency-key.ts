import { invalidInput } from '@event-commerce/contracts';

/** A structured-field string, as the header's draft requires, or bare, as most clients send it. */
const QUOTED = /^"([!#-[\]-~]{1,255})"$/;
const BARE = /^[!#-~][!-~]{0,254}$/;

/**
 * Parses an `Idempotency-Key` field. With and without quotes it is the same key.
 *
 * @throws {PlatformError} VALIDATION_FAILED
 */
export function parseIdempotencyKey(field: string): string {
  const key = QUOTED.exec(field)?.[1] ?? BARE.exec(field)?.[0];
  if (key !== undefined) return key;
  throw invalidInput(
    'Idempotency-Key',
    'must be one key of 1 to 255 visible ASCII characters without spaces, such as a UUID',
  );
}
