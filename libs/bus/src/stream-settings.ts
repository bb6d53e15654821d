import {
  DiscardPolicy,
  PersistMode,
  RetentionPolicy,
  StorageType,
  StoreCompression,
  type StreamConfig,
} from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import type { Risk } from '@event-commerce/telemetry';

/** All domain events, for the consumers. */
export const EVENT_STREAM = 'DOMAIN_EVENTS';
/** Events that a consumer could not handle, with the reason; for people to inspect and publish again. */
export const DEAD_LETTER_STREAM = 'DEAD_LETTERS';
export const DEAD_LETTER_PREFIX = 'dead-letter';

/** Far larger than any normal event; a larger event is parked by its service, with the reason. */
export const EVENT_BYTES_MAX = 512 * 1024;

const DAY_MS = 24 * 60 * 60 * 1000;
/** How long the streams keep what was published, unless the operator says otherwise. */
export const EVENTS_KEPT_MS = 14 * DAY_MS;
export const DEAD_LETTERS_KEPT_MS = 90 * DAY_MS;

/** How long the broker remembers message ids, and so drops duplicates. */
const DUPLICATE_WINDOW_MS = 10 * 60 * 1000;

/** The settings that a stream is created with, out of `StreamConfig`. */
export type StreamSettings = Pick<
  StreamConfig,
  'name' | 'subjects' | 'retention' | 'storage' | 'num_replicas' | 'max_age'
> &
  Partial<StreamConfig>;

/** The platform's streams, each with `replicas` copies. */
export function streamSettings(replicas: number): StreamSettings[] {
  const shared = {
    retention: RetentionPolicy.Limits,
    storage: StorageType.File,
    compression: StoreCompression.S2,
    num_replicas: replicas,
  };
  return [
    {
      ...shared,
      name: EVENT_STREAM,
      subjects: ['domain.>'],
      max_age: nanos(EVENTS_KEPT_MS),
      duplicate_window: nanos(DUPLICATE_WINDOW_MS),
      max_msg_size: EVENT_BYTES_MAX,
      // The operator's `max_bytes`, or else the broker's `max_file_store`, bounds the log. At that bound publishing fails
      // and the outboxes keep the events until there is room; no event that a consumer needs is discarded for a new one.
      discard: DiscardPolicy.New,
    },
    {
      ...shared,
      name: DEAD_LETTER_STREAM,
      subjects: [`${DEAD_LETTER_PREFIX}.>`],
      max_age: nanos(DEAD_LETTERS_KEPT_MS),
    },
  ];
}

/** What to do with an existing stream. */
interface StreamReview {
  /** What the platform needs and the stream lacks. Never removes anything. */
  changes: Partial<Pick<StreamConfig, 'subjects' | 'num_replicas'>>;
  /** Settings that differ from those of a new stream. They are the operator's, and stay. */
  kept: Partial<Record<keyof StreamConfig, { is: unknown; default: unknown }>>;
  /** Why the stream must not be used: it would lose acknowledged events, or deliver none. */
  unusable: string | undefined;
}

/**
 * Compares a stream with what it would be created with. Processes of several releases and settings run side by side, so
 * none reverts what another, or an operator, chose: only missing subjects and missing copies are added.
 */
export function reviewStream(found: StreamConfig, wanted: StreamSettings): StreamReview {
  const { subjects, num_replicas: replicas, name: _, storage, retention, ...limits } = wanted;
  const missing = subjects.filter((subject) => !found.subjects.includes(subject));
  const kept: StreamReview['kept'] = {};
  for (const [setting, value] of Object.entries(limits) as [keyof StreamConfig, unknown][]) {
    if (found[setting] !== value) kept[setting] = { is: found[setting], default: value };
  }
  if (found.num_replicas > replicas) kept.num_replicas = { is: found.num_replicas, default: replicas };
  return {
    changes: {
      ...(missing.length > 0 ? { subjects: [...found.subjects, ...missing] } : {}),
      ...(found.num_replicas < replicas ? { num_replicas: replicas } : {}),
    },
    kept,
    unusable:
      found.storage !== storage
        ? `it is kept in ${found.storage}, not in ${storage}: a restart of the broker would lose acknowledged events`
        : found.persist_mode === PersistMode.Async
          ? `its persist mode is ${found.persist_mode}: the broker acknowledges events before it has written them`
          : found.retention !== retention
            ? `its retention is ${found.retention}, not ${retention}: events would go before every consumer has seen them`
            : undefined,
  };
}

/** With this many copies, one can be lost without losing an acknowledged event or waiting for it. */
const COPIES_MIN = 3;

/** How streams with `copies` copies could lose acknowledged events, in `cluster` or on a single broker. */
export function streamRisks(
  copies: number,
  cluster: { name: string; servers: number | undefined } | undefined,
): Risk[] {
  if (copies >= COPIES_MIN) return [];
  const of = cluster?.servers === undefined ? '' : ` of ${cluster.servers}`;
  const message =
    cluster === undefined
      ? 'NATS is one server: if its disk is lost, so are the events that nobody handled yet; run a cluster of three and set NATS_STREAM_REPLICAS=3'
      : `Event streams are kept on ${copies}${of} servers of the NATS cluster ${cluster.name}: losing one loses or stops events; set NATS_STREAM_REPLICAS=3, and add copies to the streams that exist with nats stream edit`;
  return [{ store: 'nats', risk: 'stream-copies', message }];
}
