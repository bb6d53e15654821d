import type { BusConnection } from '@event-commerce/bus';
import { notReady } from '@event-commerce/contracts';
import { checkReadiness, type ReadinessChecks, VERSION } from '@event-commerce/service-kit';
import { errorEnvelope } from './envelope.ts';
import type { RateLimiter } from './limit/rate-limit.ts';
import type { Handlers } from './own-operations.ts';

/** How long a result of `/readyz` is cached, so that frequent calls cost the dependencies nothing. */
const READINESS_CACHED_MS = 1_000;

export interface HealthDeps {
  bus: BusConnection;
  rateLimiter: RateLimiter;
  readiness: ReadinessChecks;
}

/** `/healthz`: this process is alive. `/readyz`: everything it depends on responds. Neither needs a key. */
export function healthHandlers(
  deps: HealthDeps,
  isDraining: () => boolean,
): Pick<Handlers, 'getHealth' | 'getReadiness'> {
  let checked: { atMs: number; checks: ReturnType<typeof checkReadiness> } | undefined;
  let lastChecks: Awaited<ReturnType<typeof checkReadiness>> = {};
  const check = async () => {
    lastChecks = await checkReadiness(deps.readiness);
    return lastChecks;
  };
  return {
    getHealth: async () => ({ alive: true, ...VERSION }),

    getReadiness: async (request, _input, reply) => {
      const now = performance.now();
      if (!isDraining() && (checked === undefined || now - checked.atMs >= READINESS_CACHED_MS)) {
        checked = { atMs: now, checks: check() };
      }
      // A load balancer must hear at once that this process is shutting down, even while a dependency hangs.
      const found = isDraining() ? lastChecks : await checked?.checks;
      // The state of the broker and Redis is always known, and free to report.
      const required = { ...found, nats: deps.bus.isUp() ? 'ok' : 'unavailable' } as const;
      // Without Redis, requests are still served; each process then limits on its own.
      const checks = { ...required, redis: deps.rateLimiter.isDegraded() ? 'degraded' : 'ok' } as const;
      const ready = !isDraining() && Object.values(required).every((state) => state === 'ok');
      if (ready) return { ready, checks };
      const error = notReady(isDraining());
      return reply
        .code(503)
        .header('retry-after', 1)
        .send({ ...errorEnvelope(error, 'status', request.id), data: { ready, checks } });
    },
  };
}
