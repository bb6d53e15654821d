import { isDeepStrictEqual } from 'node:util';
import { invalidInput } from '@event-commerce/contracts';

/**
 * Refuses to change members that are set only when a record is created: `sent` has those of a patch, `record` those of
 * the response. Sending a whole record back changes none of them.
 *
 * @throws {PlatformError} VALIDATION_FAILED, with what to do `instead`
 */
export function refuseReadOnly<Name extends string>(
  sent: Readonly<Partial<Record<Name, unknown>>>,
  record: Readonly<Partial<Record<Name, unknown>>>,
  instead: string,
): void {
  for (const [name, value] of Object.entries(sent)) {
    if (value === undefined) continue;
    const answered: unknown = JSON.parse(JSON.stringify(record[name as Name] ?? null));
    if (!isDeepStrictEqual(value, answered)) throw invalidInput(name, `cannot be changed; ${instead}`);
  }
}
