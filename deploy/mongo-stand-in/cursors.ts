/** MongoDB forgets an idle cursor after this time, and so does the database with what it keeps for one. */
const idleMs = 600_000;
const cursorsMax = 10_000;

interface Cursor {
  continuation: Buffer;
  usedAtMs: number;
}

/**
 * Where each open cursor continues. Bounded: idle cursors are dropped, and the least recently used when there are too
 * many.
 */
export class Cursors {
  /** The open cursors, in order of last use. */
  readonly #open = new Map<string, Cursor>();

  opened(id: string, continuation: Buffer): void {
    this.#open.delete(id);
    this.#open.set(id, { continuation, usedAtMs: Date.now() });
    this.#forget();
  }

  continuation(id: string): Buffer | undefined {
    return this.#open.get(id)?.continuation;
  }

  /** @param next undefined when the cursor is exhausted */
  advanced(id: string, next: Buffer | undefined): void {
    if (next === undefined) this.#open.delete(id);
    else this.opened(id, next);
  }

  /** @returns whether it was open */
  killed(id: string): boolean {
    return this.#open.delete(id);
  }

  #forget(): void {
    const before = Date.now() - idleMs;
    for (const [id, cursor] of this.#open) {
      if (cursor.usedAtMs >= before && this.#open.size <= cursorsMax) return;
      this.#open.delete(id);
    }
  }
}
