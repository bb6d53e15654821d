import type { DomainEventType } from '@event-commerce/contracts';
import { gauge } from '@event-commerce/telemetry';
import { jetstreamManager } from '@nats-io/jetstream';
import type { BusConnection } from './connection.ts';
import { durableName } from './names.ts';
import { EVENT_STREAM } from './stream-settings.ts';

/** Far less than Prometheus waits for the metrics: a broker that hangs must not hide the others. */
const ANSWER_WITHIN_MS = 1_000;
/** Enough for hours of readings. A reading beyond them is left out, which makes a longer wait look shorter. */
const READINGS_MAX = 1_000;

/** When metrics were read, and the sequence of the last event at that time. */
interface Reading {
  atMs: number;
  lastSeq: number;
}

/** What one durable consumer has not handled yet. */
interface Backlog {
  durable: string;
  labels: { consumer: string; type: DomainEventType };
  /** How many events, when the broker last said so. */
  events: number | undefined;
  /** The readings since which some event has waited, oldest first. */
  readings: Reading[];
}

/**
 * Reports how many events of each of `types` the consumer named `consumer` has not handled, and for at least how long
 * the oldest has waited. The broker is asked when the metrics are read. It does not report the age of a waiting event,
 * and no process may read events without a consumer: so an event is as old as the first reading that saw it.
 *
 * A broker that does not answer, or does not know the consumer, hands out no event, so the time keeps counting.
 */
export function reportUnhandledEvents(bus: BusConnection, consumer: string, types: readonly DomainEventType[]): void {
  const backlogs = types.map((type): Backlog => {
    return { durable: durableName(consumer, type), labels: { consumer, type }, events: undefined, readings: [] };
  });
  // Both metrics are read at once, and share the answers.
  let asking: Promise<void> | undefined;
  const asked = async (): Promise<Backlog[]> => {
    asking ??= ask(bus, backlogs).finally(() => {
      asking = undefined;
    });
    await asking;
    return backlogs;
  };
  gauge('events.unhandled', { description: 'Events that a consumer has not handled yet.' }, async () =>
    (await asked()).flatMap(({ events, labels }) => (events === undefined ? [] : [[events, labels]])),
  );
  gauge(
    'events.unhandled_age',
    { unit: 's', description: 'How long the oldest event that a consumer has not handled has waited for it.' },
    async () => (await asked()).map(({ readings: [oldest], labels }) => [oldest ? secondsSince(oldest) : 0, labels]),
  );
}

async function ask(bus: BusConnection, backlogs: readonly Backlog[]): Promise<void> {
  const { streams, consumers } = await jetstreamManager(bus.nats, { checkAPI: false, timeout: ANSWER_WITHIN_MS });
  const atMs = performance.now();
  const stream = bus.isUp() ? streams.info(EVENT_STREAM) : Promise.reject(new Error('the broker is not reachable'));
  const update = async (backlog: Backlog) => {
    try {
      const { state } = await stream;
      const { num_pending, num_ack_pending, ack_floor } = await consumers.info(EVENT_STREAM, backlog.durable);
      backlog.events = num_pending + num_ack_pending;
      const waiting = backlog.readings.filter(
        // Every event up to the floor was handled. A reading beyond the end is of a stream that was recreated since.
        ({ lastSeq }) => lastSeq > ack_floor.stream_seq && lastSeq <= state.last_seq,
      );
      backlog.readings =
        backlog.events === 0 ? [] : [...waiting, { atMs, lastSeq: state.last_seq }].slice(0, READINGS_MAX);
    } catch {
      if (backlog.readings.length === 0) backlog.readings = [{ atMs, lastSeq: 0 }];
    }
  };
  await Promise.all(backlogs.map(update));
}

function secondsSince({ atMs }: Reading): number {
  return (performance.now() - atMs) / 1000;
}
