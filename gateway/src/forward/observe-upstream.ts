import { shownPath } from '@event-commerce/service-kit';
import { durationHistogram, isTracing, openSpan, SpanKind } from '@event-commerce/telemetry';
import type { Attributes } from '@opentelemetry/api';
import type { UpstreamRequest } from './service-headers.ts';

const recordDuration = durationHistogram(
  'http.client.request.duration',
  'How long services took to respond to requests over HTTP.',
);

/** Called when a request ends: with the status of its response, or the name of the error. */
export type Ended = (result: number | string) => void;

/**
 * Measures the requests to the service at `origin`, and traces each as a child of its `traceparent`, which it replaces.
 */
export function observeUpstream(origin: URL): (request: UpstreamRequest) => Ended {
  const known = new Map<string, Attributes>();
  const server = {
    'server.address': origin.hostname,
    'server.port': Number(origin.port || (origin.protocol === 'https:' ? 443 : 80)),
  };

  /** Created once for each combination. */
  const attributesOf = (method: string, result: number | string): Attributes => {
    const key = `${method} ${result}`;
    let attributes = known.get(key);
    if (attributes === undefined) {
      attributes = { 'http.request.method': method, ...server, ...resultAttributes(result) };
      known.set(key, attributes);
    }
    return attributes;
  };

  return (request) => {
    const beganMs = performance.now();
    const span = isTracing() ? clientSpan(origin, request, server) : undefined;
    return (result) => {
      recordDuration(beganMs, attributesOf(request.method, result));
      span?.end({
        attributes: typeof result === 'number' ? { 'http.response.status_code': result } : {},
        errorType: typeof result === 'number' && result < 400 ? undefined : String(result),
      });
    };
  };
}

function resultAttributes(result: number | string): Attributes {
  if (typeof result === 'string') return { 'error.type': result };
  return { 'http.response.status_code': result, ...(result < 400 ? {} : { 'error.type': String(result) }) };
}

function clientSpan(origin: URL, request: UpstreamRequest, server: Attributes) {
  const { headers } = request;
  const { traceparent } = headers;
  const span = openSpan({
    name: request.method,
    kind: SpanKind.CLIENT,
    parent: typeof traceparent === 'string' ? traceparent : undefined,
    attributes: {
      'http.request.method': request.method,
      'url.full': `${origin.origin}${shownPath(request.path)}`,
      ...server,
    },
  });
  headers['traceparent'] = span.traceparent;
  return span;
}
