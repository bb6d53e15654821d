import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type ContainerRuntimeClient,
  GenericContainer,
  getContainerRuntimeClient,
  ImageName,
  type StartedTestContainer,
  type WaitStrategy,
} from 'testcontainers';
import { imageOf } from './container-images.ts';
import type { ContainerEngine } from './container-engine.ts';
import { CONTAINER_SERVERS, NATS_CONFIG_FILE } from './container-servers.ts';
import { freePort } from '@event-commerce/test-kit/free-port';
import { natsConfig } from './nats-config.ts';
import { type Progress, reported } from './progress.ts';
import type { ServerName } from './server-names.ts';
import type { StartOptions } from './start-options.ts';
import type { ServerControl, StartedServer } from './started-server.ts';

const START_TIMEOUT_MS = 120_000;
const STOP_TIMEOUT_MS = 8_000;
const POLL_MS = 100;
const ALIVE_POLL_MS = 1_000;
const LABEL = 'event-commerce.data';

type Container = ReturnType<ContainerRuntimeClient['container']['getById']>;

/** The engine responds but cannot do what is needed. */
export class EngineFailed extends Error {
  override readonly name = 'EngineFailed';
}

/** The container runs, but its server does not respond. */
class ServerFailed extends Error {
  override readonly name = 'ServerFailed';
}

/**
 * Pulls missing images, and starts the servers in parallel, on 127.0.0.1 only. They stop however this process ends.
 * @throws EngineFailed if the engine cannot pull an image or run a container
 * @throws Error with the end of its log if a server does not start; the others are stopped first
 */
export async function startContainers(
  engine: ContainerEngine,
  names: readonly ServerName[],
  options: StartOptions,
): Promise<Map<ServerName, StartedServer>> {
  // testcontainers takes this from the environment only.
  Object.assign(process.env, { DOCKER_HOST: engine.host, TESTCONTAINERS_HOST_OVERRIDE: '127.0.0.1' });
  const client = await asked('the engine cannot be used', getContainerRuntimeClient);
  await pullImages(client, names, options.progress);
  return await reported(`starting ${names.join(', ')} in ${engine.name}`, options.progress, async () => {
    const label = `${hostname()}:${options.dataDir}`;
    const data = options.keepsData === true ? idOf(options.dataDir) : undefined;
    const volumeOf = (name: ServerName) => data && CONTAINER_SERVERS[name].data && `event-commerce-${data}-${name}`;
    await asked('leftovers of an earlier start cannot be removed', () =>
      removeLeftovers(client, label, names.map(volumeOf)),
    );

    const run = randomBytes(4).toString('hex');
    const containerOf = (name: ServerName) => `event-commerce-${run}-${name}`;
    endWithThisProcess(names.map(containerOf));
    const start = async (name: ServerName) =>
      [name, await startServer(client, name, containerOf(name), volumeOf(name), label, options)] as const;
    const outcomes = await Promise.allSettled(names.map(start));
    const failure = outcomes.find((outcome) => outcome.status === 'rejected');
    if (failure === undefined) {
      return new Map(outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : [])));
    }
    const remove = async (name: ServerName) =>
      await client.container.getById(containerOf(name)).remove({ force: true, v: true });
    await Promise.allSettled(names.map(remove));
    throw failure.reason;
  });
}

async function pullImages(
  client: ContainerRuntimeClient,
  names: readonly ServerName[],
  progress: Progress,
): Promise<void> {
  for (const image of names.map((name) => ImageName.fromString(imageOf(name)))) {
    const what = `the image ${image.string} cannot be pulled`;
    if (await asked(what, () => client.image.exists(image))) continue;
    await reported(`pulling the image ${image.string}, once`, progress, () =>
      asked(what, () => client.image.pull(image)),
    );
    // An interrupted pull ends like a successful one.
    if (!(await asked(what, () => client.image.exists(image)))) throw new EngineFailed(`${what} (it was interrupted)`);
  }
}

/**
 * Containers left by a start that was killed together with its guard (a power failure, say), or whose data was deleted.
 */
async function removeLeftovers(
  { container: { dockerode } }: ContainerRuntimeClient,
  label: string,
  kept: readonly (string | undefined)[],
): Promise<void> {
  const filters = { label: [`${LABEL}=${label}`] };
  const containers = await dockerode.listContainers({ all: true, filters });
  await Promise.all(containers.map(({ Id }) => dockerode.getContainer(Id).remove({ force: true, v: true })));
  const { Volumes: volumes } = await dockerode.listVolumes({ filters });
  const old = (volumes ?? []).filter(({ Name }) => !kept.includes(Name));
  await Promise.all(old.map(({ Name }) => dockerode.getVolume(Name).remove()));
}

async function startServer(
  client: ContainerRuntimeClient,
  name: ServerName,
  containerName: string,
  volume: string | undefined,
  label: string,
  options: StartOptions,
): Promise<StartedServer> {
  const server = CONTAINER_SERVERS[name];
  const labels = { [LABEL]: label };
  const port = options.ports?.[name] ?? (await freePort());
  const container = new LoopbackContainer(imageOf(name))
    .withName(containerName)
    .withLabels(labels)
    .withCommand([...server.command])
    // The engine would choose a different port after a restart.
    .withExposedPorts({ container: server.port, host: port })
    .withWaitStrategy(answering(name, port))
    // Its reaper would be one more image to pull, and a container with full privileges. The guard needs neither.
    .withAutoCleanup(false);
  if (name === 'nats') {
    const content = natsConfig({ listen: '0.0.0.0:4222', storeDir: '/data', operators: options.natsOperators });
    container.withCopyContentToContainer([{ content, target: NATS_CONFIG_FILE }]);
  }
  const started = await asked(`the image ${imageOf(name)} cannot be run`, async () => {
    if (volume !== undefined && server.data !== undefined) {
      // An existing volume is kept.
      await client.container.dockerode.createVolume({ Name: volume, Labels: labels });
      container.withBindMounts([{ source: volume, target: server.data }]);
    }
    return await container.start();
  });
  return {
    url: server.url(port),
    control: controlOf(started, client.container.getById(containerName)),
    async stop() {
      await started.stop({ timeout: STOP_TIMEOUT_MS });
    },
  };
}

/** testcontainers publishes ports on every address of the machine, and these servers ask for no password. */
class LoopbackContainer extends GenericContainer {
  protected override async beforeContainerCreated(): Promise<void> {
    const published = Object.values((this.hostConfig.PortBindings ?? {}) as Record<string, { HostIp?: string }[]>);
    for (const binding of published.flat()) binding.HostIp = '127.0.0.1';
  }
}

/**
 * Waits until the server responds on the host. testcontainers' own check runs inside the container and needs a shell.
 */
function answering(name: ServerName, port: number): WaitStrategy {
  const strategy: WaitStrategy = {
    async waitUntilReady(container) {
      const beganMs = Date.now();
      let askedAtMs = beganMs;
      while (!(await CONTAINER_SERVERS[name].ready(port))) {
        if (Date.now() - askedAtMs > ALIVE_POLL_MS) {
          askedAtMs = Date.now();
          const { State: state } = await container.inspect();
          if (!state.Running) throw new ServerFailed(`${name} ended. ${await endOfLog(container)}`);
        }
        if (Date.now() - beganMs > START_TIMEOUT_MS) {
          const late = `${name} did not respond on 127.0.0.1:${port} within ${START_TIMEOUT_MS / 1000} s`;
          throw new ServerFailed(`${late}. ${await endOfLog(container)}`);
        }
        await delay(POLL_MS);
      }
    },
    withStartupTimeout: () => strategy,
    isStartupTimeoutSet: () => true,
    getStartupTimeout: () => START_TIMEOUT_MS,
  };
  return strategy;
}

async function endOfLog(container: Container): Promise<string> {
  const frames = await container.logs({ follow: false, stdout: true, stderr: true, tail: 15 });
  // Each frame has an 8-byte header whose last four bytes are its length.
  let log = '';
  for (let at = 0; at + 8 <= frames.length;) {
    const end = at + 8 + frames.readUInt32BE(at + 4);
    log += frames.toString('utf8', at + 8, end);
    at = end;
  }
  return `The end of its log:\n${log.trimEnd()}`;
}

function controlOf(started: StartedTestContainer, container: Container): ServerControl {
  return {
    pid: undefined,
    async kill9() {
      await container.kill({ signal: 'SIGKILL' });
    },
    async restart() {
      await started.restart({ timeout: STOP_TIMEOUT_MS });
    },
    async pause() {
      await container.pause();
    },
    async resume() {
      await container.unpause();
    },
  };
}

function endWithThisProcess(containers: readonly string[]): void {
  const script = join(import.meta.dirname, 'end-containers.ts');
  const guard = spawn(process.execPath, [script, ...containers], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  // Its end of the pipe closes with this process. Until then neither keeps this process alive.
  guard.unref();
  (guard.stdin as Socket).unref();
}

/**
 * Identifies the volumes of a data directory. It is deleted with the directory, so the next start gets empty volumes.
 */
function idOf(dataDir: string): string {
  const file = join(dataDir, 'containers-id');
  if (existsSync(file)) return readFileSync(file, 'utf8').trim();
  const id = randomBytes(6).toString('hex');
  writeFileSync(file, `${id}\n`);
  return id;
}

async function asked<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof ServerFailed) throw cause;
    const said = (cause as Error).message.replace(/^\(HTTP code \d+\) [\w ]+ - /, '').trim();
    throw new EngineFailed(`${what} (${said})`, { cause });
  }
}
