import { AckPolicy, DeliverPolicy, type JsMsg, jetstream, jetstreamManager } from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import type { BusConnection } from './connection.ts';
import { pulling } from './consumer.ts';
import { EVENT_STREAM } from './stream-settings.ts';

/** The broker forgets the consumer of a process that ended. */
const INACTIVE_MS = 60_000;
const BATCH_MAX = 1_000;
const BATCH_BYTES_MAX = 4 * 1024 * 1024;

/** The event stream at a moment. One that was deleted and created again has another `created`. */
export interface EventStreamState {
  created: string;
  firstSeq: number;
  lastSeq: number;
}

/** An event as the stream stores it. */
export interface StoredEvent {
  seq: number;
  bytes: Uint8Array;
}

export async function eventStreamState(bus: BusConnection): Promise<EventStreamState> {
  const { streams } = await jetstreamManager(bus.nats, { checkAPI: false });
  const { created, state } = await streams.info(EVENT_STREAM);
  return { created, firstSeq: state.first_seq, lastSeq: state.last_seq };
}

/** The name of the consumer that a reader of the whole stream has at the broker. */
export function readerName(reader: string): string {
  return `${reader}-reader`;
}

/**
 * Reads all domain events from `seq` on, in the order of the stream, in batches of what has arrived. Only one reader of
 * a name runs at a time: a new one ends it. Ends when `stopping` is aborted.
 *
 * @throws {Error} when the reader must start again from its last event: the broker or the consumer was lost
 */
export async function* readEvents(
  bus: BusConnection,
  reader: string,
  seq: number,
  stopping: AbortSignal,
): AsyncGenerator<StoredEvent[], void> {
  const { consumers } = await jetstreamManager(bus.nats, { checkAPI: false });
  const name = readerName(reader);
  await consumers.delete(EVENT_STREAM, name).catch(() => false);
  await consumers.add(EVENT_STREAM, {
    name,
    ack_policy: AckPolicy.None,
    deliver_policy: DeliverPolicy.StartSequence,
    opt_start_seq: seq,
    filter_subject: 'domain.>',
    inactive_threshold: nanos(INACTIVE_MS),
    mem_storage: true,
    num_replicas: 1,
  });
  const consumer = await jetstream(bus.nats).consumers.get(EVENT_STREAM, name);
  const messages = await consumer.consume({ ...pulling(bus), max_messages: 2 * BATCH_MAX });
  const stop = () => messages.stop();
  stopping.addEventListener('abort', stop, { once: true });
  try {
    let delivered = 0;
    let [batch, bytes]: [StoredEvent[], number] = [[], 0];
    for await (const message of messages) {
      refuseGap(message, ++delivered);
      batch.push({ seq: message.seq, bytes: message.data });
      bytes += message.data.length;
      // Not `getPending`: it also counts requests for more, sent before the message. Then nothing may follow.
      const follows = messages.getReceived() > messages.getProcessed();
      if (follows && batch.length < BATCH_MAX && bytes < BATCH_BYTES_MAX) continue;
      yield batch;
      [batch, bytes] = [[], 0];
    }
    if (!stopping.aborted) throw new Error('the reader of the event stream ended');
  } finally {
    stopping.removeEventListener('abort', stop);
    await messages.close();
  }
}

/** Nothing is acknowledged, so what was lost on its way is not sent again. */
function refuseGap({ info }: JsMsg, expected: number): void {
  if (info.deliverySequence !== expected) throw new Error('an event was lost on its way from the broker');
}
