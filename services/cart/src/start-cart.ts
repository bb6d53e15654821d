import { connectBus, createEventPublisher, ensureStreams, runConsumer } from '@event-commerce/bus';
import { consumerOf } from '@event-commerce/contracts';
import { startRelay } from '@event-commerce/outbox';
import {
  connectDatabase,
  createIdentityVerifier,
  createProcessSigner,
  createEventBytes,
  createQuotas,
  isOutage,
  type Logger,
  pingMongo,
  startLoop,
} from '@event-commerce/service-kit';
import { buildApp } from './app.ts';
import { cartPricing } from './cart-pricing.ts';
import type { Config } from './config.ts';
import { offeringCatalogue } from './offering-catalogue.ts';
import { commerceOrders } from './orders.ts';
import { serveCart } from './rpc.ts';
import { cartIndexes, cartModels } from './store/models.ts';
import { sessionAmounts, sessionEvent, sessionRepository } from './store/session.repository.ts';
import { tableAmounts, tableEvent, tableRepository } from './store/table.repository.ts';
import { createChangeSession } from './use-cases/change-session.ts';
import { finishJoin, followOrder } from './use-cases/follow-seat.ts';
import { createJoinTable } from './use-cases/join-table.ts';
import { createExpirySweep } from './use-cases/retire-session.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const EXPIRY_SWEEP_EVERY_MS = 1_000;

export interface RunningCart {
  /** Where it listens. */
  url: string;
  /** Finishes what is under way, then lets go of everything. */
  stop: () => Promise<void>;
}

/** Connects the parts of the cart service and serves. Everything that connects is connected here. */
export async function startCart(config: Config, logger: Logger, clock = () => new Date()): Promise<RunningCart> {
  const [mongo, bus] = await Promise.all([
    connectDatabase(config, 'cart', cartIndexes, logger),
    connectBus({ url: config.NATS_URL, name: 'cart', logger }),
  ]);
  const models = cartModels(mongo);
  await ensureStreams(bus, config.NATS_STREAM_REPLICAS);

  const eventBytes = createEventBytes(config.EVENT_MB_PER_HOUR, logger);
  const publishEvent = createEventPublisher(bus, eventBytes.note);
  const sessionRelay = startRelay({ source: { model: models.sessions, toEvent: sessionEvent }, publishEvent, logger });
  const tableRelay = startRelay({ source: { model: models.tables, toEvent: tableEvent }, publishEvent, logger });
  const quotas = createQuotas(mongo, {
    limits: config.QUOTAS,
    recount: { ...sessionAmounts(models), ...tableAmounts(models) },
    logger,
  });
  const priced = {
    sessions: sessionRepository(models, sessionRelay, config.CART_IDLE_DAYS * DAY_MS, quotas),
    tables: tableRepository(models, tableRelay, quotas),
    catalogue: offeringCatalogue(bus, logger),
    pricing: cartPricing(bus),
    orders: commerceOrders(bus, createProcessSigner('cart', config.SERVICE_PRIVATE_KEY)),
    defaultCurrency: config.DEFAULT_CURRENCY,
    clock,
  };
  const deps = { ...priced, changeSession: createChangeSession(priced), joinTable: createJoinTable(priced) };

  const stopConsumers = await Promise.all([
    runConsumer(bus, {
      ...consumerOf('cart-joins'),
      logger,
      isOutage,
      handle: async (event) => finishJoin(deps, event),
    }),
    runConsumer(bus, {
      ...consumerOf('cart-orders'),
      logger,
      isOutage,
      handle: async (event) => followOrder(deps, event),
    }),
  ]);
  const stopSweep = startLoop({
    name: 'expiry sweep',
    everyMs: EXPIRY_SWEEP_EVERY_MS,
    logger,
    run: createExpirySweep({ ...deps, logger }),
  });

  const verifyIdentity = createIdentityVerifier(config.IDENTITY_PUBLIC_KEYS, 'cart');
  const stopServing = serveCart(bus, { ...deps, verifyIdentity });
  const app = buildApp({
    ...deps,
    eventBytes,
    quotas,
    logger,
    verifyIdentity,
    readiness: { mongo: () => pingMongo(mongo), nats: () => bus.check() },
  });
  const url = await app.listen({ host: config.HOST, port: config.PORT });
  logger.info({ url }, 'serving');

  return {
    url,
    stop: async () => {
      await Promise.all([
        app.close(),
        stopServing(),
        stopSweep(),
        quotas.stop(),
        ...stopConsumers.map(async (stop) => stop()),
      ]);
      await Promise.all([sessionRelay.stop(), tableRelay.stop()]);
      await bus.close();
      await mongo.close();
    },
  };
}
