import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';

/**
 * A digest of a request's body as it was sent, whatever the order of its fields, and the length of its JSON. It
 * excludes defaults and other effects of validation, so that every version of this service recognizes a repeat.
 */
export function fingerprint(body: unknown): { fingerprint: string; characters: number } {
  const json = canonicalize(body) ?? '';
  return { fingerprint: createHash('sha256').update(json).digest('base64url'), characters: json.length };
}
