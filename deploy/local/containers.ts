import { setTimeout as delay } from 'node:timers/promises';
import { GenericContainer, getContainerRuntimeClient, type StartedTestContainer } from 'testcontainers';
import type { InfrastructureOptions, ServerControl, ServerName, StartedServer } from './infrastructure.ts';
import { natsAccounts } from './nats-accounts.ts';
import { freePort } from './free-port.ts';
import { mongoAnswers, natsAnswers, redisAnswers } from './probe.ts';
import { reported } from './progress.ts';

/** The servers as containers; testcontainers removes them when this process ends, however it ends. */

const startWithinMs = 180_000;
const pollMs = 100;

interface Image {
  readonly image: string;
  readonly port: number;
  readonly command: string[];
  readonly files?: (natsUsers: readonly string[] | undefined) => { content: string; target: string }[];
  readonly answers: (port: number, host: string) => Promise<boolean>;
  readonly url: (host: string, port: number) => string;
  /** Once, after the first start. */
  readonly prepare?: (container: StartedTestContainer) => Promise<void>;
}

const images: Readonly<Record<ServerName, Image>> = {
  mongo: {
    image: 'mongo:8',
    port: 27_017,
    // Transactions need a replica set, if only of one.
    command: ['--replSet', 'rs0', '--bind_ip_all'],
    answers: mongoAnswers,
    // The member's name is only good inside the container, so the driver must not look for it.
    url: (host, port) => `mongodb://${host}:${port}/?directConnection=true`,
    prepare: initiateReplicaSet,
  },
  nats: {
    image: 'nats:2',
    port: 4222,
    command: ['--config', '/etc/nats/broker.conf'],
    files: (users) => [
      {
        content: ['max_payload: 2MB', 'jetstream { store_dir: "/data" }', ...natsAccounts(users)].join('\n'),
        target: '/etc/nats/broker.conf',
      },
    ],
    answers: natsAnswers,
    url: (host, port) => `nats://${host}:${port}`,
  },
  redis: {
    image: 'redis:8',
    port: 6379,
    command: [],
    answers: redisAnswers,
    url: (host, port) => `redis://${host}:${port}`,
  },
};

/** @throws Error if one does not come up; the others are stopped then */
export async function startContainers(
  names: readonly ServerName[],
  { ports = {}, progress, natsUsers }: Pick<InfrastructureOptions, 'ports' | 'progress' | 'natsUsers'>,
): Promise<Map<ServerName, StartedServer>> {
  return reported(`starting ${names.join(', ')} as containers`, progress, async () => {
    const outcomes = await Promise.allSettled(
      names.map((name) => startContainer(images[name], ports[name], natsUsers)),
    );
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

async function startContainer(
  image: Image,
  fixedPort: number | undefined,
  natsUsers: readonly string[] | undefined,
): Promise<StartedServer> {
  // A fixed host port, because one that the engine chooses changes at a restart.
  const port = fixedPort ?? (await freePort());
  const container = await new GenericContainer(image.image)
    .withCommand(image.command)
    .withExposedPorts({ container: image.port, host: port })
    .withStartupTimeout(startWithinMs)
    .withCopyContentToContainer(image.files?.(natsUsers) ?? [])
    .start();
  const host = container.getHost();
  const answering = async (): Promise<void> => {
    const startedAtMs = Date.now();
    while (!(await image.answers(port, host))) {
      if (Date.now() - startedAtMs > startWithinMs) throw new Error(`${image.image} does not answer on port ${port}`);
      await delay(pollMs);
    }
  };
  const stop = async (): Promise<void> => {
    await container.stop({ timeout: 8000 });
  };
  try {
    await image.prepare?.(container);
    await answering();
  } catch (error) {
    await stop();
    throw error;
  }
  return { url: image.url(host, port), control: await controlOf(container, answering), stop };
}

async function initiateReplicaSet(container: StartedTestContainer): Promise<void> {
  const script = "rs.initiate({ _id: 'rs0', members: [{ _id: 0, host: '127.0.0.1:27017' }] })";
  const { exitCode, output } = await container.exec(['mongosh', '--quiet', '--eval', script]);
  if (exitCode !== 0) throw new Error(`could not make mongo a replica set: ${output}`);
}

async function controlOf(container: StartedTestContainer, answering: () => Promise<void>): Promise<ServerControl> {
  const engine = await getContainerRuntimeClient();
  const handle = engine.container.getById(container.getId());
  return {
    pid: undefined,
    async kill9() {
      await handle.kill({ signal: 'SIGKILL' });
    },
    async restart() {
      await handle.restart({ t: 8 });
      await answering();
    },
    async pause() {
      await handle.pause();
    },
    async resume() {
      await handle.unpause();
    },
  };
}
