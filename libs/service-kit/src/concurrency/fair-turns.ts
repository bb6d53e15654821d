export type FairTurns = <T>(key: string, work: () => T) => Promise<T>;

/**
 * Runs works that hold the process for long one at a time, and what came in meanwhile between two of them. Keys take turns: whoever
 * sends many waits behind itself, and nobody else waits for more than one work of each key.
 */
export function fairTurns(): FairTurns {
  /** By key, those whose turn is next first. */
  const waiting = new Map<string, (() => void)[]>();
  let running = false;

  const runNext = (): void => {
    const [next] = waiting;
    if (next === undefined) {
      running = false;
      return;
    }
    const [key, works] = next;
    const work = works.shift();
    waiting.delete(key);
    if (works.length > 0) waiting.set(key, works);
    work?.();
    setImmediate(runNext);
  };

  return async (key, work) =>
    await new Promise((resolve, reject) => {
      const run = (): void => {
        try {
          resolve(work());
        } catch (error) {
          reject(error);
        }
      };
      const works = waiting.get(key);
      if (works === undefined) waiting.set(key, [run]);
      else works.push(run);
      if (running) return;
      running = true;
      setImmediate(runNext);
    });
}
