import { z } from 'zod';

export const alive = z
  .object({
    alive: z.literal(true),
    version: z.string().describe('The release that the gateway runs.'),
    commit: z.string().exactOptional().describe('The commit that it was built from, if the build was told.'),
  })
  .meta({ id: 'Alive' });
export const ready = z
  .object({
    ready: z.boolean(),
    checks: z.record(z.string(), z.enum(['ok', 'unavailable', 'degraded'])),
  })
  .meta({ id: 'Readiness' });
