import type { IncomingMessage, ServerResponse } from 'node:http';
import { expectationFailed, PlatformError, shortened } from '@event-commerce/contracts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { countHeaders } from './auth/admit-requests.ts';
import { normaliseTarget } from './normalise-target.ts';

/** Why a request cannot be routed: a hook responds with it. */
const unroutable = Symbol('unroutable');
type RawRequest = IncomingMessage & { [unroutable]?: unknown };

/** No route has this path. */
const NOWHERE = '/-';
const PATH_SHOWN_MAX = 100;

/** The target of a request as it is routed; an error is kept for `refuseUnroutable`. */
export function routableTarget(raw: RawRequest): string {
  try {
    return normaliseTarget(raw.url ?? '');
  } catch (error) {
    raw[unroutable] = error;
    return NOWHERE;
  }
}

/** Refuses a request without a route before it costs anything. */
export function refuseUnroutable(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const refused = (request.raw as RawRequest)[unroutable];
    if (refused !== undefined) throw refused;
    const hosts = countHeaders(request, 'host');
    if (hosts > 1 || (hosts === 0 && request.raw.httpVersion !== '1.0')) {
      throw new PlatformError('BAD_REQUEST', 'Send exactly one Host header.');
    }
    // Not in a handler: the body would be read first.
    if (hasNoRoute(request)) throw nothingAt(request);
    done();
  });
  app.server.on('checkExpectation', (raw: RawRequest, response: ServerResponse) => {
    raw[unroutable] = expectationFailed();
    app.routing(raw, response);
  });
}

/** The path is shown as it was sent, because its mistake is easily overlooked. */
function nothingAt({ originalUrl }: FastifyRequest): PlatformError {
  const [path = ''] = originalUrl.split('?');
  const message = `There is nothing at ${shortened(path, PATH_SHOWN_MAX)}. Paths are case-sensitive; /docs lists them.`;
  return new PlatformError('NOT_FOUND', message);
}

/** `*` is there for preflights of any path. */
function hasNoRoute({ is404, routeOptions }: FastifyRequest): boolean {
  return is404 || routeOptions.url === '*';
}
