import type { CompiledAdjustment } from './compiled-adjustment.ts';

type Held = CompiledAdjustment | Set<CompiledAdjustment>;

/**
 * Finds adjustments by a key. Nearly every code and most events have only one, and a set for each would double the
 * memory of a key.
 */
export class AdjustmentIndex {
  readonly #byKey = new Map<string, Held>();

  get(key: string): Iterable<CompiledAdjustment> {
    const held = this.#byKey.get(key);
    if (held === undefined) return NONE;
    return held instanceof Set ? held : [held];
  }

  has(key: string): boolean {
    return this.#byKey.has(key);
  }

  add(key: string, adjustment: CompiledAdjustment): void {
    const held = this.#byKey.get(key);
    if (held === undefined) this.#byKey.set(key, adjustment);
    else if (held instanceof Set) held.add(adjustment);
    else if (held !== adjustment) this.#byKey.set(key, new Set([held, adjustment]));
  }

  delete(key: string, adjustment: CompiledAdjustment): void {
    const held = this.#byKey.get(key);
    if (held instanceof Set) {
      held.delete(adjustment);
      const [only] = held;
      if (held.size === 1 && only !== undefined) this.#byKey.set(key, only);
    } else if (held === adjustment) this.#byKey.delete(key);
  }
}

const NONE: readonly CompiledAdjustment[] = [];
