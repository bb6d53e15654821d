import { z } from 'zod';
import type { Operation } from '../operation.ts';

export const alive = z.object({ alive: z.literal(true) });
export const ready = z.object({
  ready: z.boolean(),
  checks: z.record(z.string(), z.enum(['ok', 'unavailable', 'degraded'])),
});

export const HEALTH_OPERATIONS: readonly Operation[] = [
  {
    id: 'getHealth',
    method: 'GET',
    path: '/healthz',
    tag: 'Health',
    summary: 'Whether the platform is alive',
    answer: { statuses: { 200: 'It is alive.' }, data: alive },
    examples: { alive: { summary: 'Ask' } },
  },
  {
    id: 'getReadiness',
    method: 'GET',
    path: '/readyz',
    tag: 'Health',
    summary: 'Whether the platform is ready',
    description: 'Everything that it depends on answers. Without Redis it is ready, and limits each process by itself.',
    answer: { statuses: { 200: 'It is ready.' }, data: ready },
    errors: { SERVICE_UNAVAILABLE: 'Something does not answer, or the gateway is going away. `data` says what.' },
    examples: { ready: { summary: 'Ask' } },
  },
];
