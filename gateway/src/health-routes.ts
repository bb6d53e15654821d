import type { BusConnection } from '@event-commerce/bus';
import { PlatformError } from '@event-commerce/contracts';
import { checkReadiness, type ReadinessChecks } from '@event-commerce/service-kit';
import type { FastifyInstance } from 'fastify';
import { errorEnvelope } from './envelope.ts';
import type { RateLimiter } from './limit/rate-limit.ts';

/** How long an answer of `/readyz` is good for, so that asking often costs the dependencies nothing. */
const READINESS_MS = 1_000;

export interface HealthDeps {
  bus: BusConnection;
  rateLimiter: RateLimiter;
  readiness: ReadinessChecks;
  clock: () => number;
}

/** `/healthz`: this process is alive. `/readyz`: everything it depends on answers. Neither needs a key. */
export function addHealthRoutes(app: FastifyInstance, deps: HealthDeps, isDraining: () => boolean): void {
  app.get('/healthz', { config: { public: true } }, () => ({ status: 'ok', data: { alive: true } }));

  let checked: { atMs: number; checks: ReturnType<typeof checkReadiness> } | undefined;
  app.get('/readyz', { config: { public: true } }, async (request, reply) => {
    const now = deps.clock();
    if (checked === undefined || now - checked.atMs >= READINESS_MS) {
      checked = { atMs: now, checks: checkReadiness(deps.readiness) };
    }
    // Whether the broker and Redis answer is known at any time, and costs nothing to say.
    const required = { ...(await checked.checks), nats: deps.bus.isUp() ? 'ok' : 'unavailable' };
    // Without Redis requests are still served and limited, by each process for itself.
    const checks = { ...required, redis: deps.rateLimiter.isDegraded() ? 'degraded' : 'ok' };
    const ready = !isDraining() && Object.values(required).every((state) => state === 'ok');
    if (ready) return { status: 'ok', data: { ready, checks } };
    const message = isDraining() ? 'The gateway is going away.' : 'Something the gateway depends on does not answer.';
    const error = new PlatformError('SERVICE_UNAVAILABLE', message);
    reply.code(503);
    return { ...errorEnvelope(error, 'status', request.id), data: { ready, checks } };
  });
}
