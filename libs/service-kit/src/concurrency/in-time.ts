import { settledWithin } from '@event-commerce/bus';
import { tryAgainShortly } from '@event-commerce/contracts';

/**
 * The outcome of `work`, awaited for at most `ms`; the work may continue after that.
 *
 * @throws {PlatformError} SERVICE_UNAVAILABLE if it takes longer: whether it took effect is unknown, as after a lost
 * connection
 */
export async function inTime<T>(
  work: Promise<T>,
  ms: number,
  message = 'This took too long; try again shortly.',
): Promise<T> {
  return await settledWithin(work, ms, () => tryAgainShortly(message));
}
