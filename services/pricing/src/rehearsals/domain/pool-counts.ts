/** Something that an order takes of a pool. */
export interface Taken {
  poolId: string;
  quantity: number;
  /** The shares that it also counts in. */
  shares: readonly string[];
}

/** What is claimed of each pool in a replay, in all and by customer. */
export class PoolCounts {
  readonly #counts = new Map<string, number>();

  claimed(poolId: string, share?: string): number {
    return this.#counts.get(keyOf(poolId, share)) ?? 0;
  }

  add(poolId: string, share: string | undefined, quantity: number): void {
    const key = keyOf(poolId, share);
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + quantity);
  }

  take(taken: readonly Taken[]): void {
    this.#count(taken, 1);
  }

  release(taken: readonly Taken[]): void {
    this.#count(taken, -1);
  }

  #count(taken: readonly Taken[], sign: 1 | -1): void {
    for (const { poolId, quantity, shares } of taken) {
      for (const share of [undefined, ...shares]) this.add(poolId, share, sign * quantity);
    }
  }
}

function keyOf(poolId: string, share: string | undefined): string {
  return share === undefined ? poolId : `${poolId}\n${share}`;
}
