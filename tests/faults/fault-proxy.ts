import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { type Direction, type NetworkFault, Pair } from './connection-pair.ts';
import type { Holds } from './flow.ts';

const RETRY_LISTEN_MS = 20;

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
   * Lets everything pass until a request contains `marker`. Then, depending on `what`, either nothing arrives from that
   * request on (for `connection`, nothing of its connection), or that request arrives but its response does not.
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
        // While nobody listened, another connection may briefly have used the port as its own end.
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

interface Trap {
  marker: string;
  what: Direction | 'connection';
  spring: () => void;
  /** The connection whose request was let through, and whose response is awaited. */
  sprung?: Pair;
}
