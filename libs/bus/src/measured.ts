import {
  counter,
  durationHistogram,
  errorTypeOf,
  inSpan,
  isTracing,
  type RecordDuration,
  SpanKind,
} from '@event-commerce/telemetry';
import type { Attributes } from '@opentelemetry/api';

const recordClient = durationHistogram(
  'messaging.client.operation.duration',
  'How long requests over the broker took until the reply, and events until the broker acknowledged them.',
);
const recordProcess = durationHistogram(
  'messaging.process.duration',
  'How long events and requests from the broker took to handle.',
);

/** Events that were given up on. */
export const countDeadLetters = counter('dead_letters', 'Events parked in the dead-letter stream.');

/** An operation on messages of one subject: how it is measured, and the name of its span. */
interface Operation {
  record: RecordDuration;
  kind: SpanKind;
  name: string;
  attributes: Attributes;
}

/** Each is created once for a subject: there are few, and cached attributes cost nothing to record with. */
type OperationOn = (subject: string) => Operation;

export const requestOn = forEachSubject(recordClient, SpanKind.CLIENT, 'request');
export const publishOn = forEachSubject(recordClient, SpanKind.PRODUCER, 'publish');

const groups = new Map<string, OperationOn>();

/** What a member of `group` does with the messages it gets. */
export function handlingBy(group: string, what: 'requests' | 'events'): OperationOn {
  let made = groups.get(group);
  if (made === undefined) {
    const kind = what === 'requests' ? SpanKind.SERVER : SpanKind.CONSUMER;
    made = forEachSubject(recordProcess, kind, 'process', { 'messaging.consumer.group.name': group });
    groups.set(group, made);
  }
  return made;
}

/**
 * Measures `work`, and traces it as a child of `parent`. Passes it the traceparent to send along; without tracing that
 * is the parent's, so the trace's id is still propagated.
 */
export async function measured<T>(
  operation: Operation,
  parent: string | undefined,
  work: (traceparent: string | undefined) => Promise<T> | T,
): Promise<T> {
  const { record, attributes } = operation;
  const beganMs = performance.now();
  try {
    const result = await (isTracing() ? inSpan({ ...operation, parent }, work) : work(parent));
    record(beganMs, attributes);
    return result;
  } catch (error) {
    const errorType = errorTypeOf(error);
    record(beganMs, errorType === undefined ? attributes : { ...attributes, 'error.type': errorType });
    throw error;
  }
}

function forEachSubject(record: RecordDuration, kind: SpanKind, operation: string, more: Attributes = {}): OperationOn {
  const known = new Map<string, Operation>();
  return (subject) => {
    let made = known.get(subject);
    if (made === undefined) {
      const attributes = {
        'messaging.system': 'nats',
        'messaging.operation.name': operation,
        'messaging.destination.name': subject,
        ...more,
      };
      known.set(subject, (made = { record, kind, name: `${operation} ${subject}`, attributes }));
    }
    return made;
  };
}
