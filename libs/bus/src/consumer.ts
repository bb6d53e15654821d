import {
  type DomainEventType,
  parseDomainEvent,
  type ReceivedEvent,
  shortened,
  subjectOf,
} from '@event-commerce/contracts';
import {
  AckPolicy,
  type ConsumerMessages,
  type JsMsg,
  type JetStreamClient,
  jetstream,
  jetstreamManager,
} from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import { inspect } from 'node:util';
import DataLoader from 'dataloader';
import type { Logger } from 'pino';
import { traceIdOf } from '@event-commerce/telemetry';
import type { BusConnection } from './connection.ts';
import { countDeadLetters, handlingBy, measured } from './operations.ts';
import { durableName } from './names.ts';
import { DEAD_LETTER_PREFIX, EVENT_STREAM } from './stream-settings.ts';
import { remakeStreams } from './streams.ts';

/**
 * How long the broker waits for a handler before it redelivers the event to another replica; a slow handler asks for
 * more time.
 */
const ACK_WAIT_MS = 30_000;
const WORKING_EVERY_MS = 10_000;
const RETRY_DELAYS_MS = [100, 500, 1_000, 2_000, 5_000, 10_000, 30_000];
const REOPEN_AFTER_MS = 1_000;
/**
 * A broker that is silent for two heartbeats is asked again: a new leader of the consumer does not know who was
 * waiting.
 */
const HEARTBEAT_MS = 1_000;
const PULL_EXPIRES_MS = 5_000;
const PARKED_LENGTH_MAX = 256 * 1024;
const REASON_LENGTH_MAX = 2_000;
/** Events whose failures this process remembers at once. */
const FAILING_MAX = 10_000;

export interface ConsumerOptions<T extends DomainEventType> {
  /** The consumer's name in metrics, logs and dead letters. Replicas with the same name share the work. */
  name: string;
  types: readonly T[];
  inFlightMax?: number;
  logger: Logger;
  /** Whether something the handler needs is down. Such an event waits, however long: it is not to blame. */
  isOutage: (error: unknown) => boolean;
  /** The delays between the attempts of an event whose handler failed; after the last it is parked. */
  retryDelaysMs?: readonly number[];
  /** Must be safe to run twice for one event, and in any order. */
  handle: (event: ReceivedEvent<T>) => Promise<void>;
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
  const failures = new Map<number, number>();
  const stops = await Promise.all(options.types.map(async (type) => runOfType(bus, type, options, failures)));
  return async () => {
    await Promise.all(stops.map(async (stop) => stop()));
  };
}

/** How often each event has failed through its own fault, as far as this process saw: by sequence in the stream. */
type Failures = Map<number, number>;

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

interface Handling<T extends DomainEventType> {
  bus: BusConnection;
  client: JetStreamClient;
  options: ConsumerOptions<T>;
  failures: Failures;
}

/**
 * Events handled in one turn of the loop are acknowledged at its end in one write, whose system call costs more than
 * everything else about it. A lost acknowledgement only causes a redelivery.
 */
const acknowledgements = new DataLoader<JsMsg, void>(async (messages) => messages.map((message) => message.ack()), {
  cache: false,
  batchScheduleFn: setImmediate,
});

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
  failures.delete(message.seq);
  await acknowledgements.load(message);
}

/** @throws {Error} if it is not an event, or its type does not match its subject */
function readEvent<T extends DomainEventType>(message: JsMsg): ReceivedEvent<T> {
  const event = parseDomainEvent(message.json());
  if (subjectOf(event.type) !== message.subject) {
    throw new Error(`an event of type ${event.type} does not belong on ${message.subject}`);
  }
  return event as ReceivedEvent<T>;
}

async function retryOrPark<T extends DomainEventType>(
  { bus, client, options, failures }: Handling<T>,
  message: JsMsg,
  { error, isEvent }: { error: unknown; isEvent: boolean },
): Promise<void> {
  const delaysMs = options.retryDelaysMs ?? RETRY_DELAYS_MS;
  const outage = options.isOutage(error);
  // Not the broker's count of deliveries, which rises during an outage too: the first fault after a long one would park
  // the event.
  const attempts = (failures.get(message.seq) ?? 0) + (outage ? 0 : 1);
  const log = {
    err: error,
    consumer: options.name,
    subject: message.subject,
    sequence: message.seq,
    attempts,
    ...traceOf(message),
  };
  // An invalid event never becomes valid.
  if (isEvent && (outage || attempts <= delaysMs.length)) {
    if (!outage) remember(failures, message.seq, attempts);
    options.logger.warn(log, 'an event could not be handled; it will be retried');
    const tries = outage ? message.info.deliveryCount : attempts;
    message.nak(delaysMs[Math.min(tries, delaysMs.length) - 1]);
    return;
  }
  const event = message.string();
  try {
    await client.publish(
      `${DEAD_LETTER_PREFIX}.${options.name}`,
      JSON.stringify({
        consumer: options.name,
        subject: message.subject,
        sequence: message.seq,
        attempts,
        reason: shortened(
          error instanceof Error ? `${error.name}: ${error.message}` : inspect(error),
          REASON_LENGTH_MAX,
        ),
        // A larger one is read from the event stream by its sequence: with it, this message might be too large itself.
        ...(event.length <= PARKED_LENGTH_MAX ? { event } : {}),
      }),
      { msgID: `${options.name}:${message.seq}` },
    );
    message.term('parked in the dead-letter stream');
    failures.delete(message.seq);
    countDeadLetters(1, { consumer: options.name });
    options.logger.error(log, 'an event was parked in the dead-letter stream');
  } catch (err) {
    options.logger.error({ ...log, err }, 'an event could not be parked; it will be retried');
    message.nak(delaysMs.at(-1));
    await remakeStreams(bus);
  }
}

/** Records a failure. Forgets the oldest if there are too many: another replica may have handled it by now. */
function remember(failures: Failures, sequence: number, attempts: number): void {
  failures.delete(sequence);
  failures.set(sequence, attempts);
  const [oldest] = failures.keys();
  if (failures.size > FAILING_MAX && oldest !== undefined) failures.delete(oldest);
}

/** The trace and the event of a log line about `message`, as far as they can be read. */
function traceOf(message: JsMsg): { eventId?: unknown; traceId?: string | undefined } {
  try {
    const { id, traceparent } = message.json<{ id?: unknown; traceparent?: string }>();
    return { eventId: id, traceId: traceIdOf(traceparent) };
  } catch {
    return {};
  }
}
