import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { startInfrastructure } from './infrastructure.ts';

declare module 'vitest' {
  interface ProvidedContext {
    mongoUrl: string;
    natsUrl: string;
    redisUrl: string;
  }
}

/** Starts MongoDB, NATS and Redis for the integration tests, with data that is thrown away. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'event-commerce-test-'));
  const infrastructure = await startInfrastructure({
    dataDir,
    env: process.env,
    progress: (line) => process.stdout.write(`  ${line}\n`),
  });
  project.provide('mongoUrl', infrastructure.mongoUrl);
  project.provide('natsUrl', infrastructure.natsUrl);
  project.provide('redisUrl', infrastructure.redisUrl);
  return async () => {
    await infrastructure.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
}
