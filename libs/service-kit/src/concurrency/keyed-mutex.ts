import { keyedLimit, type Patience } from './keyed-limit.ts';

/**
 * Runs tasks of one key one after another, in order of arrival; those of different keys do not wait for each other. For
 * writes that would conflict in the database, where resolving the conflict costs more than waiting here. One whose turn
 * comes after `waitsMaxMs` is not run.
 *
 * The returned function throws what the task throws, and what `tooLate` returns for a task that waited that long
 */
export function keyedMutex(patience?: Patience): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  return keyedLimit(1, patience);
}
