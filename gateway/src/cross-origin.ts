import cors, { type FastifyCorsOptions } from '@fastify/cors';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** The response headers that a client in a browser may read. */
const EXPOSED_HEADERS = [
  'allow',
  'etag',
  'idempotent-replayed',
  'ratelimit',
  'ratelimit-policy',
  'retry-after',
  'x-request-id',
];
/** How long a browser remembers that it may send a request. */
const PREFLIGHT_SECONDS = 600;

/**
 * Lets pages of `origins` call the platform from a browser, with a key in the Authorization header. A browser asks
 * first, without the key, so this comes before authentication.
 */
export async function allowOrigins(app: FastifyInstance, origins: readonly string[]): Promise<void> {
  const options: FastifyCorsOptions = {
    origin: [...origins],
    methods: ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'],
    exposedHeaders: EXPOSED_HEADERS,
    maxAge: PREFLIGHT_SECONDS,
  };
  const requestOptions: FastifyCorsOptions = { ...options, preflight: false };
  await app.register(cors, {
    delegator: (request, callback) => callback(null, isPreflight(request) ? options : requestOptions),
  });
}

/** Every other OPTIONS request is refused like any method that a path does not have. */
function isPreflight({ method, headers }: FastifyRequest): boolean {
  return method === 'OPTIONS' && headers.origin !== undefined && 'access-control-request-method' in headers;
}
