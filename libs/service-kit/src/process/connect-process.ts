import { type BusConnection, connectBus, createEventPublisher, ensureStreams } from '@event-commerce/bus';
import type { DomainEvent, ProcessName } from '@event-commerce/contracts';
import { type OutboxEntry, type Relay, startRelay, type WithOutbox } from '@event-commerce/outbox';
import type { Connection, Model } from 'mongoose';
import type { z } from 'zod';
import { brokerOf, type processSettings } from './config.ts';
import { connectDatabase } from '../mongo/database.ts';
import type { IndexesOn } from '../mongo/indexes.ts';
import type { Logger } from './logger.ts';

type ProcessSettings = z.output<typeof processSettings>;

/** What every process of the platform is based on. */
export interface ProcessBase {
  mongo: Connection;
  bus: BusConnection;
  /** Starts to publish the events stored in documents of `model`; `toEvent` builds them. */
  relay: <Doc extends WithOutbox>(
    model: Model<Doc>,
    toEvent: (entry: OutboxEntry, document: Doc) => DomainEvent,
  ) => Relay<Doc>;
  /** Stops the relays, then disconnects. */
  close: () => Promise<void>;
}

/**
 * Connects process `name` to its database and to the broker, and ensures that its indexes and the streams exist.
 *
 * @throws {Error} that says what cannot be reached or used, and what to do
 */
export async function connectProcess(
  name: ProcessName,
  config: ProcessSettings,
  indexesOn: IndexesOn,
  logger: Logger,
): Promise<ProcessBase> {
  const [mongo, bus] = await Promise.all([
    connectDatabase(config, name, indexesOn, logger),
    connectBus({ ...brokerOf(config), name, logger }),
  ]);
  await ensureStreams(bus, config.NATS_STREAM_REPLICAS);
  const publishEvent = createEventPublisher(bus);
  const stops: (() => Promise<void>)[] = [];
  return {
    mongo,
    bus,
    relay(model, toEvent) {
      const relay = startRelay({ model, toEvent, publishEvent, logger });
      stops.push(async () => relay.stop());
      return relay;
    },
    async close() {
      await Promise.all(stops.map(async (stop) => stop()));
      await bus.close();
      await mongo.close();
    },
  };
}
