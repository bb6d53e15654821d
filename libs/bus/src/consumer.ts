import { type DomainEventType, parseDomainEvent, type ReceivedEvent, subjectOf } from '@event-commerce/contracts';
import { AckPolicy, type ConsumerMessages, type JsMsg, jetstream, jetstreamManager } from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import type { BusConnection } from './connection.ts';
import type { ConsumerOptions } from './consumer-options.ts';
import { type Failures, forgetFailures, type Handling, retryOrPark } from './dead-letters.ts';
import { endOfTurn } from './end-of-turn.ts';
import { countDeadLetters, handlingBy, measured } from './measured.ts';
import { durableName } from './names.ts';
import { EVENT_STREAM } from './stream-settings.ts';
import { remakeStreams } from './streams.ts';
import { reportUnhandledEvents } from './unhandled-events.ts';

/**
 * How long the broker waits for a handler before it redelivers the event to another replica; a slow handler asks for
 * more time.
 */
const ACK_WAIT_MS = 30_000;
const WORKING_EVERY_MS = 10_000;
const REOPEN_AFTER_MS = 1_000;
/**
 * A broker that is silent for two heartbeats is asked again: a new leader of the consumer does not know who was
 * waiting.
 */
const HEARTBEAT_MS = 1_000;
const PULL_EXPIRES_MS = 5_000;

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
  const failures: Failures = new Map();
  const stops = await Promise.all(options.types.map(async (type) => runOfType(bus, type, options, failures)));
  return async () => {
    await Promise.all(stops.map(async (stop) => stop()));
  };
}

async function runOfType<T extends DomainEventType>(
  bus: BusConnection,
  type: T,
  options: ConsumerOptions<T>,
  failures: Failures,
): Promise<() => Promise<void>> {
  const client = jetstream(bus.nats);
  const durable = durableName(options.name, type);
  const running = new Set<Promise<void>>();
  const inFlightMax = options.inFlightMax ?? 128;
  let stopped = false;
  let messages: ConsumerMessages | undefined;
  let wake: () => void = () => {};

  const open = async (): Promise<ConsumerMessages> => {
    const { consumers } = await jetstreamManager(bus.nats, { checkAPI: false });
    const settings = { ack_wait: nanos(ACK_WAIT_MS), max_ack_pending: inFlightMax * 4 };
    const fixed = { durable_name: durable, ack_policy: AckPolicy.Explicit, filter_subject: subjectOf(type) };
    try {
      await consumers.add(EVENT_STREAM, { ...fixed, ...settings });
    } catch {
      // It exists with the settings of another release: update it. If the broker is really unwell, this fails again.
      await consumers.update(EVENT_STREAM, durable, settings);
    }
    const consumer = await client.consumers.get(EVENT_STREAM, durable);
    return await consumer.consume({
      max_messages: inFlightMax,
      abort_on_missing_resource: true,
      expires: PULL_EXPIRES_MS,
      idle_heartbeat: HEARTBEAT_MS,
    });
  };

  const read = async () => {
    while (!stopped) {
      try {
        messages ??= await open();
        // Stopped while it was opened, when there was nothing to close. It ends by being read.
        if (stopped) messages.stop();
        for await (const message of messages) {
          if (running.size >= inFlightMax) await Promise.race(running);
          const handling = handleMessage({ bus, client, options, failures }, message)
            // The broker is down: it will redeliver the event.
            .catch((err: unknown) =>
              options.logger.warn({ err, consumer: options.name }, 'an event could not be settled'),
            )
            .finally(() => running.delete(handling));
          running.add(handling);
        }
      } catch (err) {
        if (!stopped) {
          options.logger.warn({ err, consumer: options.name, type }, 'the consumer ended; reopening it');
          await remakeStreams(bus).catch((cause: unknown) => options.logger.warn({ err: cause }, 'no streams yet'));
        }
      }
      messages = undefined;
      if (!stopped) {
        await new Promise<void>((resolve) => {
          wake = resolve;
          setTimeout(resolve, REOPEN_AFTER_MS);
        });
      }
    }
  };

  messages = await open();
  const reading = read();
  return async () => {
    stopped = true;
    wake();
    await messages?.close();
    await reading;
    await Promise.all(running);
  };
}

async function handleMessage<T extends DomainEventType>(handling: Handling<T>, message: JsMsg): Promise<void> {
  const { bus, options, failures } = handling;
  const stillWorking = setInterval(() => {
    if (bus.isUp()) message.working();
  }, WORKING_EVERY_MS);
  let isEvent = false;
  try {
    const event = readEvent<T>(message);
    isEvent = true;
    await measured(handlingBy(options.name, 'events')(message.subject), event.traceparent, (traceparent) =>
      options.handle(traceparent === undefined ? event : { ...event, traceparent }),
    );
  } catch (error) {
    await retryOrPark(handling, message, { error, isEvent });
    return;
  } finally {
    clearInterval(stillWorking);
  }
  forgetFailures(failures, message);
  await endOfTurn();
  // A lost acknowledgement only causes a redelivery.
  message.ack();
}

/** @throws {Error} if it is not an event, or its type does not match its subject */
function readEvent<T extends DomainEventType>(message: JsMsg): ReceivedEvent<T> {
  const event = parseDomainEvent(message.json());
  if (subjectOf(event.type) !== message.subject) {
    throw new Error(`an event of type ${event.type} does not belong on ${message.subject}`);
  }
  return event as ReceivedEvent<T>;
}
