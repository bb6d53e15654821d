import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
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
    /** A folder for what tests write; it is removed after the run. */
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
    for (const line of failuresIn(path.join(folder, 'data/logs'))) process.stdout.write(`  ${line}\n`);
    await infrastructure.stop();
    // A browser may still write into its profile while it ends.
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  };
}

const FAILURE = /terminated by signal|PANIC|FATAL|does not respond|closing a client|No space left/;
const FAILURES_MAX = 20;

/**
 * What the servers' logs say about a failure of their own: it explains tests that failed. Each test that kills a server
 * has one of its own, so these have no reason to fail.
 */
function failuresIn(logDir: string): string[] {
  if (!existsSync(logDir)) return [];
  const logs = readdirSync(logDir, { withFileTypes: true }).filter((entry) => entry.isFile());
  return logs
    .flatMap(({ name }) => {
      const lines = readFileSync(path.join(logDir, name), 'utf8').split('\n');
      return lines.filter((line) => FAILURE.test(line)).map((line) => `${name}: ${line}`);
    })
    .slice(0, FAILURES_MAX);
}
