import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { generateIdentityKeys } from '@event-commerce/service-kit';
import { type Infrastructure, startInfrastructure } from '../../deploy/local/infrastructure.ts';
import { newKeysOfServices } from '../../deploy/local/keys-of-services.ts';
import { type Platform, type PlatformOptions, startPlatform } from '../../deploy/local/platform.ts';
import { companiesOf, type NewCompany, newRootApiKey } from './companies.ts';

export interface OwnPlatform {
  infrastructure: Infrastructure;
  /** The replicas of the platform: each has a gateway and one process of each service. */
  replicas: readonly [Platform, ...Platform[]];
  /** The prefix of its databases' names. */
  prefix: string;
  newCompany: NewCompany;
}

interface Options extends Pick<PlatformOptions, 'env'> {
  /** The name of the run, of its files and of its databases. */
  name: string;
  replicas?: number;
  progress: (line: string) => void;
}

/** Runs `work` on a platform and servers that belong to this run alone, and removes all of it afterwards. */
export async function withOwnPlatform<T>(
  { name, replicas: count = 1, progress, env }: Options,
  work: (own: OwnPlatform) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(path.join(tmpdir(), `event-commerce-${name}-`));
  const infrastructure = await startInfrastructure({
    dataDir: path.join(folder, 'data'),
    env: { ...process.env, MONGO_URL: undefined, NATS_URL: undefined, REDIS_URL: undefined },
    progress,
  });
  const prefix = `${name}${randomUUID().slice(0, 8)}`;
  const secrets = {
    identity: generateIdentityKeys(),
    keysOfServices: newKeysOfServices(),
    rootApiKey: newRootApiKey(),
  };
  const started: Platform[] = [];
  try {
    while (started.length < count) {
      // One after the other: the first one creates the indexes.
      started.push(
        await startPlatform({
          ...infrastructure,
          ...secrets,
          logDir: path.join(folder, `logs-${started.length}`),
          env: { MONGO_DB_PREFIX: prefix, ...env },
        }),
      );
    }
    const replicas = started as [Platform, ...Platform[]];
    return await work({
      infrastructure,
      replicas,
      prefix,
      newCompany: companiesOf(replicas[0].url, secrets.rootApiKey),
    });
  } finally {
    await Promise.all(started.map(async (platform) => platform.stop()));
    await infrastructure.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
