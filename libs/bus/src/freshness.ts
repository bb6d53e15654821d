import { PlatformError } from '@event-commerce/contracts';
import { type BroadcastSubject, broadcast } from './broadcast.ts';
import type { BusConnection } from './connection.ts';

const FLUSH_WITHIN_MS = 1_000;

const flushes = new WeakMap<BusConnection, () => Promise<void>>();

/**
 * Tells every replica, and resolves once the broker has passed the notice on: a caller that is answered after this meets no
 * replica that calls `caughtUp` and still holds what the notice makes stale. Resolves too when the broker is away, since the
 * change was made all the same; replicas then rely on what they do for a lost notice.
 */
export async function announce(bus: BusConnection, subject: BroadcastSubject, payload: string): Promise<void> {
  broadcast(bus, subject, payload);
  await flushOf(bus)().catch((err: unknown) => bus.logger.warn({ err, subject }, 'a notice may have been lost'));
}

/**
 * Resolves when this process has handled every notice that was announced before this call, because the broker delivers to a
 * connection in order. Many callers share one round trip to the broker. What arrives over the broker is behind those
 * notices already and needs no such wait; only HTTP requests do. Between the servers of a broker cluster a notice
 * may be late by the time one server takes to reach the other.
 *
 * @throws {PlatformError} SERVICE_UNAVAILABLE when the broker does not answer
 */
export async function caughtUp(bus: BusConnection): Promise<void> {
  try {
    await flushOf(bus)();
  } catch (cause) {
    throw new PlatformError('SERVICE_UNAVAILABLE', 'Recent changes cannot be seen now; try again shortly.', {
      retryAfterSeconds: 1,
      cause,
    });
  }
}

function flushOf(bus: BusConnection): () => Promise<void> {
  let flush = flushes.get(bus);
  if (flush === undefined) {
    flush = sharing(async () => {
      if (!bus.isUp()) throw new Error('the broker is not reachable');
      await inTime(bus.nats.flush());
    });
    flushes.set(bus, flush);
  }
  return flush;
}

/** Runs `run` once at a time. A run that began before a caller came tells that caller nothing, so it shares the next one. */
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

async function inTime(work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('the broker does not answer')), FLUSH_WITHIN_MS);
  });
  try {
    await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
