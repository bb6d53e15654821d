import { otherVersion } from '@event-commerce/contracts';

/** The versions that a caller accepts to change: any, or those listed; undefined when it does not say. */
export type IfMatch = '*' | readonly number[] | undefined;

/** Reads an `If-Match` header. An entity tag that this service never gives (a weak one too, as RFC 9110 says) matches nothing. */
export function parseIfMatch(header: string | undefined): IfMatch {
  if (header === undefined) return undefined;
  const tags = header.split(',').map((tag) => tag.trim());
  if (tags.includes('*')) return '*';
  return tags.flatMap((tag) => {
    const version = /^"?(\d{1,15})"?$/.exec(tag)?.[1];
    return version === undefined ? [] : [Number(version)];
  });
}

/**
 * Refuses a change of what is at `version` (undefined: of what does not exist) when the caller expects another.
 *
 * @throws {PlatformError} VERSION_CONFLICT
 */
export function refuseOtherVersion(ifMatch: IfMatch, version: number | undefined): void {
  if (ifMatch === undefined) return;
  if (version !== undefined && (ifMatch === '*' || ifMatch.includes(version))) return;
  throw otherVersion(version);
}
