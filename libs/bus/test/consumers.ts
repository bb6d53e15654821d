import { randomUUID } from 'node:crypto';
import type { DomainEvent, DomainEventType } from '@event-commerce/contracts';
import { jetstreamManager } from '@nats-io/jetstream';
import { type BusConnection, DEAD_LETTER_STREAM, runConsumer } from '../src/index.ts';

/** The event that `consumer` parked last. */
export async function parkedBy(bus: BusConnection, consumer: string) {
  const { streams } = await jetstreamManager(bus.nats);
  const found = await streams.getMessage(DEAD_LETTER_STREAM, { last_by_subj: `dead-letter.${consumer}` });
  return found?.json<{ reason: string; event: string; attempts: number }>();
}

/** A consumer of this test only; returns the ids it handled. */
export async function consume(
  bus: BusConnection,
  options: {
    name?: string;
    types?: DomainEventType[];
    handle?: (event: DomainEvent) => Promise<void>;
    isOutage?: () => boolean;
    retryDelaysMs?: readonly number[];
    handleWithinMs?: number;
  } = {},
) {
  const handled: string[] = [];
  const name = options.name ?? `test-${randomUUID()}`;
  const stop = await runConsumer(bus, {
    name,
    ...(options.retryDelaysMs === undefined ? {} : { retryDelaysMs: options.retryDelaysMs }),
    ...(options.handleWithinMs === undefined ? {} : { handleWithinMs: options.handleWithinMs }),
    types: options.types ?? ['order.placed'],
    logger: bus.logger,
    isOutage: options.isOutage ?? (() => false),
    handle: async (event) => {
      await options.handle?.(event);
      handled.push(event.id);
    },
  });
  return { name, handled, stop };
}
