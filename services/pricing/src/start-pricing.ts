import { call, connectBus, createEventPublisher, ensureStreams } from '@event-commerce/bus';
import { type Amount, type CouponStateReply, RPC, type SettleOrderReply, type Tenant } from '@event-commerce/contracts';
import { startRelay } from '@event-commerce/outbox';
import {
  connectDatabase,
  createIdentityVerifier,
  createProcessSigner,
  createEventBytes,
  createQuotas,
  fairTurns,
  type Logger,
  pingMongo,
  startLoop,
} from '@event-commerce/service-kit';
import { buildApp } from './app.ts';
import type { Config } from './config.ts';
import { eventDirectory } from './event-contexts.ts';
import { consumeEvents } from './events.ts';
import { reportSnapshots } from './metrics.ts';
import { servePricing } from './rpc.ts';
import { adjustmentAmounts, adjustmentEvent, adjustmentRepository } from './store/adjustment.repository.ts';
import { openChangeFeed } from './store/change-feed.ts';
import { changeLogRepository } from './store/change-log.repository.ts';
import { couponStateRepository } from './store/coupon-state.repository.ts';
import { pricingIndexes, pricingModels } from './store/models.ts';
import { redemptionEvent, redemptionPools } from './store/redemption-pools.ts';
import { redemptionRepository } from './store/redemption.repository.ts';
import { companyBytesMax, SnapshotCache } from './store/snapshot-cache.ts';
import { createClaimSweep } from './use-cases/claim-sweep.ts';
import { narrowToOfferings } from './use-cases/follow-coupon.ts';

const SWEEP_EVERY_MS = 1_000;

export interface RunningPricing {
  /** Where it listens. */
  url: string;
  /** Finishes what is under way, then lets go of everything. */
  stop: () => Promise<void>;
}

function describeUnreadable(count: number): string {
  if (count === 0) return 'ok';
  return count === 1 ? '1 adjustment cannot be read' : `${count} adjustments cannot be read`;
}

/** What a company may have live fits into memory, however small the process is made. */
function fitting({ count, bytes }: Amount, cacheBytes: number): Amount {
  return { count, bytes: Math.min(bytes, Math.floor(0.9 * companyBytesMax(cacheBytes))) };
}

/** Connects the parts of the pricing service and serves. Everything that connects is connected here. */
export async function startPricing(config: Config, logger: Logger): Promise<RunningPricing> {
  const [mongo, bus] = await Promise.all([
    connectDatabase(config, 'pricing', pricingIndexes, logger),
    connectBus({ url: config.NATS_URL, name: 'pricing', logger }),
  ]);
  const models = pricingModels(mongo);
  await ensureStreams(bus, config.NATS_STREAM_REPLICAS);

  const clock = () => new Date();
  const eventBytes = createEventBytes(config.EVENT_MB_PER_HOUR, logger);
  const publishEvent = createEventPublisher(bus, eventBytes.note);
  const adjustmentRelay = startRelay({
    source: { model: models.adjustments, toEvent: adjustmentEvent },
    publishEvent,
    logger,
  });
  const usageRelay = startRelay({ source: { model: models.usages, toEvent: redemptionEvent }, publishEvent, logger });
  const pools = redemptionPools(models, usageRelay, clock);
  const cacheBytes = config.ADJUSTMENT_CACHE_MB * 2 ** 20;
  const quotas = createQuotas(mongo, {
    limits: { ...config.QUOTAS, liveAdjustments: fitting(config.QUOTAS.liveAdjustments, cacheBytes) },
    recount: adjustmentAmounts(models),
    logger,
  });
  const adjustments = adjustmentRepository(models, pools, adjustmentRelay, quotas);
  const redemptions = redemptionRepository(models);
  const couponStates = couponStateRepository(models);
  const snapshots = new SnapshotCache({ adjustments, bytesMax: cacheBytes, logger });
  const changes = await openChangeFeed(changeLogRepository(models), bus, logger, snapshots);
  snapshots.follow(changes);
  reportSnapshots(snapshots);
  const deps = {
    adjustments,
    pools,
    redemptions,
    couponStates,
    snapshots,
    events: eventDirectory(bus, logger),
    clock,
    logger,
    inFairTurn: fairTurns(),
    defaultCurrency: config.DEFAULT_CURRENCY,
    verifyIdentity: createIdentityVerifier(config.IDENTITY_PUBLIC_KEYS, 'pricing'),
    announce: changes.announce,
  };

  const sign = createProcessSigner('pricing', config.SERVICE_PRIVATE_KEY);
  const couponState = async (tenant: Tenant, couponId: string) => {
    const requestId = `coupon-${couponId}`;
    return (
      await call<CouponStateReply>(
        bus,
        RPC.couponState,
        { tenant, couponId },
        { identityToken: sign('commerce'), requestId },
      )
    ).state;
  };
  const stopConsumers = await consumeEvents(bus, { ...deps, couponState });
  narrowToOfferings(deps).catch((err: unknown) =>
    logger.warn({ err }, 'coupons of an earlier release were not all brought up to date; the next start goes on'),
  );
  const settleOrder = async (orderId: string): Promise<SettleOrderReply> => {
    const requestId = `settle-${orderId}`;
    return await call<SettleOrderReply>(
      bus,
      RPC.settleOrder,
      { orderId },
      { identityToken: sign('commerce'), requestId },
    );
  };
  const stopSweep = startLoop({
    name: 'claim sweep',
    everyMs: SWEEP_EVERY_MS,
    logger,
    run: createClaimSweep({ ...deps, ttlMs: config.CLAIM_TTL_MS, settleOrder }),
  });
  const stopServing = servePricing(bus, deps);

  const app = buildApp({
    ...deps,
    eventBytes,
    quotas,
    readiness: {
      mongo: () => pingMongo(mongo),
      nats: () => bus.check(),
      adjustments: async () => describeUnreadable(snapshots.unreadable),
    },
  });
  const url = await app.listen({ host: config.HOST, port: config.PORT });
  logger.info({ url }, 'serving');

  return {
    url,
    stop: async () => {
      await Promise.all([app.close(), stopServing(), stopConsumers(), stopSweep(), quotas.stop()]);
      await Promise.all([adjustmentRelay.stop(), usageRelay.stop(), changes.close()]);
      await bus.close();
      await mongo.close();
    },
  };
}
