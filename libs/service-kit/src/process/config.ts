import { readFileSync } from 'node:fs';
import { type BusLogin, natsUrlsIn } from '@event-commerce/bus';
import { PROCESSES, type ProcessName, quotaLimits } from '@event-commerce/contracts';
import { z } from 'zod';
import { CONNECTIONS_MAX_DEFAULT } from '../mongo/mongo.ts';

/**
 * Reads the settings of a process from `env` once, and refuses to start if one is wrong. The error names every bad
 * setting in one message, so that an operator can fix all at once. An empty value counts as absent. The value of a
 * setting `NAME` may be in the file that `NAME_FILE` names, as secret stores mount them.
 *
 * @throws {ConfigError}
 */
export function readConfig<T extends z.ZodObject>(schema: T, env: NodeJS.ProcessEnv): z.output<T> {
  const given: Record<string, string> = {};
  const problems = new Map<string, string>();
  for (const name of Object.keys(schema.shape)) {
    const { [name]: value = '', [`${name}_FILE`]: file = '' } = env;
    if (value !== '' && file !== '') problems.set(name, `is set, and so is ${name}_FILE; remove one of them`);
    else if (file === '') Object.assign(given, value === '' ? {} : { [name]: value });
    else {
      try {
        given[name] = readFileSync(file, 'utf8').trimEnd();
      } catch (error) {
        problems.set(name, `cannot be read from ${file}, which ${name}_FILE names (${(error as Error).message})`);
      }
    }
  }
  const result = schema.safeParse(given);
  if (result.success && problems.size === 0) return result.data;
  for (const { path, message } of result.error?.issues ?? []) {
    const name = path.join('.');
    if (!problems.has(name)) problems.set(name, message);
  }
  const lines = [...problems].map(([name, problem]) => `  ${name}: ${problem}`);
  throw new ConfigError(`these settings are missing or wrong:\n${lines.join('\n')}`);
}

export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** A setting that is a whole number from `min` to `max`. */
export const wholeNumber = (min: number, max = Number.MAX_SAFE_INTEGER) => z.coerce.number().int().min(min).max(max);

/** A TCP port; 0 lets the system choose one. */
export const port = wholeNumber(0, 65_535);

/** A secret of 32 bytes. */
export const secretKey = z
  .string()
  .regex(/^[0-9a-f]{64}$/i, 'must be 32 bytes in hexadecimal, as openssl rand -hex 32 prints')
  .transform((text) => Buffer.from(text, 'hex'));

const pem = z.string().regex(/^\s*-----BEGIN /, 'must be PEM: -----BEGIN ...');

/** How a process reaches the broker. */
const natsSettings = z.object({
  NATS_URL: z
    .string()
    .refine(
      isNatsUrl,
      'must be nats://USER:PASSWORD@HOST:PORT, or tls:// for a broker that speaks TLS; several with commas',
    )
    .describe(
      'NATS with JetStream: `nats://USER:PASSWORD@HOST:4222`, or `tls://` to insist on TLS. Separate several with commas.',
    ),
  NATS_CREDS: z
    .string()
    .optional()
    .describe(
      'The text of a credentials file for NATS, as `nsc` makes it, where NATS_URL has no user. Usually `NATS_CREDS_FILE`.',
    ),
  NATS_NKEY: z.string().optional().describe('The seed of an NKey for NATS, where NATS_URL has no user.'),
  NATS_TLS_CA: pem
    .optional()
    .describe("The certificate, in PEM, of the authority that signed the broker's, if it is your own."),
  NATS_TLS_CERT: pem.optional().describe('The certificate, in PEM, that the process shows the broker.'),
  NATS_TLS_KEY: pem.optional().describe('The private key of that certificate, in PEM.'),
});

/** Settings that every process of the platform has. */
export const processSettings = z.object({
  HOST: z.string().default('127.0.0.1').describe('The address that the process listens on.'),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .default('info')
    .describe('The least severe lines that are written.'),
  MONGO_URL: z
    .string()
    .regex(
      /^mongodb(\+srv)?:\/\/[^\s/?#]+([/?]\S*)?$/,
      'must be mongodb://HOST:PORT,HOST:PORT/... or mongodb+srv://HOST/...',
    )
    .describe('MongoDB, a replica set.'),
  MONGO_CONNECTIONS_MAX: wholeNumber(4, 1_000)
    .default(CONNECTIONS_MAX_DEFAULT)
    .describe('Connections to MongoDB that one process may open. Add up what all processes may open together.'),
  MONGO_DB_PREFIX: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,30}$/)
    .default('event_commerce')
    .describe('Comes before the name of each database, so that several deployments can share a cluster.'),
  QUOTAS: quotaLimits.describe(
    'What one company may keep of each kind, where it differs from the [default](operating/quotas.md): `coupons=5000` is 5,000 coupons.',
  ),
  MONGO_INDEXES: z
    .enum(['verify', 'migrate'])
    .default('verify')
    .describe('`verify`: a process that finds an index missing names it and exits. `migrate`: it creates the index.'),
  METRICS_PORT: port
    .min(1)
    .optional()
    .describe('The port of `/metrics`, on the same address. Without it, nothing is measured.'),
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe(
      'An OpenTelemetry collector (OTLP over HTTP), such as `http://collector:4318`. Without it, no spans are reported.',
    ),
  OTEL_TRACES_SAMPLER: z
    .enum([
      'always_on',
      'always_off',
      'traceidratio',
      'parentbased_always_on',
      'parentbased_always_off',
      'parentbased_traceidratio',
    ])
    .optional()
    .describe('Which [traces](operating/metrics.md#traces) are reported: all of them by default.'),
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number()
    .min(0)
    .max(1)
    .optional()
    .describe('The share of traces that a ratio sampler keeps.'),
  OTEL_BSP_SCHEDULE_DELAY: wholeNumber(1)
    .optional()
    .describe('How long spans are collected before they are sent, in milliseconds: 5000 by default.'),
  ...natsSettings.shape,
  NATS_STREAM_REPLICAS: wholeNumber(1, 5)
    .default(1)
    .describe(
      'The number of brokers that keep each stream. Use 3 in production: a stream then survives the loss of one.',
    ),
});

/** Which of its settings a command needs to connect to the broker. */
export const NATS_SETTINGS = Object.fromEntries(Object.keys(natsSettings.shape).map((name) => [name, true])) as {
  [Name in keyof typeof natsSettings.shape]: true;
};

/** Where the broker is, and how a process proves to it who it is. */
export function brokerOf(config: z.output<typeof natsSettings>): BusLogin & { url: string } {
  return {
    url: config.NATS_URL,
    creds: config.NATS_CREDS,
    nkeySeed: config.NATS_NKEY,
    tls: { ca: config.NATS_TLS_CA, cert: config.NATS_TLS_CERT, key: config.NATS_TLS_KEY },
  };
}

/** Settings of a service behind the gateway. */
export const serviceSettings = processSettings.extend({
  IDENTITY_PUBLIC_KEYS: z
    .string()
    .transform((value) => value.split(',').map((key) => key.trim()))
    .describe(
      "The gateway's Ed25519 public keys, base64 of SPKI DER. Separate two with a comma while one replaces the other.",
    ),
  DRAIN_DELAY_MS: wholeNumber(0, 5_000)
    .default(2_000)
    .describe(
      'How long a process that stops still serves, and closes each connection with its response: time for the gateway to turn to another replica. The gateway keeps idle connections for a second; with a shorter delay, a restart may fail a write.',
    ),
});

/** Public keys by the process they belong to, such as `pricing=KEY,cart=KEY`; at least one of each of `needed`. */
export function processKeys(needed: readonly ProcessName[]) {
  return z
    .string()
    .transform((text) =>
      text.split(',').map((entry) => {
        const at = entry.indexOf('=');
        return { process: entry.slice(0, at).trim() as ProcessName, key: entry.slice(at + 1).trim() };
      }),
    )
    .refine(
      (keys) =>
        needed.every((name) => keys.some(({ process }) => process === name)) &&
        keys.every(({ process, key }) => PROCESSES.includes(process) && key !== ''),
      `must be ${needed.map((name) => `${name}=KEY`).join(',')}`,
    );
}

function isNatsUrl(text: string): boolean {
  return natsUrlsIn(text).every((url) => /^(nats|tls):\/\/[^\s/]+\/?$/.test(url) && URL.canParse(url));
}
