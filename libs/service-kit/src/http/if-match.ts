import { invalidInput, type Operation, otherVersion, weakTag } from '@event-commerce/contracts';
import type { FastifyRequest } from 'fastify';

/** The versions that the caller accepts: any, or those listed, or none by a weak tag; undefined if it does not say. */
export type IfMatch = '*' | 'weak' | readonly number[] | undefined;

/**
 * Parses an `If-Match` header. An entity tag that this service never issues matches nothing; neither does a weak one,
 * as RFC 9110 requires. Only the version in a tag counts: prices may change without a change of the record.
 */
export function parseIfMatch(header: string | undefined): IfMatch {
  if (header === undefined) return undefined;
  const tags = header.split(',').map((tag) => tag.trim());
  if (tags.includes('*')) return '*';
  const versions = tags.flatMap((tag) => {
    const version = /^"?(\d{1,15})(?:-[\w-]+)?"?$/.exec(tag)?.[1];
    return version === undefined ? [] : [Number(version)];
  });
  return versions.length === 0 && tags.some((tag) => /^W\//i.test(tag)) ? 'weak' : versions;
}

/** The condition of a write on the version of the document that it changes. */
export function atVersion(ifMatch: IfMatch): { version?: { $in: number[] } } {
  if (ifMatch === undefined || ifMatch === '*') return {};
  return { version: { $in: ifMatch === 'weak' ? [] : [...ifMatch] } };
}

/**
 * Refuses a change of `what` at `version` (undefined if it does not exist) if the caller expects another version.
 *
 * @throws {PlatformError} VERSION_CONFLICT
 */
export function refuseOtherVersion(ifMatch: IfMatch, what: string, version: number | undefined): void {
  if (ifMatch === undefined) return;
  if (ifMatch === 'weak') throw weakTag();
  if (version !== undefined && (ifMatch === '*' || ifMatch.includes(version))) return;
  throw otherVersion(what, version);
}

/**
 * Refuses `If-Match` of a request whose operation changes something but takes none: its caller would rely on it.
 *
 * @throws {PlatformError} VALIDATION_FAILED
 */
export function refuseUnusedIfMatch({ method, versioned }: Operation, { headers }: FastifyRequest): void {
  if (headers['if-match'] === undefined || method === 'GET' || versioned === 'changes') return;
  throw invalidInput('If-Match', 'is only for changes of a record that has a version; leave it out here');
}
