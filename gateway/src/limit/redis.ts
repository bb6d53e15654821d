import type { Logger } from '@event-commerce/service-kit';
import { Cluster, Redis, type RedisOptions } from 'ioredis';
import { serversIn } from './redis-url.ts';

/** One server, the primary that sentinels name, or a cluster. */
export type RateLimitStore = Redis | Cluster;

const RECONNECT_MS = 200;
/** How long the start waits for Redis, so that usually even the first requests are limited across replicas. */
const FIRST_CONNECT_MS = 1_000;

/**
 * A connection that fails fast and reconnects: while Redis is down nothing is queued, and nothing is sent twice. It
 * need not be up when this resolves, because the gateway serves without it.
 */
export async function connectRedis(
  url: string,
  logger: Logger,
  more: Pick<RedisOptions, 'commandTimeout'> = {},
): Promise<RateLimitStore> {
  const redis = storeAt(url, {
    ...more,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    // On a dead network path a connection would look alive.
    socketTimeout: 2_000,
    connectTimeout: 1_000,
    retryStrategy: () => RECONNECT_MS,
    // A demoted primary keeps its connections, but the address may resolve to its successor by now.
    reconnectOnError: ({ message }) => message.startsWith('READONLY'),
  });
  let level: 'warn' | 'debug' = 'warn';
  redis.on('ready', () => (level = 'warn'));
  redis.on('error', (err: Error) => {
    logger[level]({ err }, 'redis cannot be used');
    // The next attempts fail for the same reason, until one succeeds.
    level = 'debug';
  });
  await new Promise<void>((resolve) => {
    const goOn = setTimeout(resolve, FIRST_CONNECT_MS);
    redis.once('ready', () => {
      clearTimeout(goOn);
      resolve();
    });
  });
  return redis;
}

function storeAt(url: string, options: Omit<RedisOptions, 'replyMapping'>): RateLimitStore {
  const named = serversIn(url);
  if (named === undefined) return new Redis(url, options);
  const { kind, servers, name, login, usesTls, sentinelPassword } = named;
  const each = { ...options, ...login, ...(usesTls && { tls: {} }) };
  if (kind === 'cluster') {
    return new Cluster(servers, {
      redisOptions: each,
      // Each server is connected on its first command. Without a queue, commands that arrive meanwhile would fail.
      enableOfflineQueue: true,
      clusterRetryStrategy: () => RECONNECT_MS,
    });
  }
  return new Redis({
    ...each,
    sentinels: servers,
    name,
    sentinelRetryStrategy: () => RECONNECT_MS,
    ...(sentinelPassword !== null && { sentinelPassword }),
    ...(usesTls && { sentinelTLS: {}, enableTLSForSentinelMode: true }),
  });
}
