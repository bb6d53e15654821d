import { parseArgs } from 'node:util';
import { startInfrastructure, type ServerName } from './infrastructure.ts';

/**
 * The servers alone: `node infra.ts --data DIR [--mongo-port N] [--nats-port N] [--redis-port N]`, until SIGINT or
 * SIGTERM.
 */

const { values } = parseArgs({
  options: {
    data: { type: 'string', default: '.data' },
    'mongo-port': { type: 'string' },
    'nats-port': { type: 'string' },
    'redis-port': { type: 'string' },
  },
});
const ports: Partial<Record<ServerName, number>> = {};
if (values['mongo-port'] !== undefined) ports.mongo = Number(values['mongo-port']);
if (values['nats-port'] !== undefined) ports.nats = Number(values['nats-port']);
if (values['redis-port'] !== undefined) ports.redis = Number(values['redis-port']);

const infrastructure = await startInfrastructure({
  dataDir: values.data,
  keepsData: true,
  env: process.env,
  progress: (line) => console.error(line),
  ports,
});
const asked = new Promise<void>((resolve) => {
  const waiting = setInterval(() => undefined, 2 ** 30);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      clearInterval(waiting);
      resolve();
    });
  }
});
console.log(`export MONGO_URL=${infrastructure.mongoUrl}`);
console.log(`export NATS_URL=${infrastructure.natsUrl}`);
console.log(`export REDIS_URL=${infrastructure.redisUrl}`);
await asked;
await infrastructure.stop();
