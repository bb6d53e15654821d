import {
  hasCode,
  keyMissing,
  mayAsk,
  PlatformError,
  rateLimited,
  rootKeyOnly,
  scopeMissing,
  scopesOf,
} from '@event-commerce/contracts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { FailedAttempts } from '../limit/failed-attempts.ts';
import type { RateLimit, RateLimiter, Verdict } from '../limit/rate-limit.ts';
import type { Authenticate } from './authenticate.ts';
import type { Caller } from './caller.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Null until the key has been validated. */
    caller: Caller | null;
  }
}

/**
 * Admits a request if its key is valid, within its rate limit, and has the scope of the route. Public routes need no
 * key.
 */
export function admitRequests(
  app: FastifyInstance,
  deps: {
    authenticate: Authenticate;
    failedAttempts: FailedAttempts;
    rateLimiter: Pick<RateLimiter, 'take'>;
    onAuthenticated(request: FastifyRequest): void;
  },
): void {
  const { failedAttempts } = deps;

  async function authenticate(request: FastifyRequest): Promise<Caller> {
    const { authorization } = request.headers;
    // Not a failed attempt: a client that sends no key is not guessing one.
    if (authorization === undefined) throw keyMissing();
    const beforeGuess = async () => {
      const waitMs = await failedAttempts.waitMs(request.ip);
      if (waitMs > 0) throw tooManyAttempts(waitMs);
    };
    try {
      if (countHeaders(request, 'authorization') > 1) {
        throw new PlatformError('UNAUTHORIZED', 'Send only one Authorization header.');
      }
      return await deps.authenticate(authorization, beforeGuess);
    } catch (error) {
      if (!hasCode(error, 'UNAUTHORIZED')) throw error;
      const waitMs = await failedAttempts.count(request.ip);
      if (waitMs === 0) throw error;
      throw tooManyAttempts(waitMs);
    }
  }

  app.decorateRequest('caller', null);
  app.addHook('onRequest', async (request, reply) => {
    const { config } = request.routeOptions;
    if (config.public === true) return;

    const caller = await authenticate(request);
    request.caller = caller;
    deps.onAuthenticated(request);

    const verdict = await deps.rateLimiter.take(caller.buckets);
    const limit = rateLimitHeaders(caller.rateLimit, verdict);
    reply.header('ratelimit-policy', limit.policy);
    reply.header('ratelimit', limit.state);
    if (!verdict.allowed) throw rateLimited(wholeSeconds(verdict.resetMs));

    if (config.scope === undefined || config.scope === 'any') return;
    if (config.scope !== 'keys:admin' && caller.identity === undefined) throw rootKeyOnly();
    if (!mayAsk(config, caller.scopes)) throw scopeMissing(scopesOf(config));
  });
}

/** The RateLimit fields (IETF httpapi draft, September 2025): quoted policy name, whole numbers, rounded up. */
function rateLimitHeaders(limit: RateLimit, verdict: Verdict): { policy: string; state: string } {
  return {
    policy: `"default";q=${limit.burst};w=${Math.ceil(limit.burst / limit.perSecond)}`,
    state: `"default";r=${verdict.remaining};t=${wholeSeconds(verdict.resetMs)}`,
  };
}

/** `ms` in seconds, rounded up, and at least one. */
function wholeSeconds(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1000));
}

function tooManyAttempts(waitMs: number): PlatformError {
  return new PlatformError(
    'RATE_LIMITED',
    'Too many requests with an invalid API key from this address. Check the key before you try again.',
    {
      retryAfterSeconds: wholeSeconds(waitMs),
    },
  );
}

/** How many times a header was sent: the parsed headers keep only the first of some. */
export function countHeaders({ raw: { rawHeaders } }: FastifyRequest, name: string): number {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const header = rawHeaders[at] as string;
    if (header.length === name.length && header.toLowerCase() === name) count++;
  }
  return count;
}
