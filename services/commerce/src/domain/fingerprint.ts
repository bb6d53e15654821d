import { createHash } from 'node:crypto';

/** A digest of `value` that does not depend on the order in which its members were written. */
export function fingerprint(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value, sortMembers)).digest('base64url');
}

function sortMembers(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
