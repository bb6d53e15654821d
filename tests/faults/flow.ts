import type { Socket } from 'node:net';

const PACKET_BYTES = 1_448;
/**
 * TCP resends a lost packet after the round trip plus this, then after twice as long, and so on; later packets wait for
 * it.
 */
const RETRANSMIT_MIN_MS = 200;
/** A lost first packet of a connection is resent after a second. */
const RECONNECT_MS = 1_000;
/** Beyond this many waiting bytes in one direction of a connection, its sender is not read. */
const QUEUED_BYTES_MAX = 1024 * 1024;
/** Longer than a marker. */
const TAIL_LENGTH = 128;

/** Whether a chunk of bytes contains `marker`. */
export type Holds = (marker: string) => boolean;

interface Piece {
  /** Undefined marks the end of the sender's data. */
  bytes: Buffer | undefined;
  dueMs: number;
}

/** One direction of a connection. */
export class Flow {
  readonly #from: Socket;
  readonly #to: Socket;
  readonly #random: () => number;
  readonly #queue: Piece[] = [];
  slow = { delayMs: 0, loss: 0 };
  cut: { afterBytes: number; end: () => void } | undefined;
  #queuedBytes = 0;
  #lastDueMs = 0;
  #held = false;
  #started = false;
  #timer: NodeJS.Timeout | undefined;
  #tail = '';

  constructor(from: Socket, to: Socket, random: () => number, look: (holds: Holds) => void) {
    this.#from = from;
    this.#to = to;
    this.#random = random;
    from.on('data', (bytes: Buffer) => {
      // Prefixed with the end of the previous chunk, so that no marker is cut in two, and none is found twice.
      const known = this.#tail.length;
      const text = this.#tail + bytes.toString('latin1');
      this.#tail = text.slice(-TAIL_LENGTH);
      look((marker) => text.includes(marker, Math.max(0, known - marker.length + 1)));
      this.#push(bytes);
      this.#queuedBytes += bytes.length;
      if (this.#queuedBytes > QUEUED_BYTES_MAX) from.pause();
    });
    from.on('end', () => this.#push(undefined));
    to.on('drain', () => this.#pass());
  }

  hold(held: boolean): void {
    this.#held = held;
    if (!held) this.#pass();
  }

  discard(): void {
    this.#queue.length = 0;
    clearTimeout(this.#timer);
  }

  #push(bytes: Buffer | undefined): void {
    this.#lastDueMs = Math.max(this.#lastDueMs, performance.now() + this.#takesMs(bytes?.length ?? 1));
    this.#queue.push({ bytes, dueMs: this.#lastDueMs });
    this.#pass();
  }

  #takesMs(length: number): number {
    const { delayMs, loss } = this.slow;
    let takesMs = delayMs;
    if (!this.#started) {
      this.#started = true;
      // The round trip that opens a connection.
      takesMs += 2 * delayMs + (this.#random() < loss ? RECONNECT_MS : 0);
    }
    const lossOfAny = 1 - (1 - loss) ** Math.ceil(length / PACKET_BYTES);
    for (let waitMs = RETRANSMIT_MIN_MS + 2 * delayMs; this.#random() < lossOfAny; waitMs *= 2) takesMs += waitMs;
    return takesMs;
  }

  #pass(): void {
    clearTimeout(this.#timer);
    for (let next = this.#queue[0]; next !== undefined && !this.#held; next = this.#queue[0]) {
      if (this.#to.destroyed || this.#to.writableNeedDrain) return;
      const waitMs = next.dueMs - performance.now();
      if (waitMs > 0) {
        this.#timer = setTimeout(() => this.#pass(), waitMs);
        return;
      }
      this.#queue.shift();
      if (next.bytes === undefined) this.#to.end();
      else this.#write(next.bytes);
    }
  }

  #write(bytes: Buffer): void {
    this.#queuedBytes -= bytes.length;
    if (this.#queuedBytes < QUEUED_BYTES_MAX / 2) this.#from.resume();
    const { cut } = this;
    if (cut !== undefined) {
      if (bytes.length > cut.afterBytes) {
        this.discard();
        this.#held = true;
        this.#to.write(bytes.subarray(0, cut.afterBytes), cut.end);
        return;
      }
      cut.afterBytes -= bytes.length;
    }
    this.#to.write(bytes);
  }
}
