/**
 * Runs tasks of one key one after another, in order of arrival; those of different keys do not wait for each other. For
 * writes that would conflict in the database, where resolving the conflict costs more than waiting here. One whose turn
 * comes after `waitsMaxMs` is not run.
 *
 * The returned function throws what the task throws, and for one that waited for so long what `tooLate` returns
 */
export function keyedMutex(patience?: {
  waitsMaxMs: number;
  tooLate: () => Error;
}): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<unknown>>();
  return async (key, work) => {
    const before = last.get(key) ?? Promise.resolve();
    const askedMs = performance.now();
    const running = before.then(async () => {
      if (patience !== undefined && performance.now() - askedMs >= patience.waitsMaxMs) throw patience.tooLate();
      return await work();
    });
    const ended = running.catch(() => undefined);
    last.set(key, ended);
    try {
      return await running;
    } finally {
      if (last.get(key) === ended) last.delete(key);
    }
  };
}
