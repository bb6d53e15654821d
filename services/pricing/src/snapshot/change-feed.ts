import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { BROADCAST, broadcastConfirmed, type BusConnection, onBroadcast } from '@event-commerce/bus';
import { tenantKey } from '@event-commerce/contracts';
import { batched, type Logger } from '@event-commerce/service-kit';
import { z } from 'zod';
import { type Change, CHANGES_KEPT, type ChangeLogRepository } from './change-log.repository.ts';

/** The response to a change is sent when every replica has acknowledged it, or this long after it was logged. */
const LEASE_MS = 1_000;
/**
 * A replica that has not read the log for this long reads it before it responds to anything. Shorter than the lease.
 */
const CURRENT_FOR_MS = 900;
/** A replica that has not read it for this long reads it in the background. */
const READ_EVERY_MS = 400;

const changeNotice = z.array(z.object({ tenant: tenantKey, id: z.string(), version: z.int() }));

export type ChangeFeed = Awaited<ReturnType<typeof openChangeFeed>>;

/** The subscriber of a feed. Both take effect at once: the next request already sees them. */
export interface Follower {
  note: (changes: readonly Change[]) => void;
  /** Changes were missed, and it is unknown which. */
  forgetAll: () => void;
}

/**
 * Tells `follower` about every change of every tenant, by this process and by the others. Once `announce` resolves,
 * every later request sees the change, whichever replica it reaches: each has acknowledged it, or a second has passed,
 * and a replica that has not read the log within a second reads it before it responds.
 */
export async function openChangeFeed(log: ChangeLogRepository, bus: BusConnection, logger: Logger, follower: Follower) {
  const member = randomUUID();
  let readAtMs = performance.now();
  let place = await log.join(member);
  let heard = 0;
  let reading: Promise<void> | undefined;

  const read = async (): Promise<void> => {
    const beganAtMs = performance.now();
    heard = 0;
    let found = await log.readAfter(place);
    if (!found.members.includes(member)) {
      await log.join(member);
      found = await log.readAfter(place);
    }
    if (found.changes === undefined) follower.forgetAll();
    else follower.note(found.changes);
    place = found.place;
    readAtMs = beganAtMs;
  };
  const startReading = (): Promise<void> => {
    reading ??= read().finally(() => {
      reading = undefined;
    });
    return reading;
  };
  const readNews = async (askedAtMs: number): Promise<void> => {
    await startReading();
    // A reading that was already in progress may have begun too early for this request.
    if (askedAtMs - readAtMs > CURRENT_FOR_MS) await startReading();
  };

  const hear = (text: string): void => {
    const changes: Change[] = changeNotice.parse(JSON.parse(text));
    follower.note(changes);
    heard += changes.length;
    // Continues reading before the log drops what was not read.
    if (heard > CHANGES_KEPT / 2) startReading().catch(() => undefined);
  };
  onBroadcast(bus, BROADCAST.adjustmentsChanged, hear, member);

  /** Until the lease ends, a removed member may still respond with what it read before, and changes wait for that. */
  const forgetAfterLease = (removal: string): void => {
    // If this process does not get to it, the next process that announces a change does.
    setTimeout(() => void log.forget([removal]).catch(() => undefined), LEASE_MS).unref();
  };

  const announceAll = async (changes: readonly Change[]): Promise<undefined[]> => {
    const { members, leaving } = await log.append(changes);
    const loggedAtMs = performance.now();
    follower.note(changes);
    const others = members.filter((other) => other !== member);
    const payload = JSON.stringify(changes);
    const missing = await broadcastConfirmed(bus, BROADCAST.adjustmentsChanged, payload, others, LEASE_MS);
    if (missing.size > 0 || leaving.length > 0) await delay(Math.max(0, loggedAtMs + LEASE_MS - performance.now()));
    if (leaving.length > 0) await log.forget(leaving);
    if (missing.size > 0) {
      logger.warn({ missing: [...missing] }, 'replicas did not confirm a change in time; they read it from the log');
      forgetAfterLease(await log.remove([...missing]));
    }
    return changes.map(() => undefined);
  };

  const announceSoon = batched(announceAll);

  return {
    /** Undefined if this process already knows every acknowledged change; otherwise resolves once it does. */
    catchUp(): Promise<void> | undefined {
      const now = performance.now();
      const ageMs = now - readAtMs;
      if (ageMs > CURRENT_FOR_MS) return readNews(now);
      // A failure surfaces once the last read is too old, when a request has to wait for the next one.
      if (ageMs > READ_EVERY_MS) startReading().catch(() => undefined);
      return undefined;
    },

    /** Reads the log now. */
    async readNow(): Promise<void> {
      // A reading in progress may have begun before the change that the caller needs.
      await reading?.catch(() => undefined);
      await startReading();
    },

    /** Resolves when every replica uses `change`, which was written. Concurrent calls are batched. */
    announce: async ({ tenant, id, version }: Change): Promise<void> => announceSoon({ tenant, id, version }),

    /** Announcements no longer wait for this replica. */
    async close(): Promise<void> {
      await reading?.catch(() => undefined);
      await log.leave(member);
    },
  };
}
