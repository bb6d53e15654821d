import { inject } from 'vitest';

/** The broker as this test worker may use it: each worker has an account of its own, so that platforms do not hear each other. */
export function natsUrlOfThisWorker(): string {
  return inject('natsUrl');
}
