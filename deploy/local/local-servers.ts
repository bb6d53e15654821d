import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ServerControl, ServerName, StartedServer } from './infrastructure.ts';
import { natsAccounts } from './nats-accounts.ts';
import { mongoAnswers, natsAnswers, redisAnswers } from './probe.ts';
import { reported, type Progress } from './rootfs.ts';
import { ServerProcess } from './server-process.ts';

/** The servers of the root file system, each in mount and process namespaces of its own. */

export interface LocalServersOptions {
  /** The root file system; shared by every instance on this machine and only read. */
  readonly root: string;
  readonly dataDir: string;
  readonly ports: Readonly<Record<ServerName, number>>;
  readonly progress: Progress;
  readonly natsUsers?: readonly string[];
}

/**
 * Runs in the new namespaces: $0 the root file system, $1 the server's data, $2 the host's directory for its Unix socket,
 * $3 the user it runs as, $4 a script of which $@ are the arguments. The mounts end with the namespace.
 */
const enterRoot = `
set -e
root=$0 data=$1 run=$2 user=$3 script=$4
shift 4
# The server inherits the lock: after a kill, the next one waits until the last process of the one before is gone.
exec 9< "$data"
flock --timeout 20 9
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mount -t tmpfs tmpfs "$root/dev/shm"
mount -t tmpfs tmpfs "$root/run"
mkdir "$root/run/postgresql"
mount --bind "$run" "$root/run/postgresql"
mount --bind "$data" "$root/mnt"
chroot "$root" chown "$user:$user" /mnt /run/postgresql
# A change of user clears the signal that unshare's --kill-child has set.
exec chroot "$root" setpriv --pdeathsig=KILL --reuid="$user" --regid="$user" --clear-groups sh -c "$script" "$@"
`;

const runPostgres = `
set -e
bin=/usr/lib/postgresql/18/bin
if [ ! -d /mnt/main ]; then
  rm -rf /mnt/new
  $bin/initdb --auth=trust --username=postgres --encoding=UTF8 --locale=C.UTF-8 -D /mnt/new
  mv /mnt/new /mnt/main
fi
mkdir -p /mnt/main/pg_documentdb_cursor_files
exec $bin/postgres -D /mnt/main "$@"
`;

const postgresSettings: Readonly<Record<string, string>> = {
  shared_preload_libraries: 'pg_cron,pg_documentdb_core,pg_documentdb',
  'cron.database_name': 'postgres',
  // Its jobs, such as the expiry of documents, run in the server and not through a connection with a password.
  'cron.use_background_workers': 'on',
  'cron.log_run': 'off',
  'cron.log_statement': 'off',
  // Only the gateway talks to it, through a socket that only root can reach.
  listen_addresses: '',
  unix_socket_directories: '/run/postgresql',
  max_connections: '200',
  max_worker_processes: '16',
  max_parallel_workers_per_gather: '0',
  shared_buffers: '256MB',
  // Nothing is replicated; what was acknowledged is still on disk (fsync and synchronous_commit stay on).
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '2GB',
  // Statements take a millisecond; compiling one takes a hundred.
  jit: 'off',
  deadlock_timeout: '100ms',
  autovacuum_naptime: '15s',
  log_checkpoints: 'off',
  log_error_verbosity: 'terse',
  log_min_error_statement: 'panic',
  // Cursors live in files, so that an open one does not keep a connection.
  'documentdb.useFileBasedPersistedCursors': 'on',
  'documentdb.defaultCursorExpiryTimeLimitSeconds': '600',
  // Its jobs connect back to it; what is left to the background worker is not needed here.
  'documentdb.localhost_connection_string': 'host=/run/postgresql',
  'documentdb.enableBackgroundWorker': 'off',
};

/** Starts the named servers side by side. @throws Error if one does not come up; the others are stopped then */
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
  const data = join(options.dataDir, 'nats');
  await mkdir(data, { recursive: true });
  const config = [
    `listen: "127.0.0.1:${port}"`,
    // A body of 1 MiB must fit into a message together with its headers.
    'max_payload: 2MB',
    'jetstream { store_dir: "/mnt/jetstream", max_file_store: 8GB, sync_interval: "5s" }',
    ...natsAccounts(options.natsUsers),
  ];
  await writeFile(join(data, 'nats.conf'), `${config.join('\n')}\n`);
  const server = await isolated(options, {
    name: 'nats',
    user: 'nats',
    stopSignal: 'SIGTERM',
    script: 'exec nats-server --config /mnt/nats.conf',
    ready: () => natsAnswers(port),
  });
  await server.start();
  return { url: `nats://127.0.0.1:${port}`, control: controlOf(server, [server]), stop: () => server.stop() };
}

async function startRedis(options: LocalServersOptions): Promise<StartedServer> {
  const port = options.ports.redis;
  const server = await isolated(options, {
    name: 'redis',
    user: 'redis',
    stopSignal: 'SIGTERM',
    script: 'exec redis-server "$@"',
    args: ['--bind', '127.0.0.1', '--port', String(port), '--dir', '/mnt'],
    ready: () => redisAnswers(port),
  });
  await server.start();
  return { url: `redis://127.0.0.1:${port}`, control: controlOf(server, [server]), stop: () => server.stop() };
}

/** DocumentDB, and the gateway that makes it speak MongoDB's protocol. */
async function startMongo(options: LocalServersOptions): Promise<StartedServer> {
  const port = options.ports.mongo;
  // Beside its data the socket's path could exceed the 107 bytes that the system allows.
  const socketDir = `/run/event-commerce/${createHash('sha256').update(options.dataDir).digest('hex').slice(0, 12)}`;
  await mkdir(socketDir, { recursive: true, mode: 0o700 });
  const storage = await isolated(options, {
    name: 'postgres',
    user: 'postgres',
    stopSignal: 'SIGINT',
    script: runPostgres,
    args: Object.entries(postgresSettings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    socketDir,
    // The gateway's hello is the probe for both: it answers once the storage does.
    ready: () => Promise.resolve(true),
  });
  const gateway = new ServerProcess({
    name: 'mongo gateway',
    command: [
      process.execPath,
      join(import.meta.dirname, 'mongo-wire', 'gateway.ts'),
      '--port',
      String(port),
      '--socket',
      socketDir,
    ],
    logFile: join(options.dataDir, 'logs', 'mongo-gateway.log'),
    stopSignal: 'SIGKILL',
    isolated: false,
    ready: () => mongoAnswers(port),
    onUnexpectedExit: options.progress,
  });
  const stop = async (): Promise<void> => {
    await gateway.stop();
    await storage.stop();
  };
  try {
    await storage.start();
    await Promise.race([gateway.start(), storage.failure()]);
  } catch (error) {
    await stop();
    throw error;
  }
  return { url: `mongodb://127.0.0.1:${port}`, control: controlOf(gateway, [storage, gateway]), stop };
}

interface IsolatedOptions {
  readonly name: string;
  readonly user: string;
  readonly script: string;
  readonly args?: readonly string[];
  readonly socketDir?: string;
  readonly stopSignal: NodeJS.Signals;
  readonly ready: () => Promise<boolean>;
}

async function isolated(options: LocalServersOptions, server: IsolatedOptions): Promise<ServerProcess> {
  const data = join(options.dataDir, server.name);
  await mkdir(data, { recursive: true });
  return new ServerProcess({
    name: server.name,
    command: [
      'unshare',
      '--mount',
      '--pid',
      '--fork',
      '--kill-child',
      'sh',
      '-c',
      enterRoot,
      options.root,
      data,
      server.socketDir ?? data,
      server.user,
      server.script,
      server.name,
      ...(server.args ?? []),
    ],
    logFile: join(options.dataDir, 'logs', `${server.name}.log`),
    stopSignal: server.stopSignal,
    isolated: true,
    ready: server.ready,
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
      // What clients see first: none of them finds the one half alive.
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
