import type { IncomingMessage } from 'node:http';
import { type Attempt, ATTEMPT_HEADER, formatAttempt, IDENTITY_HEADER, parseAttempt } from '@event-commerce/contracts';
import { isTraceparent, traceparentOf } from '@event-commerce/telemetry';
import type { Dispatcher } from 'undici';

/**
 * The headers that a caller may send to a service. Everything else is dropped: hop-by-hop fields, the caller's key,
 * `x-forwarded-*`, and anything that looks like a header that the platform adds. No `accept-encoding`, because the
 * envelope is written in front of plain JSON.
 */
const FROM_CALLER = [
  'accept',
  'content-type',
  'idempotency-key',
  'if-match',
  'if-none-match',
  'last-event-id',
  'user-agent',
] as const;

/** The headers that a service may send to a caller. */
const FROM_SERVICE = ['content-type', 'etag', 'last-modified', 'location', 'retry-after'] as const;

export type Headers = Record<string, string | string[] | undefined>;

/** A request to a service. */
export interface UpstreamRequest extends Dispatcher.DispatchOptions {
  headers: Headers;
}

/** The headers of `request` on its way to a service; `attempt` if it has an Idempotency-Key. */
export function toServiceHeaders(
  request: IncomingMessage,
  requestId: string,
  identityToken: string,
  attempt?: Attempt,
): Headers {
  const { headers: given } = request;
  const headers: Headers = {
    'x-request-id': requestId,
    [IDENTITY_HEADER]: identityToken,
    traceparent: traceparentOf(request),
  };
  if (attempt !== undefined) headers[ATTEMPT_HEADER] = formatAttempt(attempt);
  for (const name of FROM_CALLER) {
    const value = given[name];
    if (value !== undefined) headers[name] = value;
  }
  // It belongs to the trace that the caller names, not to another one.
  if (given['tracestate'] !== undefined && isTraceparent(given['traceparent']))
    headers['tracestate'] = given['tracestate'];
  return headers;
}

/** `headers` for another attempt at the same request; undefined without an attempt that the service would recognise. */
export function repeatedHeaders(headers: Headers): Headers | undefined {
  const sent = headers[ATTEMPT_HEADER];
  const attempt = typeof sent === 'string' ? parseAttempt(sent) : undefined;
  return attempt && { ...headers, [ATTEMPT_HEADER]: formatAttempt({ ...attempt, repeated: true }) };
}

/** The headers of a service's response that reach the caller. */
export function fromServiceHeaders(given: Headers): Headers {
  const headers: Headers = {};
  for (const name of FROM_SERVICE) {
    const value = given[name];
    if (value !== undefined) headers[name] = value;
  }
  return headers;
}
