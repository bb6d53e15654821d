import { announce, BROADCAST, connectBus, createEventPublisher, ensureStreams } from '@event-commerce/bus';
import type { OfferingNotice } from '@event-commerce/contracts';
import { startRelay } from '@event-commerce/outbox';
import {
  connectDatabase,
  createIdentityVerifier,
  createEventBytes,
  createQuotas,
  type Logger,
  pingMongo,
} from '@event-commerce/service-kit';
import { buildApp } from './app.ts';
import type { Config } from './config.ts';
import { serveEvents } from './rpc.ts';
import { eventAmounts, eventEvent, eventRepository } from './store/event.repository.ts';
import { eventsIndexes, eventsModels } from './store/models.ts';
import { offeringAmounts, offeringEvent, offeringRepository } from './store/offering.repository.ts';
import {
  purchaseGroupAmounts,
  purchaseGroupEvent,
  purchaseGroupRepository,
} from './store/purchase-group.repository.ts';

export interface RunningEvents {
  /** Where it listens. */
  url: string;
  /** Finishes what is under way, then lets go of everything. */
  stop: () => Promise<void>;
}

/** Connects the parts of the events service and serves. Everything that connects is connected here. */
export async function startEvents(config: Config, logger: Logger): Promise<RunningEvents> {
  const [mongo, bus] = await Promise.all([
    connectDatabase(config, 'events', eventsIndexes, logger),
    connectBus({ url: config.NATS_URL, name: 'events', logger }),
  ]);
  const models = eventsModels(mongo);
  await ensureStreams(bus, config.NATS_STREAM_REPLICAS);

  const eventBytes = createEventBytes(config.EVENT_MB_PER_HOUR, logger);
  const shared = { publishEvent: createEventPublisher(bus, eventBytes.note), logger };
  const relays = {
    events: startRelay({ source: { model: models.events, toEvent: eventEvent }, ...shared }),
    purchaseGroups: startRelay({ source: { model: models.purchaseGroups, toEvent: purchaseGroupEvent }, ...shared }),
    offerings: startRelay({ source: { model: models.offerings, toEvent: offeringEvent }, ...shared }),
  };
  const quotas = createQuotas(mongo, {
    limits: config.QUOTAS,
    recount: { ...eventAmounts(models), ...offeringAmounts(models), ...purchaseGroupAmounts(models) },
    logger,
  });
  const deps = {
    events: eventRepository(
      models,
      relays.events,
      async ({ tenant, id, version }) => announce(bus, BROADCAST.eventChanged, JSON.stringify({ tenant, id, version })),
      quotas,
    ),
    purchaseGroups: purchaseGroupRepository(models, relays.purchaseGroups, quotas),
    offerings: offeringRepository(models, relays.offerings, quotas),
    quotas,
    announceOffering: async (notice: OfferingNotice) =>
      announce(bus, BROADCAST.offeringChanged, JSON.stringify(notice)),
    clock: () => new Date(),
    logger,
    verifyIdentity: createIdentityVerifier(config.IDENTITY_PUBLIC_KEYS, 'events'),
  };
  const stopServing = serveEvents(bus, deps);
  const app = buildApp({ ...deps, eventBytes, readiness: { mongo: () => pingMongo(mongo), nats: () => bus.check() } });
  const url = await app.listen({ host: config.HOST, port: config.PORT });
  logger.info({ url }, 'serving');

  return {
    url,
    stop: async () => {
      await Promise.all([app.close(), stopServing(), quotas.stop()]);
      await Promise.all(Object.values(relays).map((relay) => relay.stop()));
      await bus.close();
      await mongo.close();
    },
  };
}
