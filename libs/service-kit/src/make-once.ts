import type { Caller } from './http-app.ts';
import { type IdPrefix, newId } from './ids.ts';

/**
 * Makes what a request asks for, under an id that follows from the request's Idempotency-Key: when an earlier try was cut off
 * after it had made it, that is found and answered again instead of being made twice.
 *
 * @throws what `make` throws
 */
export async function makeOnce<T>(
  { attempt }: Pick<Caller, 'attempt'>,
  prefix: IdPrefix,
  { find, make }: { find: (id: string) => Promise<T | undefined>; make: (id: string) => Promise<T> },
): Promise<T> {
  const id = attempt === undefined ? newId(prefix) : `${prefix}_${attempt.idSuffix}`;
  if (!attempt?.repeated) return await make(id);
  const earlier = await find(id);
  if (earlier !== undefined) return earlier;
  try {
    return await make(id);
  } catch (error) {
    // The earlier try may have been under way still, and have come first after all.
    const late = await find(id);
    if (late === undefined) throw error;
    return late;
  }
}
