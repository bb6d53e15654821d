import { setTimeout as delay } from 'node:timers/promises';
import { type DomainEvent, subjectOf, subjectOfEvent, UnpublishableEventError } from '@event-commerce/contracts';
import {
  type JetStreamClient,
  JetStreamApiCodes,
  JetStreamApiError,
  type JetStreamManager,
  jetstream,
  jetstreamManager,
  type StreamConfig,
  type StreamInfo,
} from '@nats-io/jetstream';
import { PermissionViolationError } from '@nats-io/transport-node';
import { reportRisks } from '@event-commerce/telemetry';
import type { BusConnection } from './connection.ts';
import { measured, publishOn } from './measured.ts';
import { isNoResponders } from './request-reply.ts';
import { reviewStream, streamRisks, streamSettings, type StreamSettings } from './stream-settings.ts';

/** What headers may add to a message: the broker includes them in the message size. */
const HEADER_BYTES_MAX = 1024;
/** The stream has a `max_msg_size`. */
const MESSAGE_TOO_LARGE = 10_054;
const PUBLISH_TIMEOUT_MS = 3_000;

/** The broker's errors when it has too few servers for the requested copies: outside a cluster, and in one. */
const TOO_FEW_BROKERS = new Set([10_074, 10_005]);
/** Another process created the stream in between, with other settings. */
const NAME_IN_USE = 10_058;
/**
 * How long a stream must have been missing before it is created again. The broker forgets a deleted stream before it
 * removes its files, and a stream that is created in between loses its own files: it then never accepts an event.
 */
const DELETION_MS = 2_000;

/**
 * Creates missing streams with `replicas` copies each, and adds to the others what they lack. An operator's settings
 * stay. Every process may run this at every start.
 *
 * @throws {Error} saying what to do if the broker cannot keep `replicas` copies, or a stream would lose acknowledged
 * events
 */
export async function ensureStreams(bus: BusConnection, replicas: number): Promise<void> {
  let underWay: Promise<void> | undefined;
  remakes.set(bus, async () => {
    underWay ??= makeStreams(bus, replicas, DELETION_MS).finally(() => {
      underWay = undefined;
    });
    await underWay;
  });
  await makeStreams(bus, replicas, 0);
}

const remakes = new WeakMap<BusConnection, () => Promise<void>>();

/**
 * Recreates deleted streams, once the broker has finished deleting them. Call it when the broker does not know a
 * stream. Does nothing before `ensureStreams`.
 */
export async function remakeStreams(bus: BusConnection): Promise<void> {
  await remakes.get(bus)?.();
}

async function makeStreams(bus: BusConnection, replicas: number, missingForMs: number): Promise<void> {
  const manager = await jetstreamManager(bus.nats, { checkAPI: false });
  let copies = Infinity;
  for (const wanted of streamSettings(replicas)) {
    try {
      const found = (await infoOf(manager, wanted.name)) ?? (await addStream(manager, wanted, missingForMs));
      const { num_replicas: kept } = await bringUpToDate(manager, bus, found, wanted);
      copies = Math.min(copies, kept);
    } catch (cause) {
      if (!TOO_FEW_BROKERS.has(codeOf(cause))) throw cause;
      throw new Error(
        `NATS_STREAM_REPLICAS is ${replicas}, but the broker cannot keep ${replicas} copies of the stream ${wanted.name}: ` +
          'set it to at most the number of servers in the NATS cluster, 1 without a cluster.',
        { cause },
      );
    }
  }
  const { cluster, connect_urls: servers } = bus.nats.info ?? {};
  const risks = streamRisks(copies, cluster === undefined ? undefined : { name: cluster, servers: servers?.length });
  reportRisks(bus.logger, 'nats', risks);
}

async function infoOf(manager: JetStreamManager, name: string): Promise<StreamInfo | undefined> {
  try {
    return await manager.streams.info(name);
  } catch (error) {
    if (codeOf(error) === JetStreamApiCodes.StreamNotFound) return undefined;
    throw error;
  }
}

async function addStream(manager: JetStreamManager, wanted: StreamSettings, missingForMs: number): Promise<StreamInfo> {
  await delay(missingForMs);
  try {
    return await manager.streams.add(wanted);
  } catch (error) {
    if (codeOf(error) === NAME_IN_USE) return await manager.streams.info(wanted.name);
    throw error;
  }
}

/** The stream's settings once it has what it lacked, or as they are if only the operator may change it. */
async function bringUpToDate(
  manager: JetStreamManager,
  bus: BusConnection,
  { config }: StreamInfo,
  wanted: StreamSettings,
): Promise<StreamConfig> {
  const { changes, kept, unusable } = reviewStream(config, wanted);
  const stream = wanted.name;
  if (unusable !== undefined) throw new Error(`The stream ${stream} cannot be used: ${unusable}.`);
  if (Object.keys(kept).length > 0)
    bus.logger.info({ stream, kept }, 'the stream keeps settings that differ from the defaults');
  if (Object.keys(changes).length === 0) return config;
  try {
    const changed = await manager.streams.update(stream, changes);
    bus.logger.info({ stream, changes }, 'the stream was extended');
    return changed.config;
  } catch (error) {
    if (!isRefused(error)) throw error;
    const how = `run \`nats stream edit ${stream}\` as the operator`;
    bus.logger.warn({ stream, changes }, `the stream lacks these changes, and only the operator may make them: ${how}`);
    return config;
  }
}

function isRefused(error: unknown): boolean {
  return error instanceof Error && error.cause instanceof PermissionViolationError;
}

function codeOf(error: unknown): number {
  return error instanceof JetStreamApiError ? error.code : 0;
}

/**
 * Publishes a domain event. Resolves once the broker has stored it on disk and `published` has been told its size. The
 * event's id lets the broker drop a duplicate.
 *
 * @throws {UnpublishableEventError} if the broker will never accept it
 */
export function createEventPublisher(bus: BusConnection): (event: DomainEvent) => Promise<void> {
  const client: JetStreamClient = jetstream(bus.nats, { timeout: PUBLISH_TIMEOUT_MS });
  return async (event) => {
    await measured(publishOn(subjectOf(event.type)), event.traceparent, async (traceparent) => {
      if (!bus.isUp()) throw new Error('the broker is not reachable');
      const message = traceparent === undefined ? event : { ...event, traceparent };
      const payload = Buffer.from(jsonOf(message));
      const bytesMax = (bus.nats.info?.max_payload ?? Infinity) - HEADER_BYTES_MAX;
      if (payload.length > bytesMax) {
        throw new UnpublishableEventError(`it has ${payload.length} bytes, and the broker accepts at most ${bytesMax}`);
      }
      try {
        await client.publish(subjectOfEvent(event), payload, { msgID: event.id });
      } catch (error) {
        if (codeOf(error) === MESSAGE_TOO_LARGE)
          throw new UnpublishableEventError('the stream does not accept an event this large');
        // No stream accepts the subject. The publisher keeps the event and retries.
        if (isNoResponders(error)) void remakeStreams(bus).catch(() => undefined);
        throw error;
      }
    });
  };
}

function jsonOf(event: DomainEvent): string {
  try {
    return JSON.stringify(event);
  } catch (cause) {
    throw new UnpublishableEventError('it cannot be written as JSON', { cause });
  }
}
