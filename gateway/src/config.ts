import { BODY_BYTES_MAX, port, wholeNumber, processSettings, readConfig } from '@event-commerce/service-kit';
import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { REDIS_URL } from './limit/redis-url.ts';

const serviceUrl = z.url({ protocol: /^https?$/ });
const milliseconds = wholeNumber(1);

/** It opens the keys of every company, so it must not be guessable. */
const ROOT_KEY_LENGTH_MIN = 32;

const rootKey = z
  .string()
  .min(
    ROOT_KEY_LENGTH_MIN,
    `must have at least ${ROOT_KEY_LENGTH_MIN} characters, such as "openssl rand -hex 32" prints`,
  );

const HELD_BYTES_DEFAULT_MAX = 128 * 2 ** 20;

/** What a container of `bytes` can spare for bodies: they are outside of the heap. 0 if its memory has no limit. */
export function heldBytesIn(bytes: number): number {
  const quarter = Math.floor((bytes || Infinity) / 4);
  return Math.max(8 * BODY_BYTES_MAX, Math.min(HELD_BYTES_DEFAULT_MAX, quarter));
}

export const settings = processSettings.extend({
  PORT: port.default(8080).describe('The port that it listens on.'),
  ROOT_API_KEY: rootKey.describe(
    "The operator's key, at least 32 characters. As a bearer token it can only manage API keys, for any company.",
  ),
  ROOT_API_KEY_NEXT: rootKey
    .optional()
    .describe('A second key of the operator, which works too while it replaces the first.'),
  API_KEY_ENVIRONMENT: z
    .enum(['live', 'test'])
    .default('live')
    .describe('`live` or `test`: the environment of a key that the operator issues without naming one.'),

  API_KEYS_MAX: wholeNumber(1)
    .default(1_000)
    .describe('How many working keys one company may have, counted separately for `live` and `test`.'),

  RATE_LIMIT_PER_SECOND: wholeNumber(1, 1_000_000)
    .default(100)
    .describe('Requests per second that a key may send, unless it has a limit of its own.'),
  RATE_LIMIT_BURST: wholeNumber(1, 1_000_000)
    .default(200)
    .describe('Requests that a key may send at once after a pause.'),
  COMPANY_RATE_LIMIT_PER_SECOND: wholeNumber(1, 1_000_000)
    .default(500)
    .describe(
      'Requests per second for all keys of one company together. A key that the operator gave a higher limit may use all of its own.',
    ),
  COMPANY_RATE_LIMIT_BURST: wholeNumber(1, 1_000_000)
    .default(1_000)
    .describe('Requests that all keys of one company may send at once after a pause.'),
  REDIS_URL: z
    .string()
    .regex(REDIS_URL, 'must be redis://HOST, redis+sentinel://HOST,HOST/NAME or redis+cluster://HOST,HOST')
    .describe(
      'Redis, which counts the rate limits and the failed attempts of an address: `redis://USER:PASSWORD@HOST:6379`, the primary NAME of `redis+sentinel://HOST:26379,HOST:26379/NAME`, or the cluster of `redis+cluster://HOST:6379,HOST:6379`. `rediss` in place of `redis` uses TLS. Sentinels with a password of their own: `?sentinelPassword=`.',
    ),
  REDIS_KEY_PREFIX: z
    .string()
    .regex(/^[A-Za-z0-9_:-]{1,64}$/)
    .default('event_commerce:limit')
    .describe('Comes before every key in Redis, so that several deployments can share a server.'),

  IDENTITY_PRIVATE_KEY: z.string().min(1).describe('The Ed25519 key that signs who is asking, base64 of PKCS#8 DER.'),

  PRICING_URL: serviceUrl.describe('Where the pricing service is.'),
  COMMERCE_URL: serviceUrl.describe('Where the commerce service is.'),
  CART_URL: serviceUrl.describe('Where the cart service is.'),
  EVENTS_URL: serviceUrl.describe('Where the events service is.'),
  ACTIVITY_URL: serviceUrl.describe('Where the activity service is.'),
  UPSTREAM_TIMEOUT_MS: milliseconds
    .default(8_000)
    .describe('How long a service may take to start its response, and to send the next part of it.'),
  UPSTREAM_IN_FLIGHT_MAX: wholeNumber(1)
    .default(256)
    .describe(
      'Requests in flight to one service, and connections to it. One company may use half; above that it gets 429, and above the whole 503.',
    ),

  HELD_BYTES_MAX: wholeNumber(8 * BODY_BYTES_MAX)
    .default(() => heldBytesIn(process.constrainedMemory()))
    .meta({
      description:
        'Memory for request bodies and large responses, in bytes. One company may hold an eighth of it. Another eighth keeps what long evaluations have in common.',
      // What the documentation shows: the number depends on the container.
      default: `a quarter of the container's memory, at most ${HELD_BYTES_DEFAULT_MAX}`,
    }),
  HEADERS_TIMEOUT_MS: milliseconds.default(5_000).describe('How long a client may take to send its headers.'),
  REQUEST_TIMEOUT_MS: milliseconds.default(15_000).describe('How long a client may take to send its whole request.'),
  STALLED_READER_MS: milliseconds
    .default(7_000)
    .describe('How long a client may read nothing of its response, on top of twice `UPSTREAM_TIMEOUT_MS`.'),
  TRUSTED_PROXIES: z
    .string()
    .transform((list) => list.split(',').map((address) => address.trim()))
    .refine(
      (list) => list.every(isNetwork),
      'must be addresses or networks such as 10.4.0.0/16, or loopback, linklocal or uniquelocal for all of these, separated with commas',
    )
    .optional()
    .describe(
      'Addresses or networks of proxies whose `X-Forwarded-For` is trusted, separated with commas. Without it, the client is the other end of the connection.',
    ),
  CORS_ORIGINS: z
    .string()
    .transform((list) => list.split(',').map((origin) => origin.trim()))
    .refine((list) => list.every(isOrigin), 'must be origins such as https://shop.example, separated with commas, or *')
    .default([])
    .describe(
      'Origins whose pages may call the platform from a browser, such as `https://shop.example`, separated with commas; `*` for all. By default none.',
    ),
  KEEP_ALIVE_MS: milliseconds
    .default(72_000)
    .describe('How long an idle client connection is kept. Must be longer than the load balancer in front keeps one.'),
  NATS_MONITORING_URL: serviceUrl
    .optional()
    .describe(
      'Where NATS serves `/varz`. With it, the start warns if the broker acknowledges events before they are on disk.',
    ),
  WAIT_FOR_SERVICES_MS: wholeNumber(0, 300_000)
    .default(0)
    .describe('How long a start waits for services that are not up yet before it serves without them.'),
  DRAIN_DELAY_MS: wholeNumber(0, 8_000)
    .default(500)
    .describe(
      'How long a process that stops says that it is not ready before it closes its port: time for a load balancer to notice.',
    ),
});

export type Config = z.output<typeof settings>;

/** The gateway's settings in `env`. Throws {ConfigError} naming each one that is missing or wrong. */
export function loadConfig(env: NodeJS.ProcessEnv = process.env): Config {
  return readConfig(settings, env);
}

const NETWORK_NAMES = new Set(['loopback', 'linklocal', 'uniquelocal']);

function isNetwork(text: string): boolean {
  return NETWORK_NAMES.has(text) || ipaddr.isValid(text) || ipaddr.isValidCIDR(text);
}

function isOrigin(text: string): boolean {
  return text === '*' || URL.parse(text)?.origin === text;
}
