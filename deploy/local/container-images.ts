import type { ServerName } from './infrastructure.ts';

/**
 * The images of the servers: here, in docker-compose.yml and in deploy/k8s the same, as a test beside this file guards. Tags of a
 * series, so that a pull brings its security fixes.
 */
export const CONTAINER_IMAGES: Readonly<Record<ServerName, string>> = {
  mongo: 'mongo:8.0',
  nats: 'nats:2.15-alpine',
  redis: 'redis:8.10-alpine',
};
