import { mongoAnswers, mongoCommand, natsAnswers, redisAnswers } from './probe.ts';
import type { ServerName } from './server-names.ts';

/** How to run each server in a container, and how to check from outside that it responds. */

interface ContainerServer {
  readonly port: number;
  readonly command: readonly string[];
  /** The directory of the data to keep. */
  readonly data?: string;
  readonly url: (port: number) => string;
  /** Whether the server responds on the host's `port`, in its own protocol: an image may lack a shell. */
  readonly ready: (port: number) => Promise<boolean>;
}

export const NATS_CONFIG_FILE = '/event-commerce.conf';

export const CONTAINER_SERVERS: Readonly<Record<ServerName, ContainerServer>> = {
  mongo: {
    port: 27_017,
    // Transactions need a replica set, even one of a single member. The parameters abort a killed process's transaction
    // soon, as in a deployment, and let tests make commands fail.
    command: [
      'mongod',
      '--replSet=rs0',
      '--bind_ip_all',
      '--wiredTigerCacheSizeGB=0.5',
      '--setParameter=transactionLifetimeLimitSeconds=5',
      '--setParameter=enableTestCommands=1',
    ],
    data: '/data/db',
    // The member's name only resolves inside the container, so the driver must not look it up.
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
