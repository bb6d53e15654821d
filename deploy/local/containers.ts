import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { CONTAINER_IMAGES } from './container-images.ts';
import { type ContainerEngine, lastLine } from './container-engine.ts';
import { freePort } from './free-port.ts';
import type { InfrastructureOptions, ServerControl, ServerName, StartedServer } from './infrastructure.ts';
import { natsConfig } from './nats-config.ts';
import { mongoAnswers, mongoCommand, natsAnswers, redisAnswers } from './probe.ts';
import { type Progress, reported } from './progress.ts';
import { CommandFailed } from './run-command.ts';

/** The servers as containers, on ports of 127.0.0.1 only. They end with this process, however it ends; their volumes stay. */

const START_TIMEOUT_MS = 120_000;
const STOP_TIMEOUT_S = 8;
const POLL_MS = 100;
const ALIVE_POLL_MS = 1_000;
const LABEL = 'event-commerce.data';
const NATS_CONFIG = '/event-commerce.conf';

/** The engine answers, and cannot do what is needed. */
export class EngineFailed extends Error {
  override readonly name = 'EngineFailed';
}

interface Server {
  readonly port: number;
  readonly command: readonly string[];
  /** Where the data that has to stay is. */
  readonly data?: string;
  readonly url: (port: number) => string;
  /** Whether it answers on the host's `port`. */
  readonly ready: (port: number) => Promise<boolean>;
}

const servers: Readonly<Record<ServerName, Server>> = {
  mongo: {
    port: 27_017,
    // Transactions need a replica set, if only of one.
    command: ['mongod', '--replSet', 'rs0', '--bind_ip_all', '--wiredTigerCacheSizeGB', '0.5'],
    data: '/data/db',
    // The member's name is only good inside the container, so the driver must not look for it.
    url: (port) => `mongodb://127.0.0.1:${port}/?directConnection=true`,
    async ready(port) {
      if (await mongoAnswers(port)) return true;
      const hello = await mongoCommand(port, { hello: 1 });
      if (hello?.['isreplicaset'] === true) {
        const config = { _id: 'rs0', members: [{ _id: 0, host: '127.0.0.1:27017' }] };
        await mongoCommand(port, { replSetInitiate: config });
      }
      return false;
    },
  },
  nats: {
    port: 4222,
    command: ['--config', NATS_CONFIG],
    data: '/data',
    url: (port) => `nats://127.0.0.1:${port}`,
    ready: natsAnswers,
  },
  redis: {
    port: 6379,
    command: ['redis-server'],
    url: (port) => `redis://127.0.0.1:${port}`,
    ready: redisAnswers,
  },
};

/** Fetches the images that the engine does not have yet. @throws EngineFailed that says why one cannot be had */
export async function pullImages(
  engine: ContainerEngine,
  names: readonly ServerName[],
  progress: Progress,
): Promise<void> {
  for (const name of names) {
    const image = qualified(name);
    try {
      await engine.run('image', 'inspect', '--format={{.Id}}', image);
    } catch {
      await reported(`pulling the image ${CONTAINER_IMAGES[name]}, once`, progress, () =>
        asked(`the image ${CONTAINER_IMAGES[name]} cannot be pulled`, () => engine.run('pull', '--quiet', image)),
      );
    }
  }
}

/**
 * @throws EngineFailed if the engine does not run a container
 * @throws Error with the end of its log if a server does not come up; the others are stopped then
 */
export async function startContainers(
  engine: ContainerEngine,
  names: readonly ServerName[],
  options: InfrastructureOptions,
): Promise<Map<ServerName, StartedServer>> {
  return reported(`starting ${names.join(', ')} in ${engine.name}`, options.progress, async () => {
    const run = new Run(engine, options, names);
    await run.removeLeftovers();
    const outcomes = await Promise.allSettled(names.map(async (name) => [name, await run.start(name)] as const));
    const started = new Map(outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : [])));
    const failure = outcomes.find((outcome) => outcome.status === 'rejected');
    if (failure === undefined) return started;
    await Promise.all([...started.values()].map((server) => server.stop()));
    throw failure.reason;
  });
}

class Run {
  readonly #engine: ContainerEngine;
  readonly #options: InfrastructureOptions;
  readonly #label: string;
  readonly #containers: ReadonlyMap<ServerName, string>;
  readonly #volumes: ReadonlyMap<ServerName, string>;

  constructor(engine: ContainerEngine, options: InfrastructureOptions, names: readonly ServerName[]) {
    this.#engine = engine;
    this.#options = options;
    this.#label = `${LABEL}=${hostname()}:${options.dataDir}`;
    const run = randomBytes(4).toString('hex');
    const data = idOf(options.dataDir);
    this.#containers = new Map(names.map((name) => [name, `event-commerce-${run}-${name}`]));
    this.#volumes = new Map(
      names.filter((name) => servers[name].data).map((name) => [name, `event-commerce-${data}-${name}`]),
    );
    this.#endContainersWithThisProcess();
  }

  /** Of starts that ended badly together with their guard, such as a machine that lost power, and of data that was deleted. */
  async removeLeftovers(): Promise<void> {
    const filter = `--filter=label=${this.#label}`;
    const listed = async (...args: string[]) =>
      (await this.#ask('listing containers', ...args, filter)).split('\n').filter(Boolean);
    const [containers, volumes] = await Promise.all([
      listed('ps', '--all', '--quiet'),
      listed('volume', 'ls', '--quiet'),
    ]);
    if (containers.length > 0) await this.#ask('removing old containers', 'rm', '--force', '--volumes', ...containers);
    const kept = new Set(this.#volumes.values());
    const old = volumes.filter((volume) => !kept.has(volume));
    if (old.length > 0) await this.#ask('removing old volumes', 'volume', 'rm', ...old);
  }

  async start(name: ServerName): Promise<StartedServer> {
    const server = servers[name];
    const container = this.#containers.get(name) ?? '';
    const port = this.#options.ports?.[name] ?? (await freePort());
    const volume = this.#volumes.get(name);
    const what = `the image ${CONTAINER_IMAGES[name]} cannot be run`;
    const labels = ['--label', this.#label];
    // An empty volume that is there already stays as it is.
    if (volume !== undefined) await this.#ask(what, 'volume', 'create', ...labels, volume);
    const options = ['--name', container, ...labels, '--publish', `127.0.0.1:${port}:${server.port}`];
    if (volume !== undefined) options.push('--volume', `${volume}:${server.data}`);
    await this.#ask(what, 'create', ...options, qualified(name), ...server.command);
    if (name === 'nats') await this.#copyNatsConfig(container);
    const stop = async (): Promise<void> => {
      await this.#engine.run('stop', '--time', String(STOP_TIMEOUT_S), container);
      await this.#engine.run('rm', '--force', '--volumes', container);
    };
    try {
      await this.#ask(what, 'start', container);
      await this.#answering(name, port, container);
    } catch (error) {
      await stop().catch(() => undefined);
      throw error;
    }
    return { url: server.url(port), control: this.#controlOf(name, port, container), stop };
  }

  /** Asked in the server's own protocol, since an image need not have a shell to ask with. */
  async #answering(name: ServerName, port: number, container: string): Promise<void> {
    const startedAtMs = Date.now();
    let askedAtMs = startedAtMs;
    while (!(await servers[name].ready(port))) {
      if (Date.now() - askedAtMs > ALIVE_POLL_MS) {
        askedAtMs = Date.now();
        const running = await this.#engine.run('inspect', '--format={{.State.Running}}', container);
        if (running.trim() !== 'true') throw new Error(`${name} ended. ${await this.#logOf(container)}`);
      }
      if (Date.now() - startedAtMs > START_TIMEOUT_MS) {
        const seconds = START_TIMEOUT_MS / 1000;
        throw new Error(
          `${name} did not answer on 127.0.0.1:${port} within ${seconds} s. ${await this.#logOf(container)}`,
        );
      }
      await delay(POLL_MS);
    }
  }

  async #logOf(container: string): Promise<string> {
    const log = await this.#engine.run('logs', '--tail', '15', container).catch((error: unknown) => String(error));
    return `The end of its log:\n${log.trimEnd()}`;
  }

  async #copyNatsConfig(container: string): Promise<void> {
    const directory = await mkdtemp(join(tmpdir(), 'event-commerce-nats-'));
    try {
      const file = join(directory, 'nats.conf');
      await writeFile(file, natsConfig({ listen: '0.0.0.0:4222', storeDir: '/data', users: this.#options.natsUsers }));
      await this.#ask('copying a file into a container', 'cp', file, `${container}:${NATS_CONFIG}`);
    } finally {
      await rm(directory, { recursive: true });
    }
  }

  #controlOf(name: ServerName, port: number, container: string): ServerControl {
    const engine = this.#engine;
    const answering = async (): Promise<void> => await this.#answering(name, port, container);
    return {
      pid: undefined,
      async kill9() {
        await engine.run('kill', '--signal', 'KILL', container);
      },
      async restart() {
        await engine.run('restart', '--time', String(STOP_TIMEOUT_S), container);
        await answering();
      },
      async pause() {
        await engine.run('pause', container);
      },
      async resume() {
        await engine.run('unpause', container);
      },
    };
  }

  #endContainersWithThisProcess(): void {
    const lists = [this.#containers, this.#volumes].map((map) => [...map.values()].join(','));
    const script = join(import.meta.dirname, 'end-containers.ts');
    const guard = spawn(process.execPath, [script, this.#engine.command, this.#options.dataDir, ...lists], {
      env: this.#engine.env,
      stdio: ['pipe', 'ignore', 'ignore'],
      detached: true,
    });
    // Its end of the pipe closes with this process; until then neither keeps this process alive.
    guard.unref();
    (guard.stdin as Socket).unref();
  }

  async #ask(what: string, ...args: string[]): Promise<string> {
    return await asked(what, () => this.#engine.run(...args));
  }
}

/** Podman does not know where an image without a registry's name comes from. */
function qualified(name: ServerName): string {
  return `docker.io/library/${CONTAINER_IMAGES[name]}`;
}

/** Names the volumes of a data directory. Deleted together with it: whoever does that begins with empty volumes. */
function idOf(dataDir: string): string {
  const file = join(dataDir, 'containers-id');
  if (existsSync(file)) return readFileSync(file, 'utf8').trim();
  const id = randomBytes(6).toString('hex');
  writeFileSync(file, `${id}\n`);
  return id;
}

async function asked(what: string, work: () => Promise<string>): Promise<string> {
  try {
    return await work();
  } catch (cause) {
    const said = cause instanceof CommandFailed && cause.output !== '' ? cause.output : (cause as Error).message;
    throw new EngineFailed(`${what} (${lastLine(said)})`, { cause });
  }
}
