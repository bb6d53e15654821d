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

/** What a label says where the value could be anything: it must not grow with what people send. */
const UNKNOWN_ROUTE = 'unknown';
const OTHER_METHOD = '_OTHER';
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
/** The client went away before there was an answer; as other servers call it. */
const CLIENT_CLOSED = 499;

const recordDuration = durationHistogram('http.server.request.duration', 'How long HTTP requests took to be answered.');

export interface RequestObserver {
  /** Measures `request` until its answer is out, and traces it; the span is what its handling is part of. */
  begin(request: FastifyRequest, reply: FastifyReply): OpenSpan | undefined;
}

/** How a request was answered. */
export interface Answer {
  method: string;
  /** The path as it is declared, or `unknown`. */
  route: string;
  /** 499 if the client went away before there was an answer. */
  status: number;
  /** From the last byte of the request's head to the last of the answer. */
  ms: number;
}

/**
 * Measures and traces every request to `app`, and tells `answered` of it when its answer is out. Must come before every
 * other hook.
 */
export function observeRequests(
  app: FastifyInstance,
  answered: (request: FastifyRequest, answer: Answer) => void,
): RequestObserver {
  const underWay = upDownCounts('http.server.active_requests', 'HTTP requests under way.', 'http.request.method');
  const known = new Map<string, Map<string, Attributes[]>>();

  /** Made once for each combination: what is measured has to find its place in a microsecond. */
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

  const begin = (request: FastifyRequest, reply: FastifyReply): OpenSpan | undefined => {
    const beganMs = performance.now();
    const method = METHODS.has(request.method) ? request.method : OTHER_METHOD;
    const route = routeOf(request);
    const span = isTracing() && !isPublic(request) ? serverSpan(request, method, route) : undefined;
    underWay.change(method, 1);
    reply.raw.once('close', () => {
      const status = reply.raw.headersSent ? reply.raw.statusCode : CLIENT_CLOSED;
      underWay.change(method, -1);
      recordDuration(beganMs, attributesOf(route, method, status));
      span?.end({
        attributes: { 'http.response.status_code': status },
        errorType: status >= 500 ? String(status) : undefined,
      });
      answered(request, { method, route, status, ms: Math.round(performance.now() - beganMs) });
    });
    return span;
  };

  const spans = new WeakMap<FastifyRequest, OpenSpan>();
  app.addHook('onRequest', (request, reply, done) => {
    const span = begin(request, reply);
    if (span === undefined) return done();
    spans.set(request, span);
    span.run(done);
  });
  if (isTracing()) {
    // Reading the body led out of the span: its pieces arrive as part of nothing.
    app.addHook('preHandler', (request, _reply, done) => {
      const span = spans.get(request);
      if (span === undefined) done();
      else span.run(done);
    });
  }
  return { begin };
}

function routeOf(request: FastifyRequest): string {
  if (request.is404) return UNKNOWN_ROUTE;
  const { url, method } = request.routeOptions.config ?? {};
  // A route for many methods is there to refuse them.
  return url === undefined || (Array.isArray(method) && method.length > 1) ? UNKNOWN_ROUTE : url;
}

/** Probes ask every few seconds; in traces they would only be in the way. */
function isPublic(request: FastifyRequest): boolean {
  return request.routeOptions.config?.public === true;
}

function serverSpan(request: FastifyRequest, method: string, route: string): OpenSpan {
  const { traceparent } = request.headers;
  const span = openSpan({
    name: route === UNKNOWN_ROUTE ? method : `${method} ${route}`,
    kind: SpanKind.SERVER,
    parent: isTraceparent(traceparent) ? traceparent : undefined,
    attributes: {
      'http.request.method': method,
      'http.route': route,
      'url.path': request.url.split('?', 1)[0] ?? '',
      'url.scheme': 'http',
    },
  });
  setTraceparent(request.raw, span.traceparent);
  return span;
}
