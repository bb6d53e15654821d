import { inject } from 'vitest';

/**
 * The broker for this test worker: an account of its own, so that what runs in another worker is not heard. `other`
 * gives this worker further accounts, for parts that must not hear each other.
 */
export function natsUrlOfThisWorker(other = 0): string {
  const urls = inject('natsUrls');
  const worker = Number(process.env['VITEST_POOL_ID'] ?? 1) - 1;
  return urls[(worker + other * 8) % urls.length] as string;
}
