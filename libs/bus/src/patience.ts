const PARTS = 4;

/**
 * Calls `onEnd` once nothing was heard for `ms`. Returns a function that ends the wait before.
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
