import type { ServerName } from './server-names.ts';

/**
 * The server images. A test checks that docker-compose.yml and deploy/k8s use the same. Tags of a series, so that a
 * pull brings security fixes.
 */
export const CONTAINER_IMAGES: Readonly<Record<ServerName, string>> = {
  mongo: 'mongo:8.0',
  nats: 'nats:2.15-alpine',
  redis: 'redis:8.10-alpine',
};
