import { patience } from '@event-commerce/bus';
import { PlatformError } from '@event-commerce/contracts';

/**
 * The outcome of `work`, awaited for at most `ms`; the work may continue after that.
 *
 * @throws {PlatformError} SERVICE_UNAVAILABLE if it takes longer: whether it took effect is unknown, as after a lost
 * connection
 */
export function inTime<T>(
  work: Promise<T>,
  ms: number,
  message = 'This took too long; try again shortly.',
): Promise<T> {
  return new Promise((resolve, reject) => {
    const end = patience(ms, () => {
      reject(new PlatformError('SERVICE_UNAVAILABLE', message, { retryAfterSeconds: 1 }));
    });
    work.then(resolve, reject).finally(end);
  });
}
