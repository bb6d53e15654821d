const PARTS = 4;

/**
 * Calls `onEnd` once nothing has been heard for `ms`. Returns a function that ends the wait early.
 *
 * A process that was busy for long, or got no CPU, runs its timers before it reads what has arrived meanwhile, and with
 * a single timer would give up on a reply that is already there. So the wait has several parts, and such a pause takes
 * no more than one of them.
 */
export function patience(ms: number, onEnd: () => void): () => void {
  let partsLeft = PARTS;
  const nextPart = (): NodeJS.Timeout =>
    setTimeout(() => {
      partsLeft -= 1;
      if (partsLeft === 0) onEnd();
      else timer = nextPart();
    }, ms / PARTS);
  let timer = nextPart();
  return () => clearTimeout(timer);
}

/** The outcome of `work`, or the failure that `late` returns if `work` does not settle within `ms`. */
export async function settledWithin<T>(work: Promise<T>, ms: number, late: () => Error): Promise<T> {
  return await new Promise((resolve, reject) => {
    const end = patience(ms, () => reject(late()));
    work.then(resolve, reject).finally(end);
  });
}
