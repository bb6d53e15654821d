import { inspect } from 'node:util';
import { type DomainEventType, shortened } from '@event-commerce/contracts';
import { traceIdOf } from '@event-commerce/telemetry';
import type { JetStreamClient, JsMsg } from '@nats-io/jetstream';
import type { BusConnection } from './connection.ts';
import type { ConsumerOptions } from './consumer-options.ts';
import { countDeadLetters } from './measured.ts';
import { DEAD_LETTER_PREFIX } from './stream-settings.ts';
import { remakeStreams } from './streams.ts';

const RETRY_DELAYS_MS = [100, 500, 1_000, 2_000, 5_000, 10_000, 30_000];
/** How long an event waits at most before it is tried again in an outage, and so still waits once that is over. */
const OUTAGE_DELAY_MAX_MS = 5_000;
const PARKED_LENGTH_MAX = 256 * 1024;
const REASON_LENGTH_MAX = 2_000;
/** Events whose failures this process remembers at once. */
const FAILING_MAX = 10_000;

/** How often each event has failed through its own fault, as far as this process saw. */
export type Failures = Map<string, number>;

/** What handling an event needs. */
export interface Handling<T extends DomainEventType> {
  bus: BusConnection;
  client: JetStreamClient;
  options: ConsumerOptions<T>;
  failures: Failures;
}

/** Has an event that was not handled redelivered, or parks it when it is to blame and was retried often enough. */
export async function retryOrPark<T extends DomainEventType>(
  { bus, client, options, failures }: Handling<T>,
  message: JsMsg,
  { error, isEvent }: { error: unknown; isEvent: boolean },
): Promise<void> {
  const delaysMs = options.retryDelaysMs ?? RETRY_DELAYS_MS;
  const outage = options.isOutage(error);
  // Not the broker's count of deliveries, which rises during an outage too: the first fault after a long one would park
  // the event.
  const key = keyOf(message);
  const attempts = (failures.get(key) ?? 0) + (outage ? 0 : 1);
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
    if (!outage) remember(failures, key, attempts);
    options.logger.warn(log, 'an event could not be handled; it will be retried');
    const tries = outage ? message.info.deliveryCount : attempts;
    const delayMs = delaysMs[Math.min(tries, delaysMs.length) - 1] ?? 0;
    message.nak(outage ? Math.min(delayMs, OUTAGE_DELAY_MAX_MS) : delayMs);
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
      { msgID: `${options.name}:${key}` },
    );
    message.term('parked in the dead-letter stream');
    failures.delete(key);
    countDeadLetters(1, { consumer: options.name });
    options.logger.error(log, 'an event was parked in the dead-letter stream');
  } catch (err) {
    options.logger.error({ ...log, err }, 'an event could not be parked; it will be retried');
    // The broker's outage, and not another fault of the event's.
    message.nak(Math.min(delaysMs.at(-1) ?? 0, OUTAGE_DELAY_MAX_MS));
    await remakeStreams(bus);
  }
}

/** Forgets the failures of an event that was handled. */
export function forgetFailures(failures: Failures, message: JsMsg): void {
  if (failures.size > 0) failures.delete(keyOf(message));
}

/** Tells an event from the one that had its sequence before the stream was created again. */
function keyOf({ seq, info }: JsMsg): string {
  return `${seq}@${info.timestampNanos}`;
}

/** Records a failure. Forgets the oldest if there are too many: another replica may have handled it by now. */
function remember(failures: Failures, key: string, attempts: number): void {
  failures.delete(key);
  failures.set(key, attempts);
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
