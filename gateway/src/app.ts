import { METHODS } from 'node:http';
import { natsUrlsIn } from '@event-commerce/bus';
import type { ErrorCode, ServiceName } from '@event-commerce/contracts';
import {
  BODY_BYTES_MAX,
  type Logger,
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
import { admitRequests } from './auth/admit-requests.ts';
import type { Authenticate } from './auth/authenticate.ts';
import { closesInTime } from './close-in-time.ts';
import type { Config } from './config.ts';
import { consoleRoutes } from './console/console-routes.ts';
import { guideRoutes } from './guide/guide-routes.ts';
import { allowOrigins } from './cross-origin.ts';
import { docsRoutes } from './docs/docs-routes.ts';
import { type EnvelopeKind, errorEnvelope } from './envelope.ts';
import { evaluateRoute } from './forward/evaluate-route.ts';
import { forwardRoutes } from './forward/forward-routes.ts';
import { usageHandlers } from './forward/usage.ts';
import type { Upstream } from './forward/upstream.ts';
import { type HealthDeps, healthHandlers } from './health.ts';
import { idempotency } from './idempotency/idempotency.ts';
import type { IdempotencyRepository } from './idempotency/idempotency.repository.ts';
import type { KeyAdmin } from './keys/key-admin.ts';
import { keyHandlers } from './keys/key-handlers.ts';
import type { FailedAttempts } from './limit/failed-attempts.ts';
import type { ConcurrencyLimiter } from './limit/concurrency-limiter.ts';
import { limitCompanies } from './limit/limit-companies.ts';
import type { MemoryBudget } from './limit/memory-budget.ts';
import { createRequestLines } from './log/request-lines.ts';
import { TARGET_LENGTH_MAX } from './normalise-target.ts';
import { ownOperations } from './own-operations.ts';
import { refuseEncodedBodies } from './refuse-encoded-bodies.ts';
import { refuseOtherMethods } from './refuse-other-methods.ts';
import { refuseUnroutable, routableTarget } from './refuse-unroutable.ts';
import { requestIdOf } from './request-id.ts';

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

interface GatewayDeps extends HealthDeps {
  config: Config;
  logger: Logger;
  authenticate: Authenticate;
  failedAttempts: FailedAttempts;
  keyAdmin: KeyAdmin;
  idempotency: IdempotencyRepository;
  signIdentity: SignIdentity;
  upstreams: Readonly<Record<ServiceName, Upstream>>;
  limiters: Readonly<Record<ServiceName | 'gateway', ConcurrencyLimiter>>;
  memoryBudget: MemoryBudget;
  clock: () => number;
}

interface Gateway {
  app: FastifyInstance;
  /** Resolves when the requests in flight are answered. */
  close(): Promise<void>;
  /** From now on `/readyz` fails and connections are closed after their response; requests are still served. */
  startDraining(): void;
}

/** The gateway's HTTP side. */
export async function buildApp(deps: GatewayDeps): Promise<Gateway> {
  const { config, logger } = deps;
  let draining = false;

  const log: FastifyBaseLogger = logger;
  const app: FastifyInstance = Fastify({
    loggerInstance: log,
    childLoggerFactory: (_logger, { reqId }, _options, request) => new RequestLog(logger, String(reqId), request),
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: (raw) => requestIdOf(raw.headers['x-request-id']),
    bodyLimit: BODY_BYTES_MAX,
    routerOptions: { maxParamLength: TARGET_LENGTH_MAX },
    trustProxy: config.TRUSTED_PROXIES ?? false,
    requestTimeout: config.REQUEST_TIMEOUT_MS,
    keepAliveTimeout: config.KEEP_ALIVE_MS,
    // Closes the connection of a client that has stopped reading its response.
    // Until then the request may wait for a connection to the service, and for its response.
    connectionTimeout: 2 * config.UPSTREAM_TIMEOUT_MS + config.STALLED_READER_MS,
    http: {
      headersTimeout: config.HEADERS_TIMEOUT_MS,
      requestTimeout: config.REQUEST_TIMEOUT_MS,
      connectionsCheckingInterval: 500,
      // Refused below, with the platform's own message.
      requireHostHeader: false,
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
    rewriteUrl: routableTarget,
  });
  const close = closesInTime(app);
  for (const method of METHODS) {
    if (method !== 'CONNECT' && !app.supportedMethods.includes(method)) app.addHttpMethod(method);
  }

  app.decorateRequest('refusal', null);
  app.setErrorHandler(sendError);

  // The hooks of every request, in the order in which they run. Cheap refusals come before more expensive work.
  const observer = observeRequests(app, createRequestLines(logger));
  app.addHook('onRequest', (request, reply, done) => {
    setCommonHeaders(request, reply);
    done();
  });
  await allowOrigins(app, config.CORS_ORIGINS);
  refuseUnroutable(app);
  // Only after authentication: a caller without a valid key must not decide which traces are reported.
  admitRequests(app, { ...deps, onAuthenticated: (request) => observer.trace(request) });
  app.addHook('onRequest', observer.enter);
  refuseEncodedBodies(app);
  idempotency(app, { ...deps, records: deps.idempotency });
  limitCompanies(app, deps);
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (draining) reply.header('connection', 'close');
    done();
  });

  await app.register(docsRoutes, { natsUrls: natsUrlsIn(config.NATS_URL) });
  await app.register(consoleRoutes);
  await app.register(guideRoutes);
  await app.register(ownOperations, {
    ...healthHandlers(deps, () => draining),
    ...keyHandlers(deps.keyAdmin, deps.clock),
    ...usageHandlers({ ...deps, timeoutMs: config.UPSTREAM_TIMEOUT_MS }),
  });
  await app.register(evaluateRoute, { ...deps, keptListsBytesMax: config.HELD_BYTES_MAX / 8 });
  await app.register(forwardRoutes, { ...deps, timeoutMs: config.UPSTREAM_TIMEOUT_MS });
  refuseOtherMethods(app);
  await app.ready();

  return {
    app,
    close,
    startDraining: () => {
      draining = true;
    },
  };
}

function setCommonHeaders(request: FastifyRequest, reply: FastifyReply): void {
  reply.header('x-request-id', request.id);
  reply.header('x-content-type-options', 'nosniff');
  reply.header('cache-control', 'no-store');
}

function sendError(thrown: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const error = toPlatformError(thrown);
  request.refusal = error.code;
  if (error.statusCode >= 500) request.log.error({ err: error.cause ?? error, code: error.code }, error.message);
  if (error.retryAfterSeconds !== undefined) reply.header('retry-after', error.retryAfterSeconds);
  if (error.code === 'UNAUTHORIZED') reply.header('www-authenticate', 'Bearer');
  const kind = request.routeOptions?.config?.envelope ?? 'status';
  reply.code(error.statusCode);
  const body = errorEnvelope(error, kind, request.id);
  if (isUnread(request)) {
    // No hook of the route runs for this response.
    request.slot?.markAnswered();
    answerUnread(reply, body);
  } else {
    reply.send(body);
  }
}
