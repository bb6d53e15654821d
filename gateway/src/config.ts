import { isIP } from 'node:net';
import { BODY_BYTES_MAX, port, processSettings, readConfig } from '@event-commerce/service-kit';
import { z } from 'zod';

const serviceUrl = z.url({ protocol: /^https?$/ });
const milliseconds = z.coerce.number().int().min(1);

/** It opens the keys of every company, so that nobody may guess it. */
const ROOT_KEY_LENGTH_MIN = 32;

const settings = processSettings.extend({
  PORT: port.default(8080),
  /** The operator's key, sent as a bearer: issues and revokes the keys of every company, and can do nothing else. */
  ROOT_API_KEY: z
    .string()
    .min(
      ROOT_KEY_LENGTH_MIN,
      `must have at least ${ROOT_KEY_LENGTH_MIN} characters, such as "openssl rand -hex 32" prints`,
    ),
  /** Written into new keys, so that a key shows where it belongs. */
  API_KEY_ENVIRONMENT: z.enum(['live', 'test']).default('live'),

  /** How many keys of one company may work at a time, `live` and `test` each by itself. */
  API_KEYS_MAX: z.coerce.number().int().min(1).default(1_000),

  /** What a key may send when it has no limit of its own: sustained, and at once. */
  RATE_LIMIT_PER_SECOND: z.coerce.number().int().min(1).max(1_000_000).default(100),
  RATE_LIMIT_BURST: z.coerce.number().int().min(1).max(1_000_000).default(200),
  /** What all keys of one company may send together, `live` and `test` each by itself. */
  COMPANY_RATE_LIMIT_PER_SECOND: z.coerce.number().int().min(1).max(1_000_000).default(500),
  COMPANY_RATE_LIMIT_BURST: z.coerce.number().int().min(1).max(1_000_000).default(1_000),
  REDIS_URL: z.url({ protocol: /^rediss?$/ }),
  /** Put before every Redis key; deployments that share a Redis keep apart by it. */
  REDIS_KEY_PREFIX: z
    .string()
    .regex(/^[A-Za-z0-9_:-]{1,64}$/)
    .default('event_commerce:limit'),

  /** Ed25519 private key (base64 of PKCS#8 DER) that signs who is asking, for the services. */
  IDENTITY_PRIVATE_KEY: z.string().min(1),

  PRICING_URL: serviceUrl,
  COMMERCE_URL: serviceUrl,
  CART_URL: serviceUrl,
  EVENTS_URL: serviceUrl,
  /** How long a service may take to begin its answer, and to send the next piece of it. */
  UPSTREAM_TIMEOUT_MS: milliseconds.default(8_000),
  UPSTREAM_CONNECTIONS_MAX: z.coerce.number().int().min(1).default(128),
  /** Requests under way to one service; one more is answered 503 instead of waiting. */
  UPSTREAM_IN_FLIGHT_MAX: z.coerce.number().int().min(1).default(1_024),

  /** What request bodies and large responses may take of the memory; one company may hold an eighth. */
  HELD_BYTES_MAX: z.coerce
    .number()
    .int()
    .min(8 * BODY_BYTES_MAX)
    .default(128 * 2 ** 20),

  /** How long a client may take to send its headers, and its whole request. */
  HEADERS_TIMEOUT_MS: milliseconds.default(5_000),
  REQUEST_TIMEOUT_MS: milliseconds.default(15_000),
  /** How long a client may read nothing of its response, beyond twice `UPSTREAM_TIMEOUT_MS`. */
  STALLED_READER_MS: milliseconds.default(7_000),
  /**
   * Addresses or networks (comma separated) of proxies whose X-Forwarded-For is believed. Without it the client is the
   * other end of the connection.
   */
  TRUSTED_PROXIES: z
    .string()
    .transform((list) => list.split(',').map((address) => address.trim()))
    .refine(
      (list) => list.every(isNetwork),
      'must be addresses or networks such as 10.4.0.0/16, or loopback, linklocal or uniquelocal for all of these, separated with commas',
    )
    .optional(),
  /** How long an idle connection of a client is kept; more than the load balancer before it keeps one. */
  KEEP_ALIVE_MS: milliseconds.default(72_000),
  /** Where NATS answers `/varz`; with it the start warns of a broker that acknowledges events before they are on disk. */
  NATS_MONITORING_URL: serviceUrl.optional(),
  /** How long a start waits for services that are not there yet, before it serves without them. */
  WAIT_FOR_SERVICES_MS: z.coerce.number().int().min(0).max(300_000).default(0),
  /** Between "not ready" and closing the port at the end: time for a load balancer to notice. */
  DRAIN_DELAY_MS: z.coerce.number().int().min(0).max(8_000).default(500),
});

export type Config = z.output<typeof settings>;

/** The gateway's settings from the environment. Throws {ConfigError} naming each one that is missing or wrong. */
export function loadConfig(): Config {
  return readConfig(settings, process.env);
}

const NETWORK_NAMES = new Set(['loopback', 'linklocal', 'uniquelocal']);

function isNetwork(text: string): boolean {
  if (NETWORK_NAMES.has(text)) return true;
  const [address = '', bits, ...rest] = text.split('/');
  const family = isIP(address);
  const bitsMax = family === 6 ? 128 : 32;
  return (
    family !== 0 && rest.length === 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= bitsMax))
  );
}
