import { type DomainEvent, type DomainEventType, parseDomainEvent, subjectOf } from '@event-commerce/contracts';
import {
  AckPolicy,
  type ConsumerMessages,
  type JsMsg,
  type JetStreamClient,
  jetstream,
  jetstreamManager,
} from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import DataLoader from 'dataloader';
import type { Logger } from 'pino';
import { traceIdOf } from '@event-commerce/telemetry';
import type { BusConnection } from './connection.ts';
import { countDeadLetters, handlingBy, measured } from './operations.ts';
import { DEAD_LETTER_PREFIX, EVENT_STREAM } from './stream-settings.ts';

/** How long the broker waits for a handler before it hands the event to another replica; a slow handler asks for more. */
const ACK_WAIT_MS = 30_000;
const WORKING_EVERY_MS = 10_000;
const RETRY_DELAYS_MS = [100, 500, 1_000, 2_000, 5_000, 10_000, 30_000];
const RECREATE_AFTER_MS = 1_000;

export interface ConsumerOptions<T extends DomainEventType> {
  /** The durable name: replicas that share it share the work. */
  name: string;
  types: readonly T[];
  inFlightMax?: number;
  logger: Logger;
  /** Whether the failure is an outage of something the handler needs: such an event waits, however long; it is not at fault. */
  isOutage: (error: unknown) => boolean;
  /** Must be safe to run twice for one event. */
  handle: (event: DomainEvent<T>) => Promise<void>;
}

/**
 * Handles the events of `types` at least once each. A handler that fails is tried again with growing delay; an event that
 * keeps failing, or is no valid event, is parked in the dead-letter stream with the reason, and holds nobody up.
 * A consumer that disappears from the broker is made again. The function that comes back stops it and waits for handlers.
 */
export async function runConsumer<T extends DomainEventType>(
  bus: BusConnection,
  options: ConsumerOptions<T>,
): Promise<() => Promise<void>> {
  const client = jetstream(bus.nats);
  const underWay = new Set<Promise<void>>();
  const inFlightMax = options.inFlightMax ?? 128;
  let stopped = false;
  let messages: ConsumerMessages | undefined;
  let wake: () => void = () => {};

  const open = async (): Promise<ConsumerMessages> => {
    const manager = await jetstreamManager(bus.nats);
    const settings = {
      filter_subjects: options.types.map(subjectOf),
      ack_wait: nanos(ACK_WAIT_MS),
      max_ack_pending: inFlightMax * 4,
    };
    try {
      const config = { ...settings, durable_name: options.name, ack_policy: AckPolicy.Explicit };
      await manager.consumers.add(EVENT_STREAM, config);
    } catch {
      // It exists with the settings of another release: bring it up to date. A broker that is really unwell fails here again.
      await manager.consumers.update(EVENT_STREAM, options.name, settings);
    }
    const consumer = await client.consumers.get(EVENT_STREAM, options.name);
    return await consumer.consume({ max_messages: inFlightMax, abort_on_missing_resource: true });
  };

  const read = async () => {
    while (!stopped) {
      try {
        messages ??= await open();
        for await (const message of messages) {
          if (underWay.size >= inFlightMax) await Promise.race(underWay);
          const running = handleMessage(client, message, options).finally(() => underWay.delete(running));
          underWay.add(running);
        }
      } catch (err) {
        if (!stopped) options.logger.warn({ err, consumer: options.name }, 'the consumer ended; opening it again');
      }
      messages = undefined;
      if (!stopped) {
        await new Promise<void>((resolve) => {
          wake = resolve;
          setTimeout(resolve, RECREATE_AFTER_MS);
        });
      }
    }
  };

  countDeadLetters(0, { consumer: options.name });
  messages = await open();
  const reading = read();
  return async () => {
    stopped = true;
    wake();
    await messages?.close();
    await reading;
    await Promise.all(underWay);
  };
}

/**
 * What was handled in one turn of the loop is acknowledged at its end in one write, whose system call costs more than all else about
 * it. An acknowledgement that is lost with this process only brings its event again.
 */
const acknowledgements = new DataLoader<JsMsg, void>(async (messages) => messages.map((message) => message.ack()), {
  cache: false,
  batchScheduleFn: setImmediate,
});

async function handleMessage<T extends DomainEventType>(
  client: JetStreamClient,
  message: JsMsg,
  options: ConsumerOptions<T>,
): Promise<void> {
  const stillWorking = setInterval(() => message.working(), WORKING_EVERY_MS);
  try {
    const event = parseDomainEvent(message.json()) as DomainEvent<T>;
    await measured(handlingBy(options.name, 'events')(message.subject), event.traceparent, (traceparent) =>
      options.handle(traceparent === undefined ? event : { ...event, traceparent }),
    );
    await acknowledgements.load(message);
  } catch (error) {
    await retryOrPark(client, message, error, options);
  } finally {
    clearInterval(stillWorking);
  }
}

async function retryOrPark<T extends DomainEventType>(
  client: JetStreamClient,
  message: JsMsg,
  error: unknown,
  options: ConsumerOptions<T>,
): Promise<void> {
  const attempt = message.info.deliveryCount;
  const log = {
    err: error,
    consumer: options.name,
    subject: message.subject,
    sequence: message.seq,
    attempt,
    ...traceOf(message),
  };
  const invalid = error instanceof SyntaxError || (error as Error).name === 'ZodError';
  if (!invalid && (options.isOutage(error) || attempt <= RETRY_DELAYS_MS.length)) {
    options.logger.warn(log, 'an event could not be handled; it is tried again');
    message.nak(RETRY_DELAYS_MS[Math.min(attempt, RETRY_DELAYS_MS.length) - 1]);
    return;
  }
  try {
    await client.publish(
      `${DEAD_LETTER_PREFIX}.${options.name}`,
      JSON.stringify({
        consumer: options.name,
        subject: message.subject,
        sequence: message.seq,
        attempts: attempt,
        reason: String(error),
        event: message.string(),
      }),
      { msgID: `${options.name}:${message.seq}` },
    );
    message.term('parked in the dead-letter stream');
    countDeadLetters(1, { consumer: options.name });
    options.logger.error(log, 'an event was parked in the dead-letter stream');
  } catch (err) {
    options.logger.error({ ...log, err }, 'an event could not be parked; it is tried again');
    message.nak(RETRY_DELAYS_MS.at(-1));
  }
}

/** The trace and the event that a line about `message` is about, as far as it can be read. */
function traceOf(message: JsMsg): { eventId?: unknown; traceId?: string | undefined } {
  try {
    const { id, traceparent } = message.json<{ id?: unknown; traceparent?: string }>();
    return { eventId: id, traceId: traceIdOf(traceparent) };
  } catch {
    return {};
  }
}
