import type { ServerName } from './server-names.ts';

/**
 * The server images. A test checks that docker-compose.yml and deploy/helm use the same. Tags of a series, so that a
 * pull brings security fixes.
 */
export const CONTAINER_IMAGES: Readonly<Record<ServerName, string>> = {
  mongo: 'mongo:8.0',
  nats: 'nats:2.15-alpine',
  redis: 'redis:8.10-alpine',
};

/** The image to run: another one if `MONGO_IMAGE`, `NATS_IMAGE` or `REDIS_IMAGE` names it, such as an older release. */
export function imageOf(name: ServerName): string {
  return process.env[`${name.toUpperCase()}_IMAGE`] || CONTAINER_IMAGES[name];
}
