import type { ServerName } from './infrastructure.ts';
import { mongoAnswers, mongoCommand, natsAnswers, redisAnswers } from './probe.ts';

/** What a container of each server is told, and how one knows from outside that the server in it answers. */

export interface ContainerServer {
  readonly port: number;
  readonly command: readonly string[];
  /** Where the data that has to stay is. */
  readonly data?: string;
  readonly url: (port: number) => string;
  /** Whether it answers on the host's `port`, asked in its own protocol: an image need not have a shell to ask with. */
  readonly ready: (port: number) => Promise<boolean>;
}

export const NATS_CONFIG_FILE = '/event-commerce.conf';

export const CONTAINER_SERVERS: Readonly<Record<ServerName, ContainerServer>> = {
  mongo: {
    port: 27_017,
    // Transactions need a replica set, if only of one.
    // A killed process's transaction ends soon, as in a deployment; and tests can let commands fail.
    command: [
      'mongod',
      '--replSet=rs0',
      '--bind_ip_all',
      '--wiredTigerCacheSizeGB=0.5',
      '--setParameter=transactionLifetimeLimitSeconds=5',
      '--setParameter=enableTestCommands=1',
    ],
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
    command: ['--config', NATS_CONFIG_FILE],
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
