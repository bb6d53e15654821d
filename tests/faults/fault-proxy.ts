import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

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

type Direction = 'request' | 'answer';

const PACKET_BYTES = 1_448;
/**
 * TCP resends a lost packet after the round trip plus this, then after twice as long, and so on; later packets wait for
 * it.
 */
const RETRANSMIT_MIN_MS = 200;
/** A lost first packet of a connection is resent after a second. */
const RECONNECT_MS = 1_000;
const RETRY_LISTEN_MS = 20;
/** Beyond this many waiting bytes in one direction of a connection, its sender is not read. */
const QUEUED_BYTES_MAX = 1024 * 1024;
/** Longer than a marker. */
const TAIL_LENGTH = 128;

/** A TCP proxy with its own port in front of one server; it misbehaves on command. */
export class FaultProxy {
  readonly #target: { host: string; port: number };
  readonly #random: () => number;
  readonly #pairs = new Set<Pair>();
  readonly #clients = new Set<Socket>();
  readonly #traps = new Set<Trap>();
  readonly #tallies = new Set<{ marker: string; seen: number }>();
  #server: Server | undefined;
  #port = 0;
  #fault: NetworkFault = { kind: 'pass' };
  #connectionsPeak = 0;

  private constructor(target: { host: string; port: number }, random: () => number) {
    this.#target = target;
    this.#random = random;
  }

  /** Listens in front of the server that `url` names. */
  static async start(url: string, random: () => number = Math.random): Promise<FaultProxy> {
    const { hostname, port } = new URL(url);
    const proxy = new FaultProxy({ host: hostname, port: Number(port) }, random);
    await proxy.#listen();
    return proxy;
  }

  /** `url` with this proxy in place of the server. */
  replaceIn(url: string): string {
    const replaced = new URL(url);
    replaced.host = `127.0.0.1:${this.#port}`;
    return replaced.href;
  }

  get fault(): NetworkFault {
    return this.#fault;
  }

  /** The most connections that clients had open at once. */
  get connectionsPeak(): number {
    return this.#connectionsPeak;
  }

  async set(fault: NetworkFault): Promise<void> {
    this.#fault = fault;
    this.#traps.clear();
    if (fault.kind === 'refuse' || fault.kind === 'reset') for (const pair of this.#pairs) pair.reset();
    if (fault.kind === 'refuse') await this.#close();
    else await this.#listen();
    for (const pair of this.#pairs) pair.follow(fault);
  }

  /**
   * Lets everything pass until a request contains `marker`. From then on, as `what` says, either nothing arrives any
   * more from that request on (or nothing of its `connection` only), or that request arrives but its response does not.
   * Resolves when the request, or the first response after it, is being held.
   */
  holdAt(marker: string, what: Direction | 'connection'): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#traps.add({ marker, what, spring: resolve });
    return promise;
  }

  /** Counts from now on how often requests contain `marker`. */
  count(marker: string): { readonly seen: number } {
    const tally = { marker, seen: 0 };
    this.#tallies.add(tally);
    return tally;
  }

  async stop(): Promise<void> {
    for (const pair of this.#pairs) pair.reset();
    await this.#close();
  }

  async #listen(): Promise<void> {
    if (this.#server !== undefined) return;
    const server = createServer({ allowHalfOpen: true, noDelay: true }, (near) => this.#accept(near));
    for (;;) {
      try {
        server.listen(this.#port, '127.0.0.1');
        await once(server, 'listening');
        break;
      } catch (error) {
        // While nobody listened, another connection may have used the port for its own end for a moment.
        if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
        await delay(RETRY_LISTEN_MS);
      }
    }
    this.#server = server;
    this.#port = (server.address() as AddressInfo).port;
  }

  async #close(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (server !== undefined) await new Promise((resolve) => server.close(resolve));
  }

  #accept(near: Socket): void {
    const far = connect({ ...this.#target, allowHalfOpen: true, noDelay: true });
    const pair = new Pair(near, far, this.#random, (direction, holds) => this.#look(pair, direction, holds));
    this.#pairs.add(pair);
    this.#clients.add(near);
    this.#connectionsPeak = Math.max(this.#connectionsPeak, this.#clients.size);
    // A client that has hung up may still have bytes in flight.
    near.once('end', () => this.#clients.delete(near));
    near.once('close', () => this.#clients.delete(near));
    let open = 2;
    for (const socket of [near, far]) {
      socket.once('close', () => {
        open -= 1;
        if (open === 0) this.#pairs.delete(pair);
      });
    }
    pair.follow(this.#fault);
  }

  /** Called before a chunk of `direction` is passed on, with whether it contains a marker. */
  #look(pair: Pair, direction: Direction, holds: Holds): void {
    if (direction === 'answer') {
      for (const trap of this.#traps) {
        if (trap.sprung !== pair) continue;
        this.#traps.delete(trap);
        trap.spring();
      }
      return;
    }
    for (const tally of this.#tallies) if (holds(tally.marker)) tally.seen += 1;
    for (const trap of this.#traps) {
      if (trap.sprung !== undefined || !holds(trap.marker)) continue;
      if (trap.what === 'answer') {
        trap.sprung = pair;
        for (const other of this.#pairs) other.holdAnswers();
        continue;
      }
      this.#traps.delete(trap);
      if (trap.what === 'request') {
        this.#fault = { kind: 'hang' };
        for (const other of this.#pairs) other.follow(this.#fault);
      } else {
        pair.follow({ kind: 'hang' });
      }
      trap.spring();
    }
  }
}

/** Whether a chunk of bytes contains `marker`. */
type Holds = (marker: string) => boolean;

interface Trap {
  marker: string;
  what: Direction | 'connection';
  spring: () => void;
  /** The connection whose request was let through, and whose response is awaited. */
  sprung?: Pair;
}

/** A connection to the proxy, and the proxy's own to the server. */
class Pair {
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

interface Piece {
  /** Undefined marks the end of the sender's data. */
  bytes: Buffer | undefined;
  dueMs: number;
}

/** One direction of a connection. */
class Flow {
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
