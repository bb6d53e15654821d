import { z } from 'zod';

export const alive = z.object({ alive: z.literal(true) });
export const ready = z.object({
  ready: z.boolean(),
  checks: z.record(z.string(), z.enum(['ok', 'unavailable', 'degraded'])),
});
