import { until } from '@event-commerce/service-kit';

/**
 * Resolves with how long it took (ms) when `condition` holds; a condition that throws does not hold.
 *
 * @throws {Error} that names `what`
 */
export async function msUntil(
  what: string,
  timeoutMs: number,
  condition: () => boolean | Promise<boolean>,
): Promise<number> {
  const beganMs = performance.now();
  await until(what, timeoutMs, condition);
  return performance.now() - beganMs;
}
