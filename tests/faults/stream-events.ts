import { type BusConnection, EVENT_STREAM } from '@event-commerce/bus';
import { type DomainEvent, type DomainEventType, subjectsOf } from '@event-commerce/contracts';
import { jetstream } from '@nats-io/jetstream';

/** The events of `type` in the stream, of every company, in stream order. */
export async function eventsInStream<T extends DomainEventType>(
  bus: BusConnection,
  type: T,
): Promise<DomainEvent<T>[]> {
  const consumer = await jetstream(bus.nats).consumers.get(EVENT_STREAM, { filter_subjects: [subjectsOf(type)] });
  try {
    let { num_pending: left } = await consumer.info();
    const found: DomainEvent<T>[] = [];
    if (left === 0) return found;
    for await (const message of await consumer.consume()) {
      found.push(message.json<DomainEvent<T>>());
      left -= 1;
      if (left === 0) break;
    }
    return found;
  } finally {
    await consumer.delete();
  }
}
