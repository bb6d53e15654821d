import { hash } from 'node:crypto';

/** Hashing a larger response would cost more than a caller saves. */
const TAGGED_LENGTH_MAX = 64 * 1024;
const DIGEST_LENGTH = 16;

/**
 * The `ETag` of a response: of a record with its version, which `If-Match` compares, and always with a digest of
 * everything in it. Undefined for a large response without a version.
 */
export function entityTag(text: string, version: number | undefined): string | undefined {
  if (text.length > TAGGED_LENGTH_MAX) return version === undefined ? undefined : `"${version}"`;
  const digest = hash('sha1', text, 'base64url').slice(0, DIGEST_LENGTH);
  return version === undefined ? `"${digest}"` : `"${version}-${digest}"`;
}

/**
 * Whether the caller has the response already, according to its `If-None-Match`. A tag without a digest may be of
 * another response.
 */
export function isKnown(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined || /^"\d+"$/.test(tag)) return false;
  return ifNoneMatch.split(',').some((known) => known.trim().replace(/^W\//, '') === tag);
}
