import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { asUnprivileged } from './debian-packages.ts';
import type { StartedServer } from './infrastructure.ts';
import { controlOf, dataOf, type LocalServersOptions, serverProcess } from './local-server.ts';
import { mongoAnswers } from './probe.ts';
import { runCommand } from './run-command.ts';
import { ServerProcess } from './server-process.ts';
import { newOperator, urlAs } from './users.ts';

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
  // A document of some kilobytes is compressed at each write: in half the time.
  default_toast_compression: 'lz4',
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

/** DocumentDB, and the gateway that serves it over MongoDB's protocol. */
export async function startMongo(options: LocalServersOptions): Promise<StartedServer> {
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
    ...(options.fsync === false ? { fsync: 'off', full_page_writes: 'off' } : {}),
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
