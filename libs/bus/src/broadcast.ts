import type { ProcessName } from '@event-commerce/contracts';
import type { BusConnection } from './connection.ts';
import { isInbox } from './names.ts';

/** Notices to every replica, delivered at most once: code that relies on one must also detect a lost one. */
export const BROADCAST = {
  /** Adjustments changed. The payload is a JSON array of `Change`, as in pricing's change log. */
  adjustmentsChanged: 'broadcast.pricing.changed-adjustments',
  /** A client of a company tried too many codes. The payload says which and until when, as JSON. */
  codesThrottled: 'broadcast.pricing.codes-throttled',
  /** An offering was created or changed. The payload is a `RecordNotice` as JSON. */
  offeringChanged: 'broadcast.events.offering-changed',
  /** An event was created or changed. The payload is a `RecordNotice` as JSON. */
  eventChanged: 'broadcast.events.event-changed',
  /** An API key changed or was revoked. The payload is the key id. */
  apiKeyChanged: 'broadcast.gateway.api-key-changed',
} as const;

export type BroadcastSubject = (typeof BROADCAST)[keyof typeof BROADCAST];

/** The listeners of each notice. Only the process in its subject sends it. */
export const BROADCAST_LISTENERS: Readonly<Record<keyof typeof BROADCAST, readonly ProcessName[]>> = {
  adjustmentsChanged: ['pricing'],
  codesThrottled: ['pricing'],
  offeringChanged: ['cart'],
  eventChanged: ['pricing'],
  apiKeyChanged: ['gateway'],
};

/** Notifies every replica. While the broker is down the notice is dropped instead of being kept until it is stale. */
export function broadcast(bus: BusConnection, subject: BroadcastSubject, payload: string): void {
  if (bus.isUp()) bus.nats.publish(subject, payload);
}

/**
 * Notifies every replica, and waits at most `waitMs` until each of `members` acknowledges. Resolves with those that did
 * not; at once with all of them if the broker is down.
 */
export async function broadcastConfirmed(
  bus: BusConnection,
  subject: BroadcastSubject,
  payload: string,
  members: Iterable<string>,
  waitMs: number,
): Promise<Set<string>> {
  const missing = new Set(members);
  if (!bus.isUp()) return missing;
  if (missing.size === 0) {
    bus.nats.publish(subject, payload);
    return missing;
  }
  return await new Promise((resolve) => {
    const inbox = bus.newInbox();
    const end = () => {
      clearTimeout(timer);
      subscription.unsubscribe();
      resolve(missing);
    };
    const timer = setTimeout(end, waitMs);
    const subscription = bus.nats.subscribe(inbox, {
      callback: (error, message) => {
        if (error) return;
        missing.delete(message.string());
        if (missing.size === 0) end();
      },
    });
    bus.nats.publish(subject, payload, { reply: inbox });
  });
}

/** Calls `handle` for each notice, then acknowledges it as `member` to the sender that waits for it. */
export function onBroadcast(
  bus: BusConnection,
  subject: BroadcastSubject,
  handle: (payload: string) => void,
  member?: string,
): void {
  bus.nats.subscribe(subject, {
    callback: (error, message) => {
      // The broker refused the subscription, which ends the process.
      if (error) return;
      try {
        handle(message.string());
        if (member !== undefined && isInbox(message.reply)) message.respond(member);
      } catch (err) {
        bus.logger.error({ err, subject }, 'a notice could not be handled');
      }
    },
  });
}

/** Calls `forget` each time the broker comes back: notices sent while it was down are lost. */
export function onReconnect(bus: BusConnection, forget: () => void): void {
  const watch = async (): Promise<void> => {
    for await (const { type } of bus.nats.status()) if (type === 'reconnect') forget();
  };
  watch().catch((err: unknown) => bus.logger.error({ err }, 'the broker connection can no longer be watched'));
}
