import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import {
  ARRAY_LENGTH_MAX,
  type Attempt,
  ATTEMPT_HEADER,
  type ErrorBody,
  errorBody,
  type Cause,
  IDENTITY_HEADER,
  mayAsk,
  parseAttempt,
  PlatformError,
  type Scope,
  scopesOf,
  type Tenant,
  unsupportedMediaType,
} from '@event-commerce/contracts';
import { isTracing, traceparentOf } from '@event-commerce/telemetry';
import type { ZodTypeProvider } from '@fastify/type-provider-zod';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  LogController,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import type { z } from 'zod';
import { newId } from '../mongo/ids.ts';
import type { VerifiedIdentity, VerifyIdentity } from './identity.ts';
import { BODY_BYTES_MAX, parseJson } from './json.ts';
import type { Logger } from '../process/logger.ts';
import { toPlatformError } from './errors.ts';
import { observeRequests } from './observe-requests.ts';
import { addHealthRoutes, type ReadinessChecks } from './readiness.ts';
import { RequestLog } from './request-log.ts';
import { validateRequest } from './validate.ts';

/** Longer than the gateway keeps an idle connection, so that a service never closes one in use. */
const KEEP_ALIVE_MS = 75_000;

/** The gateway rejects longer targets, so here an id above the length limit is one that is unknown. */
const PATH_LENGTH_MAX = 8_192;

/** Who is asking, and under which ids: passed to every use case. */
export interface Caller {
  /** Whose records the caller may select: the first argument of store methods. */
  tenant: Tenant;
  /** The company as it is shown. */
  companyId: string;
  keyId: string;
  keyName?: string | undefined;
  requestId: string;
  /** The caller's signed identity, to call other services on the caller's behalf. */
  identityToken: string;
  /** For a request with an Idempotency-Key: see `makeOnce` and `wasChangedBy`. */
  attempt?: Attempt | undefined;
  /** W3C trace context of the request. */
  traceparent: string | undefined;
}

/** Whose records are written, and what led to it: a caller, or an event that is followed. */
export type Writer = Pick<Caller, 'tenant'> & Cause;

declare module 'fastify' {
  interface FastifyRequest {
    identity: VerifiedIdentity;
    /** The body as it was sent; undefined without one. */
    sentBytes: Buffer | undefined;
  }
}

/** What a company may know about its quotas. */
export type UsageOfQuotas = { usage: (tenant: Tenant) => Promise<object> };

export type ServiceApp = FastifyInstance<Server, IncomingMessage, ServerResponse, FastifyBaseLogger, ZodTypeProvider>;

/**
 * A service's HTTP side with everything that services share: JSON only, zod validation, the error form, request ids,
 * health, and identity: every route but `/healthz` and `/readyz` only accepts what the gateway signed for this service,
 * with the route's scope.
 */
export function createServiceApp(options: {
  logger: Logger;
  verifyIdentity: VerifyIdentity;
  readiness: ReadinessChecks;
  quotas: UsageOfQuotas;
  /** How long it still serves once it closes: see `closeWithResponses`. */
  drainMs?: number;
}): ServiceApp {
  const loggerInstance: FastifyBaseLogger = options.logger;
  const app = Fastify({
    loggerInstance,
    childLoggerFactory: (_logger, { reqId }, _options, request) =>
      new RequestLog(options.logger, String(reqId), request),
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_BYTES_MAX,
    keepAliveTimeout: KEEP_ALIVE_MS,
    requestIdHeader: 'x-request-id',
    genReqId: () => newId('req'),
    // A request that arrives on an open connection while the service closes still gets its response: a restart rejects
    // nobody.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: PATH_LENGTH_MAX },
  }).withTypeProvider<ZodTypeProvider>();
  const observer = observeRequests(app, (request, answer) => {
    if (!options.logger.isLevelEnabled('debug')) return;
    const { companyId, keyId } = request.identity ?? {};
    request.log.debug({ ...answer, companyId, keyId }, 'answered');
  });
  // Only the gateway calls a service, and it has decided which traces are reported.
  if (isTracing()) {
    app.addHook('onRequest', (request, reply, done) => {
      observer.trace(request);
      observer.enter(request, reply, done);
    });
  }

  closeWithResponses(app, options.drainMs ?? 0);
  acceptJsonOnly(app);
  app.setValidatorCompiler<z.ZodType>(({ schema, httpPart }) => {
    const root = (httpPart !== undefined && HTTP_PARTS[httpPart]) || 'body';
    return (input) => {
      try {
        // The framework turns an absent body into null.
        return { value: validateRequest(schema, input ?? undefined, root) };
      } catch (error) {
        return { error: error as Error };
      }
    };
  });
  app.setSerializerCompiler(() => JSON.stringify);
  app.setErrorHandler((error, request, reply) => sendError(error, request, reply));
  app.setNotFoundHandler((request, reply) =>
    sendError(new PlatformError('NOT_FOUND', 'There is nothing at this path. /docs lists the paths.'), request, reply),
  );
  addHealthRoutes(app, options.readiness);

  app.decorateRequest('identity');
  app.addHook('onRoute', ({ method, url, config }) => {
    if (config?.public !== true && config?.scope === undefined)
      throw new Error(`${String(method)} ${url} has no scope`);
  });
  app.addHook('onRequest', (request, _reply, done) => {
    const { config } = request.routeOptions;
    if (config.public === true) return done();
    request.identity = options.verifyIdentity(header(request, IDENTITY_HEADER));
    // The gateway has checked this. Here it stops a stolen token that was issued for something else.
    if (!mayAsk(config, request.identity.scopes)) {
      throw new PlatformError('FORBIDDEN', `This request needs the scope ${scopesOf(config)}. Use a key that has it.`);
    }
    done();
  });
  app.get('/usage', { config: { scope: 'any' } }, async (request) => ({
    data: await options.quotas.usage(request.identity.tenant),
  }));
  return app;
}

/**
 * Once the app closes, each response closes its connection, or the app would wait for the end of its keep-alive. It
 * takes requests for `drainMs` more. Meanwhile the gateway opens its next connections to another replica, and none
 * closes while the gateway sends a request on it, which it could not send again. By then it has closed its idle
 * connections, which it keeps for a second.
 */
function closeWithResponses(app: Pick<FastifyInstance, 'addHook'>, drainMs: number): void {
  let closing = false;
  app.addHook('preClose', async () => {
    closing = true;
    await delay(drainMs);
  });
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (closing) reply.header('connection', 'close');
    done();
  });
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Served without identity: health only. */
    public?: boolean;
    /** The scope that the caller's key needs; `any` if every key will do. */
    scope?: Scope | 'any' | undefined;
    /** A scope that will do too. */
    orScope?: Scope | undefined;
  }
}

/** The caller of `request`, according to its identity token. */
export function callerOf(request: FastifyRequest): Caller {
  return {
    tenant: request.identity.tenant,
    companyId: request.identity.companyId,
    keyId: request.identity.keyId,
    keyName: request.identity.keyName,
    requestId: request.id,
    attempt: parseAttempt(header(request, ATTEMPT_HEADER)),
    identityToken: header(request, IDENTITY_HEADER) ?? '',
    traceparent: traceparentOf(request.raw),
  };
}

/** The names of a request's parts in errors about a whole part. */
const HTTP_PARTS: Readonly<Record<string, string>> = { body: 'body', querystring: 'query', params: 'path' };

/** Parses JSON bodies, and merge patches of PATCH, with the platform's limits; returns 415 for everything else. */
export function acceptJsonOnly(
  app: Pick<FastifyInstance, 'removeAllContentTypeParsers' | 'addContentTypeParser' | 'decorateRequest'>,
): void {
  app.decorateRequest('sentBytes');
  app.removeAllContentTypeParsers();
  const types = ['application/json', MERGE_PATCH];
  app.addContentTypeParser(types, { parseAs: 'buffer' }, (request, body, done) => {
    if (request.method !== 'PATCH' && isMergePatch(request)) return done(unsupportedMediaType());
    if (body.length === 0) return done(null, undefined);
    request.sentBytes = body as Buffer;
    try {
      return done(null, parseJson(body as Buffer, { arrayLengthMax: ARRAY_LENGTH_MAX }));
    } catch (error) {
      return done(error as Error);
    }
  });
}

const MERGE_PATCH = 'application/merge-patch+json';

function isMergePatch(request: FastifyRequest): boolean {
  return header(request, 'content-type')?.toLowerCase().startsWith(MERGE_PATCH) ?? false;
}

function sendError(thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const error = toPlatformError(thrown);
  if (error.statusCode >= 500) request.log.error({ err: error.cause ?? error, code: error.code }, error.message);
  if (error.retryAfterSeconds !== undefined) void reply.header('retry-after', error.retryAfterSeconds);
  return reply.code(error.statusCode).send(errorBody(error, request.id) satisfies ErrorBody);
}

function header(request: FastifyRequest, headerName: string): string | undefined {
  const value = request.headers[headerName];
  return typeof value === 'string' ? value : undefined;
}
