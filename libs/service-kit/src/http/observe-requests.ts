import {
  durationHistogram,
  isTraceparent,
  isTracing,
  type OpenSpan,
  openSpan,
  setTraceparent,
  SpanKind,
  upDownCounts,
} from '@event-commerce/telemetry';
import type { Attributes } from '@opentelemetry/api';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { shownPath } from './shown-path.ts';

/** The label for values that could be anything: labels must not grow with what people send. */
const UNKNOWN_ROUTE = 'unknown';
const OTHER_METHOD = '_OTHER';
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
/** The client disconnected before the response; other servers use this status too. */
const CLIENT_CLOSED = 499;

const recordDuration = durationHistogram('http.server.request.duration', 'How long HTTP requests took to be answered.');

interface RequestObserver {
  /** Measures `request` until its response is sent. */
  begin(request: FastifyRequest, reply: FastifyReply): void;
  /**
   * Continues the trace in the request's headers, whose sender decides whether it is reported: call it once the sender
   * may decide that. A request that gets its response before is a trace of its own.
   */
  trace(request: FastifyRequest): void;
  /** A hook: what follows it is part of the request's span. */
  enter: (request: FastifyRequest, reply: FastifyReply, done: () => void) => void;
}

/** The outcome of a request. */
export interface Answer {
  method: string;
  /** The path as declared, or `unknown`. */
  route: string;
  /** 499 if the client disconnected before the response. */
  status: number;
  /** From the last byte of the request's head to the last of the response. */
  ms: number;
}

/**
 * Measures every request to `app`, and calls `answered` when its response is sent. Must come before every other hook; a
 * later one calls `trace`, and `enter` follows it.
 */
export function observeRequests(
  app: FastifyInstance,
  answered: (request: FastifyRequest, answer: Answer) => void,
): RequestObserver {
  const underWay = upDownCounts('http.server.active_requests', 'HTTP requests in flight.', 'http.request.method');
  const known = new Map<string, Map<string, Attributes[]>>();

  /** Created once for each combination: recording must take no more than a microsecond. */
  const attributesOf = (route: string, method: string, status: number): Attributes => {
    let ofRoute = known.get(route);
    if (ofRoute === undefined) known.set(route, (ofRoute = new Map()));
    let ofMethod = ofRoute.get(method);
    if (ofMethod === undefined) ofRoute.set(method, (ofMethod = []));
    return (ofMethod[status] ??= {
      'http.request.method': method,
      'http.route': route,
      'http.response.status_code': status,
      'url.scheme': 'http',
      ...(status >= 500 ? { 'error.type': String(status) } : {}),
    });
  };

  /** What is traced, and since when (`performance.now()`). */
  const began = new WeakMap<FastifyRequest, number>();
  const spans = new WeakMap<FastifyRequest, OpenSpan>();

  const begin = (request: FastifyRequest, reply: FastifyReply): void => {
    const beganMs = performance.now();
    const method = methodOf(request);
    const traced = isTracing() && !isPublic(request);
    if (traced) began.set(request, beganMs);
    underWay.change(method, 1);
    reply.raw.once('close', () => {
      const route = routeOf(request);
      const status = reply.raw.headersSent ? reply.raw.statusCode : CLIENT_CLOSED;
      underWay.change(method, -1);
      recordDuration(beganMs, attributesOf(route, method, status));
      if (traced) {
        const span = spans.get(request) ?? serverSpan(request, beganMs);
        span.end({
          attributes: { 'http.response.status_code': status },
          errorType: status >= 500 ? String(status) : undefined,
        });
      }
      answered(request, { method, route, status, ms: Math.round(performance.now() - beganMs) });
    });
  };

  const trace = (request: FastifyRequest): void => {
    const beganMs = began.get(request);
    if (beganMs === undefined) return;
    const { traceparent } = request.headers;
    spans.set(request, serverSpan(request, beganMs, isTraceparent(traceparent) ? traceparent : undefined));
  };

  const enter = (request: FastifyRequest, _reply: FastifyReply, done: () => void): void => {
    const span = spans.get(request);
    if (span === undefined) done();
    else span.run(done);
  };

  app.addHook('onRequest', (request, reply, done) => {
    begin(request, reply);
    done();
  });
  // Reading the body left the span: its chunks arrive outside of it.
  if (isTracing()) app.addHook('preHandler', enter);
  return { begin, trace, enter };
}

function methodOf(request: FastifyRequest): string {
  return METHODS.has(request.method) ? request.method : OTHER_METHOD;
}

function routeOf(request: FastifyRequest): string {
  if (request.is404) return UNKNOWN_ROUTE;
  const { url, method } = request.routeOptions.config ?? {};
  // A route for many methods exists to reject them.
  return url === undefined || (Array.isArray(method) && method.length > 1) ? UNKNOWN_ROUTE : url;
}

/** Probes arrive every few seconds, and would only clutter the traces. */
function isPublic(request: FastifyRequest): boolean {
  return request.routeOptions.config?.public === true;
}

function serverSpan(request: FastifyRequest, beganMs: number, parent?: string): OpenSpan {
  const method = methodOf(request);
  const route = routeOf(request);
  const agoMs = performance.now() - beganMs;
  const span = openSpan({
    name: route === UNKNOWN_ROUTE ? method : `${method} ${route}`,
    kind: SpanKind.SERVER,
    parent,
    // With an explicit start, the end of a span is only known to the millisecond, so most get none.
    startTime: agoMs < 1 ? undefined : Math.floor(Date.now() - agoMs),
    attributes: {
      'http.request.method': method,
      'http.route': route,
      'url.path': shownPath(request.url),
      'url.scheme': 'http',
    },
  });
  setTraceparent(request.raw, span.traceparent);
  return span;
}
