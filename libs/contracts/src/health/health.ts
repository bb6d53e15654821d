import { z } from 'zod';

export const alive = z.object({ alive: z.literal(true) }).meta({ id: 'Alive' });
export const ready = z
  .object({
    ready: z.boolean(),
    checks: z.record(z.string(), z.enum(['ok', 'unavailable', 'degraded'])),
  })
  .meta({ id: 'Readiness' });
