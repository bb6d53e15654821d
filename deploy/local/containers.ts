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
import { CONTAINER_IMAGES } from './container-images.ts';
import type { ContainerEngine } from './container-engine.ts';
import { CONTAINER_SERVERS, NATS_CONFIG_FILE } from './container-servers.ts';
import { freePort } from '@event-commerce/test-kit/free-port';
import type { ServerControl, ServerName, StartedServer, StartOptions } from './infrastructure.ts';
import { natsConfig } from './nats-config.ts';
import { type Progress, reported } from './progress.ts';

/** The servers as containers, on ports of 127.0.0.1 only. They end with this process, however it ends. */

const START_TIMEOUT_MS = 120_000;
const STOP_TIMEOUT_MS = 8_000;
const POLL_MS = 100;
const ALIVE_POLL_MS = 1_000;
const LABEL = 'event-commerce.data';

type Container = ReturnType<ContainerRuntimeClient['container']['getById']>;

/** The engine answers, and cannot do what is needed. */
export class EngineFailed extends Error {
  override readonly name = 'EngineFailed';
}

/** A container runs, and the server in it does not answer. */
class ServerFailed extends Error {
  override readonly name = 'ServerFailed';
}

/**
 * Fetches the images that are not there yet, and starts the servers side by side.
 * @throws EngineFailed if the engine cannot fetch an image or does not run a container
 * @throws Error with the end of its log if a server does not come up; the others are stopped then
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
    await asked('what an earlier start left cannot be removed', () =>
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
  for (const image of names.map((name) => ImageName.fromString(CONTAINER_IMAGES[name]))) {
    const what = `the image ${image.string} cannot be pulled`;
    if (await asked(what, () => client.image.exists(image))) continue;
    await reported(`pulling the image ${image.string}, once`, progress, () =>
      asked(what, () => client.image.pull(image)),
    );
    // A pull that breaks off on the way ends like one that succeeds.
    if (!(await asked(what, () => client.image.exists(image)))) throw new EngineFailed(`${what} (it broke off)`);
  }
}

/** Of starts that ended badly together with their guard, such as a machine that lost power, and of data that was deleted. */
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
  const container = new LoopbackContainer(CONTAINER_IMAGES[name])
    .withName(containerName)
    .withLabels(labels)
    .withCommand([...server.command])
    // A port that the engine chose would be another one after a restart.
    .withExposedPorts({ container: server.port, host: port })
    .withWaitStrategy(answering(name, port))
    // Its reaper is one more image to fetch, and a container that may do everything; the guard does the same without.
    .withAutoCleanup(false);
  if (name === 'nats') {
    const content = natsConfig({ listen: '0.0.0.0:4222', storeDir: '/data', operators: options.natsOperators });
    container.withCopyContentToContainer([{ content, target: NATS_CONFIG_FILE }]);
  }
  const started = await asked(`the image ${CONTAINER_IMAGES[name]} cannot be run`, async () => {
    if (volume !== undefined && server.data !== undefined) {
      // One that is there already stays as it is.
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

/** Until the server answers on the host. testcontainers' own wait for a port looks inside, with a shell. */
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
          const late = `${name} did not answer on 127.0.0.1:${port} within ${START_TIMEOUT_MS / 1000} s`;
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
  // Each has a head of 8 bytes, of which the last four are its length.
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
  // Its end of the pipe closes with this process; until then neither keeps this process alive.
  guard.unref();
  (guard.stdin as Socket).unref();
}

/** Names the volumes of a data directory. Deleted together with it: whoever does that begins with empty volumes. */
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
