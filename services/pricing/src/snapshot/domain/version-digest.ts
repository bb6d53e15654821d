import { hash } from 'node:crypto';

/** Identifies a set of records at their versions: the same in every process, in whatever order they were added. */
export class VersionDigest {
  readonly #sum = new Int32Array(4);

  /** Adds a record that is not in it, and removes one that is. */
  toggle(as: 'read' | 'unreadable', id: string, version: number): void {
    const bytes = hash('sha1', `${as} ${id} ${version}`, 'buffer');
    for (let at = 0; at < this.#sum.length; at++) this.#sum[at]! ^= bytes.readInt32LE(4 * at);
  }

  toString(): string {
    return Buffer.from(this.#sum.buffer).toString('base64url');
  }
}
