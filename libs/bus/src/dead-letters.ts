import { inspect } from 'node:util';
import { shortened } from '@event-commerce/contracts';
import type { JetStreamClient, JsMsg } from '@nats-io/jetstream';
import { DEAD_LETTER_PREFIX } from './stream-settings.ts';

const PARKED_LENGTH_MAX = 256 * 1024;
const REASON_LENGTH_MAX = 2_000;

/** Stores an event that `consumer` gave up on in the dead-letter stream, with the reason. */
export async function park(
  client: JetStreamClient,
  consumer: string,
  message: JsMsg,
  { attempts, error }: { attempts: number; error: unknown },
): Promise<void> {
  const event = message.string();
  await client.publish(
    `${DEAD_LETTER_PREFIX}.${consumer}`,
    JSON.stringify({
      consumer,
      subject: message.subject,
      sequence: message.seq,
      attempts,
      reason: shortened(error instanceof Error ? `${error.name}: ${error.message}` : inspect(error), REASON_LENGTH_MAX),
      // A larger event would make this message too large: it is read from the event stream by its sequence.
      ...(event.length <= PARKED_LENGTH_MAX ? { event } : {}),
    }),
    // The time distinguishes the event from one that had its sequence before the stream was recreated.
    { msgID: `${consumer}:${message.seq}@${message.info.timestampNanos}` },
  );
}
