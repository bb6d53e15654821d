import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { gatewayCommand, initdbCommand, postgresCommand } from '@event-commerce/mongo-stand-in';
import { asUnprivileged } from './debian-packages.ts';
import { controlOf, dataOf, type LocalServersOptions, serverProcess } from './local-server.ts';
import { mongoAnswers } from './probe.ts';
import { runCommand } from './run-command.ts';
import { ServerProcess } from './server-process.ts';
import type { StartedServer } from './started-server.ts';
import { newOperator, urlAs, usersOfProcesses } from './users.ts';

/** Starts the stand-in for MongoDB: PostgreSQL with DocumentDB, and the gateway in front of it. */
export async function startMongo(options: LocalServersOptions): Promise<StartedServer> {
  const port = options.ports.mongo;
  const { postgres, initdb, libraryPath, fakeTime } = options.packages;
  const data = await dataOf(options, 'postgres');
  const cluster = join(data, 'main');
  if (!existsSync(cluster)) await initialise(initdb, join(data, 'new'), cluster);
  await mkdir(join(cluster, 'pg_documentdb_cursor_files'), { recursive: true });

  const socketDir = await privateSocketDir();
  const { databaseClock, fsync } = options;
  const storage = serverProcess(options, {
    name: 'postgres',
    data,
    command: postgresCommand({
      postgres,
      libraryPath,
      cluster,
      socketDir,
      ...(fsync === undefined ? {} : { fsync }),
      ...(databaseClock === undefined ? {} : { clock: { library: fakeTime, file: databaseClock } }),
    }),
    stopSignal: 'SIGINT',
    // The gateway's hello is the probe for both: it responds once the storage does.
    ready: () => Promise.resolve(true),
  });
  const operator = newOperator();
  const users = usersOfProcesses(operator).map(({ user, password, name }) => ({
    user,
    password,
    databaseSuffix: `_${name}`,
  }));
  const gateway = new ServerProcess({
    name: 'mongo gateway',
    ...gatewayCommand({ port, socketDir, users: [operator, ...users] }),
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

/** Creates an empty cluster at `cluster`, or nothing: an interrupted start leaves no partial cluster. */
async function initialise(initdb: string, unfinished: string, cluster: string): Promise<void> {
  await rm(unfinished, { recursive: true, force: true });
  await runCommand([...asUnprivileged, 'setpriv', '--pdeathsig=KILL', ...initdbCommand(initdb, unfinished)]);
  await rename(unfinished, cluster);
}

/** Not beside the data, where the socket's path could exceed the system's limit of 107 bytes. */
async function privateSocketDir(): Promise<string> {
  const base = process.env['XDG_RUNTIME_DIR'];
  return await mkdtemp(join(base !== undefined && existsSync(base) ? base : '/tmp', 'event-commerce-'));
}
