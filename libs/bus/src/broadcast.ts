import type { BusConnection } from './connection.ts';

/** Notices to every replica, at most once each: whoever relies on one must also notice when it is lost. */
export const BROADCAST = {
  /** A company's adjustments changed; the payload is the key of its tenant. */
  adjustmentsChanged: 'broadcast.pricing.adjustments-changed',
  /** An offering was created or changed; the payload is an `OfferingNotice` as JSON. */
  offeringChanged: 'broadcast.events.offering-changed',
  /** An API key changed or was revoked; the payload is the key id. */
  apiKeyChanged: 'broadcast.gateway.api-key-changed',
} as const;

export type BroadcastSubject = (typeof BROADCAST)[keyof typeof BROADCAST];

/** Tells every replica; while the broker is away the notice is dropped rather than kept for a moment when it is old. */
export function broadcast(bus: BusConnection, subject: BroadcastSubject, payload: string): void {
  if (bus.isUp()) bus.nats.publish(subject, payload);
}

export function onBroadcast(bus: BusConnection, subject: BroadcastSubject, handle: (payload: string) => void): void {
  bus.nats.subscribe(subject, {
    callback: (error, message) => {
      if (error) return;
      try {
        handle(message.string());
      } catch (err) {
        bus.logger.error({ err, subject }, 'a notice could not be handled');
      }
    },
  });
}
