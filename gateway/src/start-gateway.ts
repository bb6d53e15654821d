import { setTimeout as delay } from 'node:timers/promises';
import { BROADCAST, broadcast, checkSync, onBroadcast } from '@event-commerce/bus';
import { SERVICES, type ServiceName } from '@event-commerce/contracts';
import {
  connectProcess,
  createIdentitySigner,
  type Logger,
  pingMongo,
  type RunningService,
  startLoop,
  until,
  VERSION,
} from '@event-commerce/service-kit';
import { gauge } from '@event-commerce/telemetry';
import { buildApp } from './app.ts';
import { createAuthenticate } from './auth/authenticate.ts';
import { createKnownKeys } from './auth/known-keys.ts';
import type { Config } from './config.ts';
import { createConcurrencyLimiter } from './limit/concurrency-limiter.ts';
import { createMemoryBudget } from './limit/memory-budget.ts';
import { createUpstream, type Upstream } from './forward/upstream.ts';
import { createIdempotencyRepository } from './idempotency/idempotency.repository.ts';
import { apiKeyEvent, apiKeyModel, createApiKeyRepository } from './keys/api-key.repository.ts';
import { createKeyAdmin } from './keys/key-admin.ts';
import { gatewayIndexes } from './indexes.ts';
import { createFailedAttempts } from './limit/failed-attempts.ts';
import { createRateLimiter } from './limit/rate-limit.ts';
import { connectRedis } from './limit/redis.ts';

/**
 * How long settling a response may take after the service has sent it; until then the same request must not be executed
 * again.
 */
const LOCK_MARGIN_MS = 7_000;
const PROBE_AGAIN_MS = 200;
const KEY_CHANGES_EVERY_MS = 1_000;
/**
 * How long a request with an unknown key waits for Redis. The rate limits detect a slow Redis themselves: see
 * `rate-limit.ts`.
 */
const GUESS_TIMEOUT_MS = 100;

/** Connects the gateway's parts and serves. Every connection is opened here. */
export async function startGateway(
  config: Config,
  logger: Logger,
  clock: () => number = Date.now,
): Promise<RunningService> {
  const [{ mongo, bus, relay, close }, redis, attemptsRedis] = await Promise.all([
    connectProcess('gateway', config, gatewayIndexes, logger),
    connectRedis(config.REDIS_URL, logger),
    connectRedis(config.REDIS_URL, logger, { commandTimeout: GUESS_TIMEOUT_MS }),
  ]);
  const apiKeys = apiKeyModel(mongo);
  const idempotency = createIdempotencyRepository(mongo, config.UPSTREAM_TIMEOUT_MS + LOCK_MARGIN_MS);
  if (config.NATS_MONITORING_URL !== undefined) await checkSync(bus, config.NATS_MONITORING_URL);

  const repository = createApiKeyRepository(apiKeys, relay(apiKeys, apiKeyEvent));

  const defaultRateLimit = { perSecond: config.RATE_LIMIT_PER_SECOND, burst: config.RATE_LIMIT_BURST };
  const companyRateLimit = {
    perSecond: config.COMPANY_RATE_LIMIT_PER_SECOND,
    burst: config.COMPANY_RATE_LIMIT_BURST,
  };
  const rateLimiter = createRateLimiter({
    redis,
    keyPrefix: config.REDIS_KEY_PREFIX,
    logger,
  });

  const failedAttempts = createFailedAttempts({ redis: attemptsRedis, keyPrefix: config.REDIS_KEY_PREFIX });

  gauge('rate_limit.degraded', { description: '1 while the rate limits are counted without Redis.' }, () => [
    [rateLimiter.isDegraded() ? 1 : 0],
  ]);

  const knownKeys = createKnownKeys({ repository, defaultRateLimit, companyRateLimit, clock, logger });
  const stopReadingChanges = startLoop(
    {
      name: 'reading the changes of api keys',
      everyMs: KEY_CHANGES_EVERY_MS,
      run: async () => knownKeys.readChanges(),
    },
    logger,
  );
  onBroadcast(bus, BROADCAST.apiKeyChanged, (keyId) => knownKeys.forget(keyId));
  const keyAdmin = createKeyAdmin({
    repository,
    defaultRateLimit,
    environment: config.API_KEY_ENVIRONMENT,
    keysMax: config.API_KEYS_MAX,
    clock,
    onChange: (keyId) => {
      knownKeys.forget(keyId);
      broadcast(bus, BROADCAST.apiKeyChanged, keyId);
    },
  });

  const urls: Record<ServiceName, string> = {
    pricing: config.PRICING_URL,
    commerce: config.COMMERCE_URL,
    cart: config.CART_URL,
    events: config.EVENTS_URL,
    activity: config.ACTIVITY_URL,
  };
  const upstreams = byService((service) =>
    createUpstream({ service, url: urls[service], connectionsMax: config.UPSTREAM_IN_FLIGHT_MAX }),
  );
  const limiterOf = (service: ServiceName | 'gateway') =>
    createConcurrencyLimiter({ service, inFlightMax: config.UPSTREAM_IN_FLIGHT_MAX });

  const gateway = await buildApp({
    config,
    logger,
    authenticate: createAuthenticate({
      rootKeys: [config.ROOT_API_KEY, config.ROOT_API_KEY_NEXT].filter((key) => key !== undefined),
      rootRateLimit: defaultRateLimit,
      knownKeys,
      clock,
    }),
    failedAttempts,
    keyAdmin,
    idempotency,
    rateLimiter,
    signIdentity: createIdentitySigner(config.IDENTITY_PRIVATE_KEY),
    bus,
    upstreams,
    readiness: {
      mongo: () => pingMongo(mongo),
      ...byService((service) => () => upstreams[service].probe()),
    },
    clock,
    limiters: { ...byService(limiterOf), gateway: limiterOf('gateway') },
    memoryBudget: createMemoryBudget(config.HELD_BYTES_MAX),
  });
  await bus.subscribed();
  await Promise.all(SERVICES.map((service) => waitFor(upstreams[service], config.WAIT_FOR_SERVICES_MS)));
  const url = await gateway.app.listen({ host: config.HOST, port: config.PORT });
  logger.info({ url, ...VERSION }, 'serving');

  return {
    url,
    stop: async () => {
      gateway.startDraining();
      await delay(config.DRAIN_DELAY_MS);
      await gateway.close();
      await Promise.all(SERVICES.map((service) => upstreams[service].close()));
      rateLimiter.close();
      failedAttempts.close();
      await stopReadingChanges();
      await close();
    },
  };
}

function byService<T>(make: (service: ServiceName) => T): Record<ServiceName, T> {
  return Object.fromEntries(SERVICES.map((service) => [service, make(service)])) as Record<ServiceName, T>;
}

/** Resolves when `upstream` is alive, or after `ms`. */
async function waitFor(upstream: Upstream, ms: number): Promise<void> {
  const alive = async () => {
    await upstream.probe();
    return true;
  };
  if (ms > 0) await until('the service is alive', ms, alive, PROBE_AGAIN_MS).catch(() => undefined);
}
