import { setTimeout as delay } from 'node:timers/promises';
import {
  type DomainEventType,
  isSubjectOf,
  parseDomainEvent,
  type ReceivedEvent,
  subjectOf,
} from '@event-commerce/contracts';
import { traceIdOf } from '@event-commerce/telemetry';
import type { JetStreamClient, JsMsg } from '@nats-io/jetstream';
import type { BusConnection } from './connection.ts';
import type { ConsumerOptions } from './consumer-options.ts';
import { park } from './dead-letters.ts';
import { endOfTurn } from './end-of-turn.ts';
import { countDeadLetters, handlingBy, measured } from './measured.ts';
import { settledWithin } from './patience.ts';
import { remakeStreams } from './streams.ts';

const WORKING_EVERY_MS = 10_000;
/** A handler that takes longer counts as hung, and has failed. */
const HANDLE_WITHIN_MS = 120_000;
const RETRY_DELAYS_MS = [100, 500, 1_000, 2_000, 5_000, 10_000, 30_000];
/** The longest that an event waits for its next attempt during an outage, and so after it too. */
const OUTAGE_DELAY_MAX_MS = 5_000;
/**
 * Retries wait in this process, so an event is delivered again only if the process ended or lost the broker. One that
 * is delivered this often probably kills its process.
 */
const DELIVERIES_MAX = 20;

/** What handling an event needs. */
export interface Handling<T extends DomainEventType> {
  bus: BusConnection;
  client: JetStreamClient;
  options: ConsumerOptions<T>;
  stopping: AbortSignal;
  /** Counts an attempt among the handlers in flight. An event that waits for its next attempt is not counted. */
  inSlot: (attempt: Promise<void>) => Promise<void>;
}

/**
 * Handles one event and acknowledges it. Retries with growing delay; parks an event that still fails after enough
 * attempts. An outage is not the event's fault: the event is retried until the outage is over.
 */
export async function handleEvent<T extends DomainEventType>(handling: Handling<T>, message: JsMsg): Promise<void> {
  const { bus, stopping } = handling;
  const keepClaimed = setInterval(() => {
    if (bus.isUp()) message.working();
  }, WORKING_EVERY_MS);
  try {
    await retryUntilSettled(handling, message);
  } catch (error) {
    if (!stopping.aborted) throw error;
    // Another replica continues at once.
    message.nak();
  } finally {
    clearInterval(keepClaimed);
  }
}

async function retryUntilSettled<T extends DomainEventType>(handling: Handling<T>, message: JsMsg): Promise<void> {
  const { bus, client, options, stopping } = handling;
  const delaysMs = options.retryDelaysMs ?? RETRY_DELAYS_MS;
  let attempts = 0;
  for (let tries = 0; ; tries += 1) {
    const error = await failureOf(handling, message);
    if (error === undefined) {
      await endOfTurn();
      // A lost acknowledgement only causes a redelivery.
      message.ack();
      return;
    }
    const outage = options.isOutage(error);
    if (!outage) attempts += 1;
    const log = { err: error, consumer: options.name, subject: message.subject, attempts, ...originOf(message) };
    if (outage || (attempts <= delaysMs.length && !(error instanceof HopelessError))) {
      options.logger.warn(log, 'an event could not be handled; it will be retried');
      const delayMs = delaysMs[Math.min(outage ? tries : attempts - 1, delaysMs.length - 1)] ?? 0;
      await delay(outage ? Math.min(delayMs, OUTAGE_DELAY_MAX_MS) : delayMs, undefined, { signal: stopping });
      continue;
    }
    try {
      await park(client, options.name, message, { attempts, error });
      message.term('parked in the dead-letter stream');
      countDeadLetters(1, { consumer: options.name });
      options.logger.error(log, 'an event was parked in the dead-letter stream');
      return;
    } catch (err) {
      options.logger.error({ ...log, err }, 'an event could not be parked; it will be retried');
      await remakeStreams(bus);
      await delay(Math.min(delaysMs.at(-1) ?? 0, OUTAGE_DELAY_MAX_MS), undefined, { signal: stopping });
    }
  }
}

/** Why this attempt to handle the event failed; undefined if it did not. */
async function failureOf<T extends DomainEventType>(
  { options, inSlot }: Handling<T>,
  message: JsMsg,
): Promise<unknown> {
  try {
    const event = readEvent<T>(message);
    const attempt = measured(
      handlingBy(options.name, 'events')(subjectOf(event.type)),
      event.traceparent,
      (traceparent) => options.handle(traceparent === undefined ? event : { ...event, traceparent }),
    );
    await inSlot(
      settledWithin(attempt, options.handleWithinMs ?? HANDLE_WITHIN_MS, () => new Error('the handler hangs')),
    );
    return undefined;
  } catch (error) {
    return error ?? new Error('the handler threw nothing');
  }
}

/** An event that no retry can make succeed. */
class HopelessError extends Error {
  override readonly name = 'HopelessError';
}

/** @throws {HopelessError} if it is not an event, does not belong on its subject, or was delivered too often */
function readEvent<T extends DomainEventType>(message: JsMsg): ReceivedEvent<T> {
  const { deliveryCount } = message.info;
  if (deliveryCount > DELIVERIES_MAX) {
    throw new HopelessError(`it was delivered ${deliveryCount} times and never settled: it may end its process`);
  }
  try {
    const event = parseDomainEvent(message.json());
    if (isSubjectOf(event.type, message.subject)) return event as ReceivedEvent<T>;
    throw new Error(`an event of type ${event.type} does not belong on ${message.subject}`);
  } catch (cause) {
    throw new HopelessError(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

/** What a log line says about `message`, as far as it can be read. */
function originOf(message: JsMsg): { sequence: number; eventId?: unknown; traceId?: string | undefined } {
  const sequence = message.seq;
  try {
    const { id, traceparent } = message.json<{ id?: unknown; traceparent?: string }>();
    return { sequence, eventId: id, traceId: traceIdOf(traceparent) };
  } catch {
    return { sequence };
  }
}
