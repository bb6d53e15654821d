export type FairTurns = <T>(key: string, work: () => T) => Promise<T>;

/**
 * Runs long synchronous tasks one at a time, and lets the event loop handle other work between two of them. Keys take
 * turns: a key with many tasks delays only itself, and nobody waits for more than one task of each other key.
 */
export function fairTurns(): FairTurns {
  /** The waiting tasks by key. The key whose turn is next comes first. */
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
