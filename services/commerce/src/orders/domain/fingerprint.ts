import { createHash } from 'node:crypto';

/** A digest of `value` that does not depend on the order of its fields, and the length of its JSON. */
export function fingerprint(value: unknown): { fingerprint: string; characters: number } {
  const json = JSON.stringify(value, sortMembers);
  return { fingerprint: createHash('sha256').update(json).digest('base64url'), characters: json.length };
}

function sortMembers(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
