import { METHODS, type ServerResponse } from 'node:http';
import { type ErrorCode, expectationFailed, PlatformError, type ServiceName } from '@event-commerce/contracts';
import {
  BODY_BYTES_MAX,
  type Logger,
  newId,
  observeRequests,
  RequestLog,
  type SignIdentity,
  toPlatformError,
} from '@event-commerce/service-kit';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { answerClientError } from './answer-client-error.ts';
import { answerUnread, isUnread } from './answer-unread.ts';
import { admitRequests, countHeaders } from './auth/admit-requests.ts';
import type { Authenticate } from './auth/authenticate.ts';
import { consoleRoutes } from './console/console-routes.ts';
import { docsRoutes } from './docs/docs-routes.ts';
import { type EnvelopeKind, errorEnvelope } from './envelope.ts';
import { evaluateRoute } from './forward/evaluate-route.ts';
import { proxyRoutes } from './forward/proxy-routes.ts';
import { usageHandlers } from './forward/usage.ts';
import type { Upstream } from './forward/upstream.ts';
import { type HealthDeps, healthHandlers } from './health.ts';
import { answerOnce } from './idempotency/answer-once.ts';
import type { IdempotencyRepository } from './idempotency/idempotency.repository.ts';
import type { KeyAdmin } from './keys/key-admin.ts';
import { keyHandlers } from './keys/key-handlers.ts';
import { cellClock } from './limit/cell-rate.ts';
import { createFailedAttempts } from './limit/failed-attempts.ts';
import type { HeldBytes } from './limit/held-bytes.ts';
import type { Places } from './limit/places.ts';
import { shareAmongCompanies } from './limit/share-among-companies.ts';
import { createRequestLines } from './log/request-lines.ts';
import { normaliseTarget, TARGET_LENGTH_MAX } from './normalise-target.ts';
import { ownOperations } from './own-operations.ts';
import { refuseOtherMethods } from './refuse-other-methods.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The code of an error that the gateway itself returned. */
    refusal: ErrorCode | null;
  }
  interface FastifyContextConfig {
    envelope?: EnvelopeKind;
    /** On 405 responses: the allowed methods. */
    allow?: string;
  }
}

const REQUEST_ID = /^[!-~]{1,128}$/;
/** Why a request cannot be routed: the first hook responds with it. */
const refusal = Symbol('refusal');
type RawRequest = FastifyRequest['raw'] & { [refusal]?: unknown };

interface GatewayDeps extends HealthDeps {
  logger: Logger;
  authenticate: Authenticate;
  keyAdmin: KeyAdmin;
  idempotency: IdempotencyRepository;
  signIdentity: SignIdentity;
  urls: Readonly<Record<ServiceName, string>>;
  upstreams: Readonly<Record<ServiceName, Upstream>>;
  upstreamTimeoutMs: number;
  places: Readonly<Record<ServiceName, Places>>;
  heldBytes: HeldBytes;
  keptListsBytesMax: number;
  headersTimeoutMs: number;
  requestTimeoutMs: number;
  stalledReaderMs: number;
  keepAliveMs: number;
  trustedProxies: readonly string[] | undefined;
  natsUrls: readonly string[];
  clock: () => number;
}

interface Gateway {
  app: FastifyInstance;
  /** From now on `/readyz` fails and connections are closed after their response; requests are still served. */
  startDraining(): void;
}

/** The gateway's HTTP side. Closing the app waits for the requests in flight. */
export async function buildApp(deps: GatewayDeps): Promise<Gateway> {
  let draining = false;

  const log: FastifyBaseLogger = deps.logger;
  const app: FastifyInstance = Fastify({
    loggerInstance: log,
    childLoggerFactory: (_logger, { reqId }, _options, request) => new RequestLog(deps.logger, String(reqId), request),
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: (raw) => requestIdOf(raw.headers['x-request-id']),
    bodyLimit: BODY_BYTES_MAX,
    routerOptions: { maxParamLength: TARGET_LENGTH_MAX },
    trustProxy: deps.trustedProxies === undefined ? false : [...deps.trustedProxies],
    requestTimeout: deps.requestTimeoutMs,
    keepAliveTimeout: deps.keepAliveMs,
    // Closes the connection of a client that has stopped reading its response.
    // Until then the request may wait for a place at a service, and for the service.
    connectionTimeout: 2 * deps.upstreamTimeoutMs + deps.stalledReaderMs,
    http: {
      headersTimeout: deps.headersTimeoutMs,
      requestTimeout: deps.requestTimeoutMs,
      connectionsCheckingInterval: 500,
    },
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    clientErrorHandler: answerClientError,
    frameworkErrors: (error, request, reply) => {
      // A request that could not be routed arrives without the decorations below.
      Object.assign(request, { caller: null, refusal: null, heldKey: null });
      observer.begin(request, reply);
      setCommonHeaders(request, reply);
      sendError(error, request, reply);
    },
    rewriteUrl: (raw) => {
      try {
        return normaliseTarget(raw.url ?? '');
      } catch (error) {
        (raw as RawRequest)[refusal] = error;
        return '/';
      }
    },
  });
  for (const method of METHODS) {
    if (method !== 'CONNECT' && !app.supportedMethods.includes(method)) app.addHttpMethod(method);
  }

  function setCommonHeaders(request: FastifyRequest, reply: FastifyReply): void {
    reply.header('x-request-id', request.id);
    reply.header('x-content-type-options', 'nosniff');
    reply.header('cache-control', 'no-store');
  }

  const observer = observeRequests(app, createRequestLines(deps.logger));
  app.decorateRequest('refusal', null);
  app.addHook('onRequest', (request, reply, done) => {
    setCommonHeaders(request, reply);
    const refused = (request.raw as RawRequest)[refusal];
    if (refused !== undefined) throw refused;
    if (countHeaders(request, 'host') > 1) throw new PlatformError('BAD_REQUEST', 'Send one Host header.');
    // Not in a handler: until then the body would be read.
    if (request.is404) throw new PlatformError('NOT_FOUND', 'There is nothing under this path.');
    done();
  });
  admitRequests(app, {
    ...deps,
    failedAttempts: createFailedAttempts(cellClock),
    // Only now: a caller without a valid key must not decide which traces are reported.
    onAuthenticated: (request) => observer.trace(request),
  });
  app.addHook('onRequest', observer.enter);
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (draining) reply.header('connection', 'close');
    done();
  });

  function sendError(thrown: unknown, request: FastifyRequest, reply: FastifyReply): void {
    const error = toPlatformError(thrown);
    request.refusal = error.code;
    if (error.statusCode >= 500) request.log.error({ err: error.cause ?? error, code: error.code }, error.message);
    if (error.retryAfterSeconds !== undefined) reply.header('retry-after', error.retryAfterSeconds);
    if (error.code === 'UNAUTHORIZED') reply.header('www-authenticate', 'Bearer');
    const kind = request.routeOptions?.config?.envelope ?? 'status';
    reply.code(error.statusCode);
    const body = errorEnvelope(error, kind, request.id);
    if (isUnread(request)) answerUnread(reply, body);
    else reply.send(body);
  }
  app.setErrorHandler((error, request, reply) => sendError(error, request, reply));

  answerOnce(app, { records: deps.idempotency });
  shareAmongCompanies(app, deps);
  await app.register(docsRoutes, { natsUrls: deps.natsUrls });
  await app.register(consoleRoutes);
  await app.register(ownOperations, {
    ...healthHandlers(deps, () => draining),
    ...keyHandlers(deps.keyAdmin, deps.clock),
    ...usageHandlers(deps),
  });
  await app.register(evaluateRoute, deps);
  await app.register(proxyRoutes, {
    urls: deps.urls,
    upstreams: deps.upstreams,
    signIdentity: deps.signIdentity,
    timeoutMs: deps.upstreamTimeoutMs,
  });
  refuseOtherMethods(app);
  await app.ready();
  app.server.on('checkExpectation', (raw: RawRequest, response: ServerResponse) => {
    raw[refusal] = expectationFailed();
    app.routing(raw, response);
  });

  return {
    app,
    startDraining: () => {
      draining = true;
    },
  };
}

function requestIdOf(given: string | string[] | undefined): string {
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : newId('req');
}
