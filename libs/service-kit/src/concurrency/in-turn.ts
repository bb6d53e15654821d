/**
 * Runs tasks of one key one after another, in order of arrival; those of different keys do not wait for each other. For
 * writes that would conflict in the database, where resolving the conflict costs more than waiting here.
 */
export function inTurn(): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<unknown>>();
  return async (key, work) => {
    const before = last.get(key) ?? Promise.resolve();
    const running = before.then(work);
    const ended = running.catch(() => undefined);
    last.set(key, ended);
    try {
      return await running;
    } finally {
      if (last.get(key) === ended) last.delete(key);
    }
  };
}
