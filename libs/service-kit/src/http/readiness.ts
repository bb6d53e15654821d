import { OPERATIONS } from '@event-commerce/contracts';
import type { FastifyInstance } from 'fastify';
import { VERSION } from '../process/version.ts';

/**
 * The checks of a process's dependencies, by name. One that rejects makes `/readyz` 503; what one resolves with is
 * shown as a note, and the process is still ready.
 */
export type ReadinessChecks = Record<string, () => Promise<string | void>>;

/** `/healthz`: this process is alive. `/readyz`: everything it depends on responds. Neither needs a key. */
export function addHealthRoutes(app: Pick<FastifyInstance, 'get'>, readiness: ReadinessChecks): void {
  app.get(OPERATIONS.getHealth.url, { config: { public: true } }, () => ({ data: { alive: true, ...VERSION } }));
  app.get(OPERATIONS.getReadiness.url, { config: { public: true } }, async (_request, reply) => {
    const checks = await checkReadiness(readiness);
    const ready = Object.values(checks).every((state) => state !== UNAVAILABLE);
    return reply.code(ready ? 200 : 503).send({ data: { ready, checks } });
  });
}

const UNAVAILABLE = 'unavailable';

/** The state of every dependency by name: `ok`, a note, or `unavailable`. */
export async function checkReadiness(readiness: ReadinessChecks): Promise<Record<string, string>> {
  const states = await Promise.all(
    Object.entries(readiness).map(async ([dependency, check]) => {
      try {
        return [dependency, (await check()) ?? 'ok'] as const;
      } catch {
        return [dependency, UNAVAILABLE] as const;
      }
    }),
  );
  return Object.fromEntries(states);
}
