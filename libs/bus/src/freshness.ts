import { tryAgainShortly } from '@event-commerce/contracts';
import { type BroadcastSubject, broadcast } from './broadcast.ts';
import type { BusConnection } from './connection.ts';
import { settledWithin } from './patience.ts';

const FLUSH_WITHIN_MS = 1_000;

const flushes = new WeakMap<BusConnection, () => Promise<void>>();

/**
 * Notifies every replica, and resolves once the broker has passed the notice on. A caller who gets a response after
 * this never meets a replica that calls `caughtUp` and still uses what the notice makes stale. Also resolves while the
 * broker is down, because the change was made; replicas then rely on their handling of lost notices.
 */
export async function announce(bus: BusConnection, subject: BroadcastSubject, payload: string): Promise<void> {
  broadcast(bus, subject, payload);
  await flushOf(bus)().catch((err: unknown) => bus.logger.warn({ err, subject }, 'a notice may have been lost'));
}

/**
 * Resolves once this process has handled every notice announced before this call, because the broker delivers to a
 * connection in order. Concurrent callers share one round trip to the broker. Messages from the broker already come
 * after those notices and need no such wait; only HTTP requests do. In a broker cluster a notice may be late by the
 * time one server takes to reach another.
 *
 * @throws {PlatformError} SERVICE_UNAVAILABLE when the broker does not respond
 */
export async function caughtUp(bus: BusConnection): Promise<void> {
  try {
    await flushOf(bus)();
  } catch (cause) {
    throw tryAgainShortly('Recent changes cannot be seen now; try again shortly.', { cause });
  }
}

function flushOf(bus: BusConnection): () => Promise<void> {
  let flush = flushes.get(bus);
  if (flush === undefined) {
    flush = sharing(async () => {
      if (!bus.isUp()) throw new Error('the broker is not reachable');
      await settledWithin(bus.nats.flush(), FLUSH_WITHIN_MS, () => new Error('the broker does not respond'));
    });
    flushes.set(bus, flush);
  }
  return flush;
}

/**
 * Runs `run` once at a time. A run that began before a caller arrived proves nothing to that caller, so it shares the
 * next one.
 */
function sharing(run: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;
  return () => {
    next ??= running
      .catch(() => undefined)
      .then(async () => {
        next = undefined;
        running = run();
        await running;
      });
    return next;
  };
}
