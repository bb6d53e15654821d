import type { DomainEventType } from '@event-commerce/contracts';

/** The durable consumer at the broker from which the replicas named `consumer` read the events of `type`. */
export function durableName(consumer: string, type: DomainEventType): string {
  return `${consumer}-${type.replaceAll('.', '-')}`;
}

/** The URLs in `text`, separated by commas; one without a scheme is `nats://`. */
export function natsUrlsIn(text: string): string[] {
  return text.split(',').map((url) => (url.includes('://') ? url.trim() : `nats://${url.trim()}`));
}

/**
 * The prefix of the inboxes of a connection named `name`: a user who may only read these cannot read other processes'
 * replies.
 */
export function inboxPrefixOf(name: string): string {
  return `_INBOX_${name.replaceAll(/\W/g, '-')}`;
}

/**
 * Whether a reply may go to `subject`. The broker lets whoever receives a message reply to it, once, to whatever
 * subject it names: if that is not an inbox, the sender could make this process do what the sender may not do itself.
 */
export function isInbox(subject: string | undefined): subject is string {
  return subject !== undefined && /^_INBOX[._]/.test(subject);
}
