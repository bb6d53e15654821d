import { connectBus, createEventPublisher, ensureStreams } from '@event-commerce/bus';
import { startRelay } from '@event-commerce/outbox';
import {
  connectDatabase,
  createIdentityVerifier,
  createProcessVerifier,
  createEventBytes,
  createQuotas,
  type Logger,
  pingMongo,
} from '@event-commerce/service-kit';
import { buildApp } from './app.ts';
import { cartRedemptions } from './cart.ts';
import type { Config } from './config.ts';
import { consumePricing } from './events.ts';
import { pricingCoupons, pricingRedemptions } from './pricing.ts';
import { serveCommerce } from './rpc.ts';
import { couponAmounts, couponEvent, couponRepository } from './store/coupon.repository.ts';
import { commerceIndexes, commerceModels } from './store/models.ts';
import { orderEvent, orderRepository } from './store/order.repository.ts';

export interface RunningCommerce {
  /** Where it listens. */
  url: string;
  /** Finishes what is under way, then lets go of everything. */
  stop: () => Promise<void>;
}

/** Connects the parts of the commerce service and serves. Everything that connects is connected here. */
export async function startCommerce(config: Config, logger: Logger): Promise<RunningCommerce> {
  const [mongo, bus] = await Promise.all([
    connectDatabase(config, 'commerce', commerceIndexes, logger),
    connectBus({ url: config.NATS_URL, name: 'commerce', logger }),
  ]);
  const models = commerceModels(mongo);
  await ensureStreams(bus, config.NATS_STREAM_REPLICAS);

  const eventBytes = createEventBytes(config.EVENT_MB_PER_HOUR, logger);
  const publishEvent = createEventPublisher(bus, eventBytes.note);
  const orderRelay = startRelay({ source: { model: models.orders, toEvent: orderEvent }, publishEvent, logger });
  const couponRelay = startRelay({ source: { model: models.coupons, toEvent: couponEvent }, publishEvent, logger });
  const quotas = createQuotas(mongo, { limits: config.QUOTAS, recount: couponAmounts(models), logger });
  const deps = {
    orders: orderRepository(models, orderRelay),
    coupons: couponRepository(models, couponRelay, quotas),
    quotas,
    redemptions: pricingRedemptions(bus, logger),
    adjustments: pricingCoupons(bus),
    carts: cartRedemptions(bus),
    clock: () => new Date(),
  };
  const stopConsumer = await consumePricing(bus, { coupons: deps.coupons, logger });
  const verifyProcess = createProcessVerifier(config.SERVICE_PUBLIC_KEYS, 'commerce');
  const stopServing = serveCommerce(bus, { ...deps, verifyProcess });
  const app = buildApp({
    ...deps,
    eventBytes,
    logger,
    verifyIdentity: createIdentityVerifier(config.IDENTITY_PUBLIC_KEYS, 'commerce'),
    readiness: { mongo: () => pingMongo(mongo), nats: () => bus.check() },
  });
  const url = await app.listen({ host: config.HOST, port: config.PORT });
  logger.info({ url }, 'serving');

  return {
    url,
    stop: async () => {
      await Promise.all([app.close(), stopServing(), stopConsumer(), quotas.stop()]);
      await Promise.all([orderRelay.stop(), couponRelay.stop()]);
      await bus.close();
      await mongo.close();
    },
  };
}
