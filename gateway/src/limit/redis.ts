import type { Logger } from '@event-commerce/service-kit';
import { Redis, type RedisOptions } from 'ioredis';

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
): Promise<Redis> {
  const redis = new Redis(url, {
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
