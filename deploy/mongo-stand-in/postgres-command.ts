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
  // Every write compresses documents of a few kilobytes; lz4 takes half the time.
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

const settingsWithoutFsync: Readonly<Record<string, string>> = {
  fsync: 'off',
  full_page_writes: 'off',
  // A checkpoint costs little then, and a restart after a crash has little to repeat.
  max_wal_size: '256MB',
};

interface PostgresOptions {
  /** The path of PostgreSQL's server, with DocumentDB beside it. */
  readonly postgres: string;
  /** Where the extensions find their libraries (`LD_LIBRARY_PATH`). */
  readonly libraryPath: string;
  /** The cluster's folder, made by `initdbCommand`. */
  readonly cluster: string;
  /** The folder of the server's socket, which only this user can open. */
  readonly socketDir: string;
  /** False: writes do not wait for the disk, so a crash of the machine may lose them. */
  readonly fsync?: boolean;
  /** Shifts the server's clock by the offset in `file`, with the library libfaketime. */
  readonly clock?: { readonly library: string; readonly file: string };
}

/** How to start PostgreSQL with DocumentDB. It listens on a socket only. */
export function postgresCommand(options: PostgresOptions): [string, ...string[]] {
  const { postgres, libraryPath, cluster, socketDir, fsync, clock } = options;
  const settings = {
    ...postgresSettings,
    unix_socket_directories: socketDir,
    ...(fsync === false ? settingsWithoutFsync : {}),
    // Its jobs connect back to it.
    'documentdb.localhost_connection_string': `host=${socketDir}`,
  };
  return [
    'env',
    `LD_LIBRARY_PATH=${libraryPath}`,
    ...(clock === undefined ? [] : shiftedClock(clock)),
    postgres,
    '-D',
    cluster,
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ];
}

/** How to create an empty cluster. */
export function initdbCommand(initdb: string, cluster: string): [string, ...string[]] {
  return [initdb, '--auth=trust', '--username=postgres', '--encoding=UTF8', '--locale=C.UTF-8', '-D', cluster];
}

/** The environment that shifts a program's wall clock. Its monotonic clock, used for timeouts, stays correct. */
function shiftedClock({ library, file }: { library: string; file: string }): string[] {
  return [
    `LD_PRELOAD=${library}`,
    `FAKETIME_TIMESTAMP_FILE=${file}`,
    'FAKETIME_CACHE_DURATION=1',
    'FAKETIME_DONT_FAKE_MONOTONIC=1',
    'FAKETIME_DISABLE_SHM=1',
  ];
}
