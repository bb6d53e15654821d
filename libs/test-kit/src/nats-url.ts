import { expect, inject } from 'vitest';

/** How many accounts one test file may use. */
const ACCOUNTS_OF_A_FILE = 4;

const filesOfThisWorker = new Map<string | undefined, number>();

/**
 * The broker for this test file: an account of its own, isolated from parallel tests and from the streams of earlier
 * files. `other` (1 to 3) gives it further accounts, for parts that must be isolated from each other.
 */
export function natsUrlOfThisFile(other = 0): string {
  const urls = inject('natsUrls');
  const { testPath } = expect.getState();
  const file = filesOfThisWorker.get(testPath) ?? filesOfThisWorker.size;
  filesOfThisWorker.set(testPath, file);
  const worker = Number(process.env['VITEST_POOL_ID']) - 1;
  return urls[((file * inject('workers') + worker) * ACCOUNTS_OF_A_FILE + other) % urls.length] as string;
}
