import { randomUUID } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import path from 'node:path';
import { createLogger, generateIdentityKeys } from '@event-commerce/service-kit';
import { natsUrlOfThisFile } from '@event-commerce/test-kit/nats-url';
import { inject } from 'vitest';
import { type Platform, type PlatformOptions, startPlatform } from '../../deploy/local/platform.ts';
import { urlAsProcess } from '../../deploy/local/users.ts';
import { loadConfig } from '../../gateway/src/config.ts';
import { startGateway } from '../../gateway/src/start-gateway.ts';
import { companiesOf, type NewCompany, newRootApiKey } from './companies.ts';
import { type Services, settingsOf, sharedServices } from './services.ts';

/** A gateway in front of the shared services, all in this process. */
export interface SharedPlatform {
  /** The platform's URL for clients. */
  url: string;
  rootApiKey: string;
  newCompany: NewCompany;
  services: Services;
}

let shared: Promise<SharedPlatform> | undefined;

/**
 * The platform that test files share if they change nothing about it. A worker starts it once, and stops it at its end.
 */
export async function sharedPlatform(): Promise<SharedPlatform> {
  shared ??= startSharedPlatform();
  return await shared;
}

async function startSharedPlatform(): Promise<SharedPlatform> {
  const services = await sharedServices();
  const rootApiKey = newRootApiKey();
  const urlOf = (name: keyof Services['replicas']) => services.replicas[name][0]?.url;
  const config = loadConfig({
    ...settingsOf('gateway', services),
    REDIS_URL: inject('redisUrl'),
    REDIS_KEY_PREFIX: services.prefix,
    ROOT_API_KEY: rootApiKey,
    IDENTITY_PRIVATE_KEY: services.identity.privateKey,
    PRICING_URL: urlOf('pricing'),
    COMMERCE_URL: urlOf('commerce'),
    CART_URL: urlOf('cart'),
    EVENTS_URL: urlOf('events'),
    ACTIVITY_URL: urlOf('activity'),
    RATE_LIMIT_PER_SECOND: '100000',
    RATE_LIMIT_BURST: '100000',
    COMPANY_RATE_LIMIT_PER_SECOND: '100000',
    COMPANY_RATE_LIMIT_BURST: '100000',
    // Longer than a busy machine takes.
    UPSTREAM_TIMEOUT_MS: '30000',
    PORT: '0',
  });
  const { url } = await startGateway(config, createLogger({ service: 'test', level: 'silent' }));
  return { url, rootApiKey, newCompany: companiesOf(url, rootApiKey), services };
}

/** A platform of a test's own, in processes that it can kill, with their logs and metrics. */
export interface TestPlatform extends Platform {
  rootApiKey: string;
  newCompany: NewCompany;
  natsUrl: string;
}

/**
 * The whole platform on the test run's servers, with its own databases, keys and logs; `options` override the defaults.
 */
export async function startTestPlatform(options: Partial<PlatformOptions> = {}): Promise<TestPlatform> {
  const natsUrl = options.natsUrl ?? natsUrlOfThisFile();
  const rootApiKey = options.rootApiKey ?? newRootApiKey();
  const platform = await startPlatform({
    mongoUrl: inject('mongoUrl'),
    mongoUrlOf: (name) => inject('mongoUrlOf')[name],
    natsUrl,
    natsUrlOf: (name) =>
      inject('natsUrls').includes(natsUrl) && inject('natsUrls').length > 1 ? urlAsProcess(natsUrl, name) : natsUrl,
    redisUrl: inject('redisUrl'),
    identity: generateIdentityKeys(),
    logDir: mkdtempSync(path.join(inject('scratch'), 'logs-')),
    ...options,
    rootApiKey,
    env: { MONGO_DB_PREFIX: `t${randomUUID().slice(0, 8)}`, ...options.env },
  });
  return { ...platform, rootApiKey, newCompany: companiesOf(platform.url, rootApiKey), natsUrl };
}
