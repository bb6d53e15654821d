import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { controlOf, dataOf, type LocalServersOptions, serverProcess } from './local-server.ts';
import { natsConfig } from './nats-config.ts';
import { natsAnswers, redisAnswers } from './probe.ts';
import { reported } from './progress.ts';
import type { ServerName } from './server-names.ts';
import { startMongo } from './start-mongo.ts';
import type { StartedServer } from './started-server.ts';

/**
 * Starts the named servers in parallel, from Debian's packages, as processes of this user.
 *
 * @throws Error if one does not start; the others are stopped first
 */
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
  const config = natsConfig({
    listen,
    storeDir: join(data, 'jetstream'),
    operators: options.natsOperators,
    fsync: options.fsync,
  });
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
