import type { Caller } from '../http/http-app.ts';
import { type IdPrefix, newId } from './ids.ts';

/**
 * Creates what a request asks for, under an id derived from the request's Idempotency-Key: if an interrupted earlier
 * attempt has already created it, that is found and returned instead of being created twice.
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
    // The earlier attempt may have been in progress, and have finished first after all.
    const late = await find(id);
    if (late === undefined) throw error;
    return late;
  }
}
