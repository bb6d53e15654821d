/** How long a task may wait for its turn. One whose turn comes later is not run, and throws what `tooLate` returns. */
export interface Patience {
  waitsMaxMs: number;
  tooLate: () => Error;
}

interface Turns {
  running: number;
  /** Each lets one waiting task continue, in order of arrival. */
  waiting: (() => void)[];
}

/**
 * Runs up to `runningMax` tasks of one key at the same time, in order of arrival; those of different keys do not wait
 * for each other.
 *
 * The returned function throws what the task throws, and what `tooLate` returns for a task that waited too long
 */
export function keyedLimit(
  runningMax: number,
  patience?: Patience,
): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  const turnsOf = new Map<string, Turns>();

  const enter = async (key: string): Promise<Turns> => {
    let turns = turnsOf.get(key);
    if (turns === undefined) turnsOf.set(key, (turns = { running: 0, waiting: [] }));
    // Whoever leaves passes its turn on to the next one.
    if (turns.running === runningMax) await new Promise<void>((resolve) => turns.waiting.push(resolve));
    else turns.running += 1;
    return turns;
  };

  const leave = (key: string, turns: Turns): void => {
    const next = turns.waiting.shift();
    if (next !== undefined) {
      next();
      return;
    }
    turns.running -= 1;
    if (turns.running === 0) turnsOf.delete(key);
  };

  return async (key, work) => {
    const askedMs = performance.now();
    const turns = await enter(key);
    try {
      if (patience !== undefined && performance.now() - askedMs >= patience.waitsMaxMs) throw patience.tooLate();
      return await work();
    } finally {
      leave(key, turns);
    }
  };
}
