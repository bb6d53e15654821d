import { inject } from 'vitest';

/** How many accounts one test file may use. */
const ACCOUNTS_OF_A_FILE = 4;

/**
 * The broker for this test file: an account of its own, isolated from parallel tests and from the streams of earlier
 * files. `other` (1 to 3) gives it further accounts, for parts that must be isolated from each other.
 */
export function natsUrlOfThisFile(other = 0): string {
  const urls = inject('natsUrls');
  // Each file runs in its own worker, and workers are numbered throughout a run.
  const worker = Number(process.env['VITEST_WORKER_ID']);
  return urls[(worker * ACCOUNTS_OF_A_FILE + other) % urls.length] as string;
}
