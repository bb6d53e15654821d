import { mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { tryLock, type Lock } from './exclusive.ts';
import { freePort } from '@event-commerce/test-kit/free-port';
import { findContainerEngine, NOT_RUNNING } from './container-engine.ts';
import { debianPackages, debianPackagesObstacle } from './debian-packages.ts';
import type { ProcessName } from './process-names.ts';
import { reachable } from './reachable.ts';
import { type ServerName, serverNames } from './server-names.ts';
import type { InfrastructureOptions, StartOptions } from './start-options.ts';
import type { ServerControl, StartedServer } from './started-server.ts';
import { newOperator, urlAs, urlAsProcess } from './users.ts';

/**
 * MongoDB, NATS with JetStream and Redis for everything that runs on one machine: npm start, tests, benchmarks, fault
 * tests.
 */

export { type ServerName, serverNames } from './server-names.ts';

/**
 * Where a server comes from: the environment named it, or it was started here in a container or from Debian's packages.
 */
type Way = 'url' | 'container' | 'packages';

export interface Infrastructure {
  /** MongoDB for the operator, who may do everything. In a container MongoDB has no users, so the URL names none. */
  readonly mongoUrl: string;
  /** MongoDB for one process, which may use its own database only; `mongoUrl` if the environment named the server. */
  readonly mongoUrlOf: (name: ProcessName) => string;
  /** NATS for the operator, who may do everything. */
  readonly natsUrl: string;
  /** NATS for one process, which may do only what it needs; `natsUrl` if the environment named the broker. */
  readonly natsUrlOf: (name: ProcessName) => string;
  readonly redisUrl: string;
  readonly ways: Readonly<Record<ServerName, Way>>;
  readonly servers: Readonly<Record<ServerName, ServerControl>>;
  /** Stops what was started here, within 10 s. */
  stop(): Promise<void>;
}

const urlVariables: Readonly<Record<ServerName, string>> = { mongo: 'MONGO_URL', nats: 'NATS_URL', redis: 'REDIS_URL' };

/**
 * Starts each server by the first way that works: its URL in the environment, a container engine, Debian's own
 * packages. Nothing started here outlives this process, even if it is killed.
 * @throws Error that says what to do if this machine has no way, a server in a URL does not respond, or the data
 * directory is in use
 */
export async function startInfrastructure(given: InfrastructureOptions): Promise<Infrastructure> {
  const options: StartOptions = {
    ...given,
    dataDir: resolve(given.dataDir),
    natsOperators: given.natsOperators ?? [newOperator()],
  };
  const missing = serverNames.filter((name) => !options.env[urlVariables[name]]);
  await Promise.all(
    serverNames
      .filter((name) => !missing.includes(name))
      .map((name) => reachable(name, urlVariables[name], options.env[urlVariables[name]] ?? '')),
  );
  if (missing.length === 0) return assemble(options, new Map(), 'url');

  await mkdir(options.dataDir, { recursive: true });
  const lock = await tryLock(options.dataDir);
  if (lock === undefined) throw new Error(`${options.dataDir} is in use by another process that runs these servers.`);
  try {
    const { started, way } = await startServers(missing, options);
    return assemble(options, started, way, lock);
  } catch (error) {
    await lock.release();
    throw error;
  }
}

async function startServers(
  names: readonly ServerName[],
  options: StartOptions,
): Promise<{ started: Map<ServerName, StartedServer>; way: Way }> {
  const { engine, reasons = [] } = await findContainerEngine(options.env);
  const obstacle = await debianPackagesObstacle(options.env);
  if (engine !== undefined) {
    // Loaded on demand, because it would slow down every start.
    const { EngineFailed, startContainers } = await import('./containers.ts');
    try {
      return { started: await startContainers(engine, names, options), way: 'container' };
    } catch (error) {
      if (!(error instanceof EngineFailed)) throw error;
      reasons.push(`${engine.name}: ${error.message}`);
    }
  }
  if (obstacle !== undefined) throw new Error(noWay(names, reasons, obstacle));

  // An engine that is not running is no surprise; one that fails is.
  for (const reason of reasons)
    if (!reason.endsWith(NOT_RUNNING)) options.progress(`${reason}. Using Debian’s packages instead`);
  const packages = await debianPackages(options.env, options.progress);
  const { startLocalServers } = await import('./local-servers.ts');
  const ports = { mongo: 0, nats: 0, redis: 0 };
  for (const name of serverNames) ports[name] = options.ports?.[name] ?? (await freePort());
  return { started: await startLocalServers(names, { ...options, packages, ports }), way: 'packages' };
}

function noWay(names: readonly ServerName[], reasons: readonly string[], obstacle: string): string {
  const variables = names.map((name) => urlVariables[name]).join(', ');
  const engines = reasons.length === 0 ? 'Docker or Podman is not installed' : reasons.join('; ');
  return [
    `There is no way to run ${names.join(', ')} here. Do one of these:`,
    `  1. set ${variables} to servers that are already running`,
    `  2. start Docker or Podman (${engines})`,
    `  3. use Debian or Ubuntu (${obstacle})`,
  ].join('\n');
}

function assemble(
  options: StartOptions,
  started: ReadonlyMap<ServerName, StartedServer>,
  way: Way,
  lock?: Lock,
): Infrastructure {
  const url = (name: ServerName): string => started.get(name)?.url ?? options.env[urlVariables[name]] ?? '';
  const wayOf = (name: ServerName): Way => (started.has(name) ? way : 'url');
  const control = (name: ServerName): ServerControl => started.get(name)?.control ?? notStartedHere(name);
  const [operator, ...others] = options.natsOperators;
  const natsUrl =
    started.has('nats') && operator !== undefined && others.length === 0 ? urlAs(url('nats'), operator) : url('nats');
  return {
    mongoUrl: url('mongo'),
    mongoUrlOf: (name) => (started.has('mongo') ? urlAsProcess(url('mongo'), name) : url('mongo')),
    natsUrl,
    natsUrlOf: (name) => (started.has('nats') ? urlAsProcess(natsUrl, name) : natsUrl),
    redisUrl: url('redis'),
    ways: { mongo: wayOf('mongo'), nats: wayOf('nats'), redis: wayOf('redis') },
    servers: { mongo: control('mongo'), nats: control('nats'), redis: control('redis') },
    async stop() {
      await Promise.all([...started.values()].map((server) => server.stop()));
      await lock?.release();
    },
  };
}

function notStartedHere(name: ServerName): ServerControl {
  const refuse = (): Promise<never> =>
    Promise.reject(new Error(`${name} was not started here: ${urlVariables[name]} names it`));
  return { pid: undefined, kill9: refuse, restart: refuse, pause: refuse, resume: refuse };
}
