import { counter, durationHistogram, errorTypeOf, inSpan, SpanKind } from '@event-commerce/telemetry';
import type { Attributes } from '@opentelemetry/api';

const recordClient = durationHistogram(
  'messaging.client.operation.duration',
  'How long requests over the broker took to be answered, and events to be taken by it.',
);
const recordProcess = durationHistogram(
  'messaging.process.duration',
  'How long events and requests that came over the broker took to be handled.',
);

/** Events that were given up on. */
export const countDeadLetters = counter('dead_letters', 'Events parked in the dead-letter stream.');

/**
 * Measures `work` as one operation with the broker, and traces it as a part of `parent`. `work` gets the traceparent to send
 * along.
 */
export async function clientOperation<T>(
  operation: 'request' | 'publish',
  subject: string,
  parent: string | undefined,
  work: (traceparent: string | undefined) => Promise<T>,
): Promise<T> {
  const attributes = attributesOf(operation, subject);
  const kind = operation === 'request' ? SpanKind.CLIENT : SpanKind.PRODUCER;
  return await measured(recordClient, { name: `${operation} ${subject}`, kind, attributes, parent }, work);
}

/** Measures and traces `work` as the handling of what came on `subject` to one of `group`. */
export async function processOperation<T>(
  received: { kind: 'request' | 'event'; subject: string; group: string; parent: string | undefined },
  work: (traceparent: string | undefined) => Promise<T> | T,
): Promise<T> {
  const { subject, group, parent } = received;
  const attributes = attributesOf('process', subject, group);
  const kind = received.kind === 'request' ? SpanKind.SERVER : SpanKind.CONSUMER;
  return await measured(recordProcess, { name: `process ${subject}`, kind, attributes, parent }, work);
}

async function measured<T>(
  record: typeof recordClient,
  span: Parameters<typeof inSpan>[0],
  work: (traceparent: string | undefined) => Promise<T> | T,
): Promise<T> {
  const beganMs = performance.now();
  try {
    const result = await inSpan(span, work);
    record(beganMs, span.attributes);
    return result;
  } catch (error) {
    const errorType = errorTypeOf(error);
    record(beganMs, errorType === undefined ? span.attributes : { ...span.attributes, 'error.type': errorType });
    throw error;
  }
}

const known = new Map<string, Attributes>();

/** Made once for each: subjects and groups are few, and attributes that are kept cost nothing to record with. */
function attributesOf(operation: string, subject: string, group = ''): Attributes {
  const key = `${operation} ${subject} ${group}`;
  let attributes = known.get(key);
  if (attributes === undefined) {
    attributes = {
      'messaging.system': 'nats',
      'messaging.operation.name': operation,
      'messaging.destination.name': subject,
      ...(group === '' ? {} : { 'messaging.consumer.group.name': group }),
    };
    known.set(key, attributes);
  }
  return attributes;
}
