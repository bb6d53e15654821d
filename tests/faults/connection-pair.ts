import type { Socket } from 'node:net';
import { Flow, type Holds } from './flow.ts';

/** What the network between two processes does. */
export type NetworkFault =
  | { kind: 'pass' }
  /** Nobody listens; open connections are reset. */
  | { kind: 'refuse' }
  /** Connections are accepted, and reset at the first byte; open ones are reset. */
  | { kind: 'reset' }
  /** Connections are accepted and stay open; what is sent arrives only after the fault. */
  | { kind: 'hang' }
  /** Every packet takes `delayMs` longer each way, and is lost with the probability `loss`. */
  | { kind: 'slow'; delayMs: number; loss: number }
  /** After that many response bytes a connection is reset, or ends as if it were complete. */
  | { kind: 'cut'; afterBytes: number; how: 'reset' | 'end' };

export type Direction = 'request' | 'answer';

/** A connection to the proxy, and the proxy's own to the server. */
export class Pair {
  readonly #near: Socket;
  readonly #far: Socket;
  readonly #requests: Flow;
  readonly #answers: Flow;
  #fault: NetworkFault = { kind: 'pass' };

  constructor(near: Socket, far: Socket, random: () => number, look: (direction: Direction, holds: Holds) => void) {
    this.#near = near;
    this.#far = far;
    this.#requests = new Flow(near, far, random, (holds) => {
      if (this.#fault.kind === 'reset') this.reset();
      else look('request', holds);
    });
    this.#answers = new Flow(far, near, random, (holds) => look('answer', holds));
    // If one side fails, the other fails in the same way.
    for (const socket of [near, far]) {
      socket.on('error', () => this.reset());
      socket.on('close', () => {
        if (near.destroyed && far.destroyed) return;
        if (!socket.readableEnded || !socket.writableFinished) this.reset();
      });
    }
  }

  reset(): void {
    this.#requests.discard();
    this.#answers.discard();
    this.#near.resetAndDestroy();
    this.#far.destroy();
  }

  follow(fault: NetworkFault): void {
    this.#fault = fault;
    const slow = fault.kind === 'slow' ? fault : { delayMs: 0, loss: 0 };
    for (const flow of [this.#requests, this.#answers]) {
      flow.slow = slow;
      flow.hold(fault.kind === 'hang');
    }
    this.#answers.cut = fault.kind === 'cut' ? { ...fault, end: () => this.#cut(fault.how) } : undefined;
  }

  holdAnswers(): void {
    this.#answers.hold(true);
  }

  #cut(how: 'reset' | 'end'): void {
    if (how === 'reset') this.reset();
    else this.#near.end(() => this.#far.destroy());
  }
}
