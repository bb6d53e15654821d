import { alive, ready } from './health.ts';
import { notReady } from '../errors/general-refusals.ts';
import { type Declarations, operations } from '../operations/operation.ts';

export const HEALTH_OPERATIONS = operations('gateway', 'Health', {
  getHealth: {
    method: 'GET',
    path: '/healthz',
    summary: 'Whether the platform is alive',
    answer: { statuses: { 200: 'It is alive.' }, data: alive },
    examples: { alive: { summary: 'Ask' } },
  },
  getReadiness: {
    method: 'GET',
    path: '/readyz',
    summary: 'Whether the platform is ready',
    description:
      'Whether everything that the gateway depends on responds. Without Redis it is still ready, and each process counts rate limits on its own.',
    answer: { statuses: { 200: 'It is ready.' }, data: ready },
    errors: [notReady],
    examples: { ready: { summary: 'Ask' } },
  },
} satisfies Declarations);
