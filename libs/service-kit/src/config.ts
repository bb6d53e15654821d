import { quotaLimits } from '@event-commerce/contracts';
import { z } from 'zod';
import { PROCESSES, type ProcessName } from '@event-commerce/contracts';
import { CONNECTIONS_MAX_DEFAULT } from './mongo.ts';

/**
 * The settings of a process, read once from `env` and refused at start when one is wrong. The error names every bad
 * setting in one message, so that an operator mends them all at once. An empty value counts as absent.
 */
export function readConfig<T extends z.ZodObject>(schema: T, env: NodeJS.ProcessEnv): z.output<T> {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const result = schema.safeParse(given);
  if (result.success) return result.data;
  const lines = result.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`);
  throw new ConfigError(`these settings are missing or wrong:\n${lines.join('\n')}`);
}

export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** A TCP port; 0 lets the system choose one. */
export const port = z.coerce.number().int().min(0).max(65_535);

/** Settings that every process of the platform has. */
export const processSettings = z.object({
  HOST: z.string().default('127.0.0.1'),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  MONGO_URL: z
    .string()
    .regex(
      /^mongodb(\+srv)?:\/\/[^\s/?#]+([/?]\S*)?$/,
      'must be mongodb://HOST:PORT,HOST:PORT/... or mongodb+srv://HOST/...',
    ),
  /** Connections to MongoDB that one process may open; what all processes may open together is for the operator to add up. */
  MONGO_CONNECTIONS_MAX: z.coerce.number().int().min(4).max(1_000).default(CONNECTIONS_MAX_DEFAULT),
  /** Put before the name of each service's database; tests and tenants of one cluster keep apart by it. */
  MONGO_DB_PREFIX: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,30}$/)
    .default('event_commerce'),
  /** What one company may keep of each kind, where it is not the default: `coupons=5000:10` is 5,000 of 10 MB together. */
  QUOTAS: quotaLimits,
  /**
   * Whether a start makes the indexes that the database lacks, or only says which are missing: several replicas, and large
   * collections, are migrated before their processes start.
   */
  MONGO_INDEXES: z.enum(['verify', 'migrate']).default('verify'),
  /** The port of `/metrics`, on the same address; without it nothing is measured. */
  METRICS_PORT: port.min(1).optional(),
  /** An OpenTelemetry collector (OTLP over HTTP), such as `http://collector:4318`; without it no spans are reported. */
  OTEL_EXPORTER_OTLP_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  /** Which traces are reported; one that a client with a good key began is reported if the client says so. */
  OTEL_TRACES_SAMPLER: z
    .enum([
      'always_on',
      'always_off',
      'traceidratio',
      'parentbased_always_on',
      'parentbased_always_off',
      'parentbased_traceidratio',
    ])
    .optional(),
  /** The share of traces that a ratio sampler keeps. */
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).optional(),
  /** How long (in ms) spans are gathered before they are sent together. */
  OTEL_BSP_SCHEDULE_DELAY: z.coerce.number().int().min(1).optional(),
  NATS_URL: z
    .string()
    .refine(
      isNatsUrl,
      'must be nats://USER:PASSWORD@HOST:PORT, or tls:// for a broker that speaks TLS; several with commas',
    ),
  /** On how many brokers of a cluster each stream is kept; 3 survives the loss of one. */
  NATS_STREAM_REPLICAS: z.coerce.number().int().min(1).max(5).default(1),
});

/** Settings of a service behind the gateway. */
export const serviceSettings = processSettings.extend({
  /** Ed25519 public keys of the gateway (base64 of SPKI DER), comma separated so that a key can be replaced without a gap. */
  IDENTITY_PUBLIC_KEYS: z.string().transform((value) => value.split(',').map((key) => key.trim())),
  /** What one company's changes may publish at this process in an hour (MB of events) before its writes are refused. */
  EVENT_MB_PER_HOUR: z.coerce.number().int().min(1).max(1_000_000).default(4_000),
});

/** Public keys by the process they are of, such as `pricing=KEY,cart=KEY`; one of each of `needed` at least. */
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
  return text.split(',').every((url) => {
    const whole = url.includes('://') ? url.trim() : `nats://${url.trim()}`;
    return /^(nats|tls):\/\/[^\s/]+\/?$/.test(whole) && URL.canParse(whole);
  });
}
