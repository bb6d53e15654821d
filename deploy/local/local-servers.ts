import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { asUnprivileged, type DebianPackages } from './debian-packages.ts';
import type { ServerControl, ServerName, StartedServer } from './infrastructure.ts';
import { natsConfig } from './nats-config.ts';
import { mongoAnswers, natsAnswers, redisAnswers } from './probe.ts';
import { type Progress, reported } from './progress.ts';
import { runCommand } from './run-command.ts';
import { ServerProcess } from './server-process.ts';
import { newOperator, urlAs, type User } from './users.ts';

/** The servers from Debian's packages, as processes of this user. */

export interface LocalServersOptions {
  readonly packages: DebianPackages;
  readonly dataDir: string;
  readonly ports: Readonly<Record<ServerName, number>>;
  readonly progress: Progress;
  readonly natsOperators: readonly User[];
  readonly databaseClock?: string;
}

const postgresSettings: Readonly<Record<string, string>> = {
  shared_preload_libraries: 'pg_cron,pg_documentdb_core,pg_documentdb',
  'cron.database_name': 'postgres',
  // Its jobs, such as the expiry of documents, run inside the server, not over a connection with a password.
  'cron.use_background_workers': 'on',
  'cron.log_run': 'off',
  'cron.log_statement': 'off',
  // Only the gateway connects to it, over a socket that only this user can open.
  listen_addresses: '',
  // The machine may lack time zone data.
  timezone: 'GMT',
  log_timezone: 'GMT',
  max_connections: '200',
  max_worker_processes: '16',
  max_parallel_workers_per_gather: '0',
  shared_buffers: '256MB',
  // Nothing is replicated. Acknowledged writes are still on disk (fsync and synchronous_commit stay on).
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '2GB',
  // A statement takes a millisecond; compiling one takes a hundred.
  jit: 'off',
  deadlock_timeout: '100ms',
  autovacuum_naptime: '15s',
  log_checkpoints: 'off',
  log_error_verbosity: 'terse',
  log_min_error_statement: 'panic',
  // Cursors live in files, so that an open cursor does not hold a connection.
  'documentdb.useFileBasedPersistedCursors': 'on',
  'documentdb.defaultCursorExpiryTimeLimitSeconds': '600',
  // Nothing here needs the background worker's jobs.
  'documentdb.enableBackgroundWorker': 'off',
};

/** Starts the named servers in parallel. @throws Error if one does not start; the others are stopped first */
export async function startLocalServers(
  names: readonly ServerName[],
  options: LocalServersOptions,
): Promise<Map<ServerName, StartedServer>> {
  await mkdir(join(options.dataDir, 'logs'), { recursive: true });
  const start = { mongo: startMongo, nats: startNats, redis: startRedis };
  return reported(`starting ${names.join(', ')}`, options.progress, async () => {
    const outcomes = await Promise.allSettled(names.map((name) => start[name](options)));
    const started = new Map<ServerName, StartedServer>();
    let failure: PromiseRejectedResult | undefined;
    for (const [i, name] of names.entries()) {
      const outcome = outcomes[i];
      if (outcome?.status === 'fulfilled') started.set(name, outcome.value);
      else failure ??= outcome;
    }
    if (failure === undefined) return started;
    await Promise.all([...started.values()].map((server) => server.stop()));
    throw failure.reason;
  });
}

async function startNats(options: LocalServersOptions): Promise<StartedServer> {
  const port = options.ports.nats;
  const data = await dataOf(options, 'nats');
  const configFile = join(data, 'nats.conf');
  const listen = `127.0.0.1:${port}`;
  const config = natsConfig({ listen, storeDir: join(data, 'jetstream'), operators: options.natsOperators });
  // It contains passwords.
  await rm(configFile, { force: true });
  await writeFile(configFile, config, { mode: 0o600 });
  const server = serverProcess(options, {
    name: 'nats',
    data,
    command: [options.packages.natsServer, '--config', configFile],
    stopSignal: 'SIGTERM',
    ready: () => natsAnswers(port),
  });
  await server.start();
  return { url: `nats://127.0.0.1:${port}`, control: controlOf(server, [server]), stop: () => server.stop() };
}

async function startRedis(options: LocalServersOptions): Promise<StartedServer> {
  const port = options.ports.redis;
  const data = await dataOf(options, 'redis');
  const server = serverProcess(options, {
    name: 'redis',
    data,
    command: [options.packages.redisServer, '--bind', '127.0.0.1', '--port', String(port), '--dir', data],
    stopSignal: 'SIGTERM',
    ready: () => redisAnswers(port),
  });
  await server.start();
  return { url: `redis://127.0.0.1:${port}`, control: controlOf(server, [server]), stop: () => server.stop() };
}

/** DocumentDB, and the gateway that serves it over MongoDB's protocol. */
async function startMongo(options: LocalServersOptions): Promise<StartedServer> {
  const port = options.ports.mongo;
  const { postgres, initdb, libraryPath, fakeTime } = options.packages;
  const data = await dataOf(options, 'postgres');
  const cluster = join(data, 'main');
  if (!existsSync(cluster)) await initialise(initdb, join(data, 'new'), cluster);
  await mkdir(join(cluster, 'pg_documentdb_cursor_files'), { recursive: true });

  const socketDir = await privateSocketDir();
  const settings = {
    ...postgresSettings,
    unix_socket_directories: socketDir,
    // Its jobs connect back to it.
    'documentdb.localhost_connection_string': `host=${socketDir}`,
  };
  const storage = serverProcess(options, {
    name: 'postgres',
    data,
    // Only for the server: every program in between needs the machine's own libraries.
    command: [
      'env',
      `LD_LIBRARY_PATH=${libraryPath}`,
      ...(options.databaseClock === undefined ? [] : wrongClock(fakeTime, options.databaseClock)),
      postgres,
      '-D',
      cluster,
      ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ],
    stopSignal: 'SIGINT',
    // The gateway's hello is the probe for both: it responds once the storage does.
    ready: () => Promise.resolve(true),
  });
  const gatewayScript = join(import.meta.dirname, 'mongo-wire', 'gateway.ts');
  const operator = newOperator();
  const gateway = new ServerProcess({
    name: 'mongo gateway',
    command: [process.execPath, gatewayScript, '--port', String(port), '--socket', socketDir],
    env: { OPERATOR: operator.user, OPERATOR_PASSWORD: operator.password },
    logFile: join(options.dataDir, 'logs', 'mongo-gateway.log'),
    stopSignal: 'SIGKILL',
    ready: () => mongoAnswers(port),
    onUnexpectedExit: options.progress,
  });
  const stop = async (): Promise<void> => {
    await gateway.stop();
    await storage.stop();
    await rm(socketDir, { recursive: true, force: true });
  };
  try {
    await storage.start();
    await Promise.race([gateway.start(), storage.failure()]);
  } catch (error) {
    await stop();
    throw error;
  }
  const url = urlAs(`mongodb://127.0.0.1:${port}/?authSource=admin`, operator);
  return { url, control: controlOf(gateway, [storage, gateway]), stop };
}

/**
 * Environment that shifts a program's wall clock by the offset in `file`. Its monotonic clock, used for timeouts, stays
 * right.
 */
function wrongClock(library: string, file: string): string[] {
  return [
    `LD_PRELOAD=${library}`,
    `FAKETIME_TIMESTAMP_FILE=${file}`,
    'FAKETIME_CACHE_DURATION=1',
    'FAKETIME_DONT_FAKE_MONOTONIC=1',
    'FAKETIME_DISABLE_SHM=1',
  ];
}

/** Creates an empty cluster at `cluster`, or nothing: an interrupted start leaves no partial cluster. */
async function initialise(initdb: string, unfinished: string, cluster: string): Promise<void> {
  await rm(unfinished, { recursive: true, force: true });
  const settings = ['--auth=trust', '--username=postgres', '--encoding=UTF8', '--locale=C.UTF-8'];
  await runCommand([...asUnprivileged, 'setpriv', '--pdeathsig=KILL', initdb, ...settings, '-D', unfinished]);
  await rename(unfinished, cluster);
}

/** Not beside the data, where the socket's path could exceed the system's limit of 107 bytes. */
async function privateSocketDir(): Promise<string> {
  const base = process.env['XDG_RUNTIME_DIR'];
  return await mkdtemp(join(base !== undefined && existsSync(base) ? base : '/tmp', 'event-commerce-'));
}

async function dataOf(options: LocalServersOptions, name: string): Promise<string> {
  const data = join(options.dataDir, name);
  await mkdir(data, { recursive: true });
  // Written by an earlier version, as another user.
  if (process.getuid?.() === 0) await runCommand(['chown', '--recursive', '0:0', data]);
  return data;
}

interface Server {
  readonly name: string;
  readonly data: string;
  readonly command: readonly string[];
  readonly stopSignal: NodeJS.Signals;
  readonly ready: () => Promise<boolean>;
}

function serverProcess(
  options: LocalServersOptions,
  { name, data, command, stopSignal, ready }: Server,
): ServerProcess {
  return new ServerProcess({
    name,
    // The server inherits the lock: after a kill, the next start waits until the last process of the previous one is
    // gone.
    command: [
      'flock',
      '--no-fork',
      '--timeout',
      '20',
      data,
      ...asUnprivileged,
      'setpriv',
      '--pdeathsig=KILL',
      ...command,
    ],
    logFile: join(options.dataDir, 'logs', `${name}.log`),
    stopSignal,
    ready,
    onUnexpectedExit: options.progress,
  });
}

/** @param processes in the order in which they start */
function controlOf(front: ServerProcess, processes: readonly ServerProcess[]): ServerControl {
  return {
    get pid() {
      return front.pid;
    },
    async kill9() {
      // Client-facing parts first, so that none finds the other half alive.
      await Promise.all(processes.toReversed().map((process) => process.kill9()));
    },
    async restart() {
      for (const process of processes.toReversed()) await process.stop();
      for (const process of processes) await process.start();
    },
    async pause() {
      front.signal('SIGSTOP');
    },
    async resume() {
      front.signal('SIGCONT');
    },
  };
}
