import { setTimeout as delay } from 'node:timers/promises';
import { type DomainEventType, subjectsOf } from '@event-commerce/contracts';
import { AckPolicy, type ConsumerMessages, jetstream, jetstreamManager } from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import type { BusConnection } from './connection.ts';
import type { ConsumerOptions } from './consumer-options.ts';
import { handleEvent } from './handle-event.ts';
import { countDeadLetters } from './measured.ts';
import { durableName } from './names.ts';
import { EVENT_STREAM } from './stream-settings.ts';
import { remakeStreams } from './streams.ts';
import { reportUnhandledEvents } from './unhandled-events.ts';

/** How long the broker waits for a sign of life before it delivers the event to another replica. */
const ACK_WAIT_MS = 30_000;
const REOPEN_AFTER_MS = 1_000;
const PULL_EXPIRES_MS = 30_000;

/**
 * How a consumer asks for events. A broker that is silent for two heartbeats is asked again: in a cluster, a new leader
 * of the consumer does not know who was waiting. At rest, heartbeats are most of what the broker sends, and a lost
 * connection is noticed without them, so those of a single broker are rare.
 */
export function pulling({ nats }: BusConnection) {
  const isCluster = nats.info?.cluster !== undefined;
  return {
    abort_on_missing_resource: true,
    expires: PULL_EXPIRES_MS,
    idle_heartbeat: isCluster ? 2_000 : PULL_EXPIRES_MS / 2,
  };
}

/**
 * Handles each event of `types` at least once. A failed handler is retried with growing delay. An event that keeps
 * failing, or is not a valid event, is parked in the dead-letter stream with the reason, and delays no other. A
 * consumer or stream that disappears from the broker is recreated. Returns a function that stops and waits for the
 * handlers.
 *
 * Each type has its own durable consumer, so that replicas of two releases can run side by side: an older one never
 * receives a type that only the newer one knows, and removes no type when it starts.
 */
export async function runConsumer<T extends DomainEventType>(
  bus: BusConnection,
  options: ConsumerOptions<T>,
): Promise<() => Promise<void>> {
  countDeadLetters(0, { consumer: options.name });
  reportUnhandledEvents(bus, options.name, options.types);
  const stops = await Promise.all(options.types.map(async (type) => runOfType(bus, type, options)));
  return async () => {
    await Promise.all(stops.map(async (stop) => stop()));
  };
}

async function runOfType<T extends DomainEventType>(
  bus: BusConnection,
  type: T,
  options: ConsumerOptions<T>,
): Promise<() => Promise<void>> {
  const client = jetstream(bus.nats);
  const durable = durableName(options.name, type);
  const inFlightMax = options.inFlightMax ?? 128;
  /** The handlers in flight. */
  const running = new Set<Promise<void>>();
  /** The events that are not settled: their handler is in flight, or they wait for another attempt. */
  const unsettled = new Set<Promise<void>>();
  const stop = new AbortController();
  const handling = {
    bus,
    client,
    options,
    stopping: stop.signal,
    async inSlot(attempt: Promise<void>) {
      const ended = attempt.catch(() => {}).finally(() => running.delete(ended));
      running.add(ended);
      await attempt;
    },
  };
  let messages: ConsumerMessages | undefined;

  const open = async (): Promise<ConsumerMessages> => {
    const { consumers } = await jetstreamManager(bus.nats, { checkAPI: false });
    const settings = {
      ack_wait: nanos(ACK_WAIT_MS),
      max_ack_pending: inFlightMax * 4,
      filter_subject: subjectsOf(type, options.process),
    };
    const fixed = { durable_name: durable, ack_policy: AckPolicy.Explicit };
    try {
      await consumers.add(EVENT_STREAM, { ...fixed, ...settings });
    } catch {
      // It exists with the settings of another release: update it. If the broker itself fails, this fails again.
      await consumers.update(EVENT_STREAM, durable, settings);
    }
    const consumer = await client.consumers.get(EVENT_STREAM, durable);
    return await consumer.consume({ ...pulling(bus), max_messages: inFlightMax });
  };

  const read = async () => {
    while (!stop.signal.aborted) {
      try {
        messages ??= await open();
        // If stopped while it opened, there was nothing to close yet. Reading it then ends it.
        if (stop.signal.aborted) messages.stop();
        for await (const message of messages) {
          if (running.size >= inFlightMax) await Promise.race(running);
          const settled = handleEvent(handling, message)
            // The broker is down: it will redeliver the event.
            .catch((err: unknown) =>
              options.logger.warn({ err, consumer: options.name }, 'an event could not be settled'),
            )
            .finally(() => unsettled.delete(settled));
          unsettled.add(settled);
        }
      } catch (err) {
        if (!stop.signal.aborted) {
          options.logger.warn({ err, consumer: options.name, type }, 'the consumer ended; reopening it');
          await remakeStreams(bus).catch((cause: unknown) => options.logger.warn({ err: cause }, 'no streams yet'));
        }
      }
      messages = undefined;
      if (!stop.signal.aborted) {
        await delay(REOPEN_AFTER_MS, undefined, { signal: stop.signal }).catch(() => {});
      }
    }
  };

  messages = await open();
  const reading = read();
  return async () => {
    stop.abort();
    await messages?.close();
    await reading;
    await Promise.all(unsettled);
  };
}
