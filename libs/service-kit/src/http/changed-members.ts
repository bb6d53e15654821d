import { isDeepStrictEqual } from 'node:util';

/**
 * The members of a merge patch that differ from the record as the API `shows` it. A caller may send a record back as it
 * was read: what it did not change is not a change. Nor is null for a member that the record does not have.
 */
export function changedMembers<Patch extends object>(patch: Patch, shows: object): Partial<Patch> {
  const shown = JSON.parse(JSON.stringify(shows)) as Record<string, unknown>;
  const changed = Object.entries(patch).filter(([name, value]) => !isDeepStrictEqual(value ?? undefined, shown[name]));
  return Object.fromEntries(changed) as Partial<Patch>;
}
