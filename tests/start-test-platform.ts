import { randomUUID } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { generateIdentityKeys } from '@event-commerce/service-kit';
import { type TestIdentity, testIdentity } from '@event-commerce/test-kit';
import { natsUrlOfThisFile } from '@event-commerce/test-kit/nats-url';
import { inject } from 'vitest';
import { type Platform, type PlatformOptions, startPlatform } from '../deploy/local/platform.ts';
import { urlAsProcess } from '../deploy/local/users.ts';
import { type BusTap, tapBus } from './bus-tap.ts';
import { companiesOf, type NewCompany, newRootApiKey } from './companies.ts';

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
    logDir: mkdtempSync(path.join(tmpdir(), 'event-commerce-logs-')),
    ...options,
    rootApiKey,
    env: { MONGO_DB_PREFIX: `t${randomUUID().slice(0, 8)}`, ...options.env },
  });
  return { ...platform, rootApiKey, newCompany: companiesOf(platform.url, rootApiKey), natsUrl };
}

export interface SharedTestPlatform extends TestPlatform {
  /** Signs what the gateway would, for tests that reach a service past it. */
  identity: TestIdentity;
}

/** How long the shared platform waits for the next file before it stops: at rest it still takes a sixth of a core. */
const UNUSED_MS = 5_000;
let shared: Promise<SharedTestPlatform> | undefined;
let unused: NodeJS.Timeout | undefined;

/**
 * The platform of the test files that change nothing about it, so that not each has to start five processes. Such files
 * run one after the other (vitest.config.ts), each of them ends with `leaveSharedPlatform`, and the platform stops after
 * the last one.
 */
export async function sharedTestPlatform(): Promise<SharedTestPlatform> {
  clearTimeout(unused);
  shared ??= startShared();
  return await shared;
}

/** Called at the end of a file that uses the shared platform: a worker runs one file at a time. */
export function leaveSharedPlatform(): void {
  unused = setTimeout(() => {
    const leaving = shared;
    shared = undefined;
    // A failed start has failed its files.
    leaving?.then(async (platform) => platform.stop()).catch(() => undefined);
  }, UNUSED_MS).unref();
}

async function startShared(): Promise<SharedTestPlatform> {
  const identity = testIdentity();
  const env = { RATE_LIMIT_PER_SECOND: '100000', RATE_LIMIT_BURST: '100000' };
  return { ...(await startTestPlatform({ identity, env })), identity };
}

export interface TappedPlatform extends TestPlatform {
  tap: BusTap;
}

/** Starts a platform with a tap on its bus, which hears everything from the start and is closed with the platform. */
export async function startTappedPlatform(options: Partial<PlatformOptions> = {}): Promise<TappedPlatform> {
  const tap = await tapBus(options.natsUrl ?? natsUrlOfThisFile());
  try {
    const platform = await startTestPlatform(options);
    const stop = async () => {
      await platform.stop();
      await tap.close();
    };
    return { ...platform, tap, stop };
  } catch (error) {
    await tap.close();
    throw error;
  }
}
