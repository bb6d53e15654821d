import { emptySegment, PlatformError, uriTooLong } from '@event-commerce/contracts';

/** What RFC 3986 allows in a path: no backslash, fragment, control or non-ASCII character. */
const PATH = /^\/[A-Za-z0-9\-._~!$&'()*+,;=:@/%]*$/;
const DOT_SEGMENT = /\/\.{1,2}(?:\/|$)/;
const OTHER_VERSION = /^\/v\d+(?:\/|$)/;
const NOT_IN_A_SEGMENT = /[/\\\p{Cc}]/u;
/** Proxies between a client and the gateway can be expected to pass on targets of this length. */
export const TARGET_LENGTH_MAX = 8_192;
/** A segment that is encoded more often than this hides something. */
const DECODINGS_MAX = 4;

/**
 * The target of a request as it is routed, authorised and forwarded: without `/v1` (or a doubled one) and trailing
 * slash, query untouched. A target that a server behind this one could read as another path is rejected, never
 * repaired.
 *
 * @throws {PlatformError} BAD_REQUEST, URI_TOO_LONG or UNSUPPORTED_VERSION
 */
export function normaliseTarget(target: string): string {
  if (target.length > TARGET_LENGTH_MAX) {
    throw uriTooLong(TARGET_LENGTH_MAX);
  }
  const queryAt = target.indexOf('?');
  let path = queryAt === -1 ? target : target.slice(0, queryAt);

  if (!PATH.test(path)) throw refused('The path has characters that are not allowed in a path. Percent-encode them.');
  if (path.includes('//')) throw emptySegment();
  if (DOT_SEGMENT.test(path)) throw refused('The path has a segment "." or "..". Send the path without it.');
  if (path.includes('%')) refuseHiddenSegments(path);

  if (path.startsWith('/v')) {
    for (let repeat = 0; repeat < 2 && (path === '/v1' || path.startsWith('/v1/')); repeat++) path = path.slice(3);
    if (OTHER_VERSION.test(path)) {
      throw new PlatformError(
        'UNSUPPORTED_VERSION',
        `This API has no version ${path.split('/', 2).join('')}. Use /v1.`,
      );
    }
  }
  if (path.endsWith('/')) path = path.slice(0, -1);
  if (path === '') path = '/';
  return queryAt === -1 ? path : path + target.slice(queryAt);
}

function refuseHiddenSegments(path: string): void {
  for (const encoded of path.split('/')) {
    let segment = encoded;
    for (let depth = 0; segment.includes('%'); depth++) {
      if (depth === DECODINGS_MAX) throw refused('The path is percent-encoded more than once. Encode it once.');
      let decoded: string;
      try {
        decoded = decodeURIComponent(segment);
      } catch {
        if (depth === 0)
          throw refused(
            'The path has a percent sign that does not begin an encoded character. Write a percent sign as %25.',
          );
        // A literal percent sign: there is nothing further to decode.
        break;
      }
      if (NOT_IN_A_SEGMENT.test(decoded) || decoded === '.' || decoded === '..') {
        throw refused(
          'The path has an encoded slash, backslash, control character or dot segment, which cannot be used in a path. Check the id in it.',
        );
      }
      segment = decoded;
    }
  }
}

function refused(message: string): PlatformError {
  return new PlatformError('BAD_REQUEST', message);
}
