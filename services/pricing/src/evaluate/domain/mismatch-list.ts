import { hash } from 'node:crypto';
import { withoutCode } from './eligibility/refusal.ts';
import { TargetMismatch } from './eligibility/target.ts';

/** Text, or a part of a list. */
export type Piece = string | readonly [from: number, to: number];

/**
 * The target mismatches of all of a company's adjustments as JSON, a comma before each. Most of a long response is part
 * of this list, so frequent callers keep it, and are sent only which parts to use.
 */
export class MismatchList {
  /** The digest of `bytes()`. */
  readonly digest: string;
  readonly #mismatches: readonly TargetMismatch[];
  readonly #showCodes: boolean;
  /** Where each begins, and where the last one ends. */
  readonly #offsets: Uint32Array;

  /** In cascade order. Without `showCodes`, those that need a code show only that they need one. */
  constructor(mismatches: readonly TargetMismatch[], showCodes: boolean) {
    this.#mismatches = mismatches;
    this.#showCodes = showCodes;
    this.#offsets = new Uint32Array(mismatches.length + 1);
    const texts = this.#texts();
    for (const [at, text] of texts.entries()) this.#offsets[at + 1] = this.#offsets[at]! + Buffer.byteLength(text);
    this.digest = hash('sha256', texts.join(''), 'base64url');
  }

  get size(): number {
    return this.#mismatches.length;
  }

  /** The encoded list, built each time: a replica keeps adjustments, not their encoding. */
  bytes(): Uint8Array {
    return Buffer.from(this.#texts().join(''));
  }

  /** The list without the adjustments at `positions`, which are sorted. Those at `shown` have their codes. */
  without(positions: readonly number[], shown: ReadonlySet<number>): Piece[] {
    const pieces: Piece[] = [];
    let next = 0;
    for (const position of [...positions, this.size]) {
      const [from, to] = [this.#offsets[next]!, this.#offsets[position]!];
      if (to > from) pieces.push([from, to]);
      const mismatch = this.#mismatches[position];
      if (mismatch !== undefined && shown.has(position)) pieces.push(`,${TargetMismatch.encode(mismatch)}`);
      next = position + 1;
    }
    return pieces;
  }

  #texts(): string[] {
    return this.#mismatches.map((mismatch) => {
      const hidden = !this.#showCodes && mismatch.code !== undefined;
      return `,${hidden ? JSON.stringify(withoutCode(mismatch)) : TargetMismatch.encode(mismatch)}`;
    });
  }
}
