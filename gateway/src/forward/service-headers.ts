import type { IncomingHttpHeaders } from 'node:http';
import { IDENTITY_HEADER } from '@event-commerce/contracts';
import { isTraceparent, newTraceparent } from './trace-context.ts';

/**
 * What a caller can say to a service in a header; everything else ends here: hop-by-hop fields, the caller's key,
 * `x-forwarded-*`, and whatever looks like a header the platform itself would add. No `accept-encoding`, because
 * the envelope is written in front of plain JSON.
 */
const FROM_CALLER = ['accept', 'content-type', 'idempotency-key', 'if-match', 'if-none-match', 'user-agent'] as const;

/** What a service can say to a caller in a header. */
const FROM_SERVICE = ['content-type', 'etag', 'last-modified', 'location', 'retry-after'] as const;

export type Headers = Record<string, string | string[] | undefined>;

/** The headers of a request to a service. */
export function toServiceHeaders(given: IncomingHttpHeaders, requestId: string, identityToken: string): Headers {
  const headers: Headers = { 'x-request-id': requestId, [IDENTITY_HEADER]: identityToken };
  for (const name of FROM_CALLER) {
    const value = given[name];
    if (value !== undefined) headers[name] = value;
  }
  const traceparent = given['traceparent'] as string | undefined;
  if (isTraceparent(traceparent)) {
    headers['traceparent'] = traceparent;
    if (given['tracestate'] !== undefined) headers['tracestate'] = given['tracestate'];
  } else {
    headers['traceparent'] = newTraceparent();
  }
  return headers;
}

/** The headers of a service's answer that reach the caller. */
export function fromServiceHeaders(given: Headers): Headers {
  const headers: Headers = {};
  for (const name of FROM_SERVICE) {
    const value = given[name];
    if (value !== undefined) headers[name] = value;
  }
  return headers;
}
