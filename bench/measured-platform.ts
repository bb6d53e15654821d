import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { generateIdentityKeys } from '@event-commerce/service-kit';
import { type ApiClient, apiClient } from '@event-commerce/test-kit';
import { type Infrastructure, startInfrastructure } from '../deploy/local/infrastructure.ts';
import { type Platform, startPlatform } from '../deploy/local/platform.ts';
import { buildServices } from '../tools/build.ts';
import type { Company } from './adjustments.ts';

/** A platform on empty stores of its own, for one run. */
export interface MeasuredPlatform {
  platform: Platform;
  infrastructure: Infrastructure;
  /** The folder of everything that the run leaves behind until it stops. */
  folder: string;
  logDir: string;
  startUpSeconds: number;
  /** The settings of another gateway to the same stores, without its services. */
  gatewayEnv: Record<string, string>;
  /** The name of a process's database. */
  dbNameOf: (process: string) => string;
  /** A company that nothing else of the run uses. */
  newCompany(): Promise<Company & { api: ApiClient }>;
  stop(): Promise<void>;
}

/** Starts the stores and the platform, without rate limits. */
export async function startMeasured(
  say: (line: string) => void,
  { nodeOptions, env: more = {} }: { nodeOptions?: string; env?: Record<string, string> } = {},
): Promise<MeasuredPlatform> {
  await buildServices();
  const folder = mkdtempSync(path.join(tmpdir(), 'event-commerce-bench-'));
  if (nodeOptions !== undefined) process.env['NODE_OPTIONS'] = nodeOptions;
  const infrastructure = await startInfrastructure({
    dataDir: path.join(folder, 'data'),
    env: process.env,
    progress: say,
  });
  delete process.env['NODE_OPTIONS'];
  const prefix = `bench${randomUUID().slice(0, 8)}`;
  const rootApiKey = randomBytes(24).toString('base64url');
  const env = {
    MONGO_DB_PREFIX: prefix,
    RATE_LIMIT_PER_SECOND: '1000000',
    RATE_LIMIT_BURST: '1000000',
    LOG_LEVEL: 'warn',
    ...(nodeOptions === undefined ? {} : { NODE_OPTIONS: nodeOptions }),
    ...more,
  };
  const stopStores = async () => {
    await infrastructure.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  const identity = generateIdentityKeys();
  const logDir = path.join(folder, 'logs');
  const startedMs = performance.now();
  const platform = await startPlatform({ ...infrastructure, identity, rootApiKey, logDir, env }).catch(
    async (error: unknown) => {
      await stopStores();
      throw error;
    },
  );
  const startUpSeconds = (performance.now() - startedMs) / 1000;
  say(`the platform started in ${startUpSeconds.toFixed(1)} s`);
  const root = apiClient(platform.url, { authorization: `Bearer ${rootApiKey}` });
  return {
    platform,
    infrastructure,
    folder,
    logDir,
    startUpSeconds,
    gatewayEnv: {
      ...env,
      MONGO_URL: infrastructure.mongoUrlOf('gateway'),
      NATS_URL: infrastructure.natsUrlOf('gateway'),
      REDIS_URL: infrastructure.redisUrl,
      ROOT_API_KEY: rootApiKey,
      IDENTITY_PRIVATE_KEY: identity.privateKey,
    },
    dbNameOf: (name) => `${prefix}_${name}`,
    async newCompany() {
      const companyId = `company-${randomUUID()}`;
      const { body } = await root.post('/v1/admin/keys', { companyId, name: 'bench', scopes: ['*'] });
      const headers = { authorization: `Bearer ${body.data.key}`, 'content-type': 'application/json' };
      return { companyId, headers, api: apiClient(platform.url, headers) };
    },
    async stop() {
      await platform.stop();
      await stopStores();
    },
  };
}
