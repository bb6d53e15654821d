import { type DomainEvent, subjectOf } from '@event-commerce/contracts';
import { type JetStreamClient, jetstream, jetstreamManager, RetentionPolicy, StorageType } from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import type { BusConnection } from './connection.ts';
import { measured, publishOn } from './operations.ts';

/** All domain events; what consumers read. */
export const EVENT_STREAM = 'DOMAIN_EVENTS';
/** Events that a consumer could not handle, with the reason; for people to look at and put back. */
export const DEAD_LETTER_STREAM = 'DEAD_LETTERS';
export const DEAD_LETTER_PREFIX = 'dead-letter';

const DAY_MS = 24 * 60 * 60 * 1000;

/** How far back the broker remembers message ids, and so drops a repeat. */
const DUPLICATE_WINDOW_MS = 10 * 60 * 1000;
const PUBLISH_TIMEOUT_MS = 3_000;

/** Makes the streams, or brings their settings up to date. Safe to run by every process at every start. */
export async function ensureStreams(bus: BusConnection, replicas: number): Promise<void> {
  const manager = await jetstreamManager(bus.nats);
  const shared = { retention: RetentionPolicy.Limits, storage: StorageType.File, num_replicas: replicas };
  const wanted = [
    {
      ...shared,
      name: EVENT_STREAM,
      subjects: ['domain.>'],
      max_age: nanos(14 * DAY_MS),
      duplicate_window: nanos(DUPLICATE_WINDOW_MS),
    },
    { ...shared, name: DEAD_LETTER_STREAM, subjects: [`${DEAD_LETTER_PREFIX}.>`], max_age: nanos(90 * DAY_MS) },
  ];
  for (const config of wanted) {
    try {
      await manager.streams.add(config);
    } catch {
      // It exists with other settings: bring it up to date. A broker that is really unwell fails here again.
      await manager.streams.update(config.name, config);
    }
  }
}

/** Publishes a domain event; resolves when the broker has it on disk. The event's id lets it drop a repeat. */
export function createEventPublisher(bus: BusConnection): (event: DomainEvent) => Promise<void> {
  const client: JetStreamClient = jetstream(bus.nats, { timeout: PUBLISH_TIMEOUT_MS });
  return async (event) => {
    const subject = subjectOf(event.type);
    await measured(publishOn(subject), event.traceparent, async (traceparent) => {
      if (!bus.isUp()) throw new Error('the broker is not reachable');
      const message = traceparent === undefined ? event : { ...event, traceparent };
      await client.publish(subject, JSON.stringify(message), { msgID: event.id });
    });
  };
}
