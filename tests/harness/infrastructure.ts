import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { startInfrastructure } from '../../deploy/local/infrastructure.ts';
import { PROCESS_NAMES, type ProcessName } from '../../deploy/local/process-names.ts';
import { urlAs } from '../../deploy/local/users.ts';
import { build } from '../../tools/build.ts';

/** Enough that no two test files of a run share one. */
const OPERATORS = Array.from({ length: 512 }, (_, n) => ({ user: `test${n}`, password: `test${n}` }));

declare module 'vitest' {
  interface ProvidedContext {
    /** MongoDB for the operator, who may do everything. */
    mongoUrl: string;
    /** MongoDB for each process, which may use only its own database; `mongoUrl` if the environment named it. */
    mongoUrlOf: Record<ProcessName, string>;
    natsUrl: string;
    /**
     * Isolated brokers, several for each test file; a single one if the environment named the broker.
     */
    natsUrls: string[];
    /** How many test files run at the same time. */
    workers: number;
    redisUrl: string;
    /** A folder for what tests write; it goes with the run. */
    scratch: string;
  }
}

/** Starts MongoDB, NATS and Redis for the integration tests, with temporary data. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await build();
  const folder = mkdtempSync(path.join(tmpdir(), 'event-commerce-test-'));
  const scratch = path.join(folder, 'scratch');
  mkdirSync(scratch);
  const infrastructure = await startInfrastructure({
    dataDir: path.join(folder, 'data'),
    fsync: false,
    env: process.env,
    natsOperators: OPERATORS,
    progress: (line) => process.stdout.write(`  ${line}\n`),
  });
  project.provide('workers', project.config.maxWorkers);
  project.provide('mongoUrl', infrastructure.mongoUrl);
  const urlsOf = PROCESS_NAMES.map((name) => [name, infrastructure.mongoUrlOf(name)] as const);
  project.provide('mongoUrlOf', Object.fromEntries(urlsOf) as Record<ProcessName, string>);
  const { natsUrl, ways } = infrastructure;
  project.provide('natsUrl', natsUrl);
  project.provide('natsUrls', ways.nats === 'url' ? [natsUrl] : OPERATORS.map((operator) => urlAs(natsUrl, operator)));
  project.provide('redisUrl', infrastructure.redisUrl);
  project.provide('scratch', scratch);
  return async () => {
    await infrastructure.stop();
    // A browser may still write into its profile while it ends.
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  };
}
