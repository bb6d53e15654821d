import { randomBytes, randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import { inject } from 'vitest';

/** A user of the test run's Redis, whom a test can lock out. */
export async function newRedisUser() {
  const redis = new Redis(inject('redisUrl'));
  const [name, password] = [`test-${randomUUID()}`, randomBytes(24).toString('base64url')];
  await redis.call('ACL', 'SETUSER', name, 'on', `>${password}`, '~*', '&*', '+@all');
  const url = Object.assign(new URL(inject('redisUrl')), { username: name, password }).href;
  return {
    url,
    password,
    lockOut: async () => {
      await redis.call('ACL', 'SETUSER', name, 'off');
      await redis.call('CLIENT', 'KILL', 'USER', name);
    },
    letIn: async () => void (await redis.call('ACL', 'SETUSER', name, 'on')),
    remove: async () => {
      await redis.call('ACL', 'DELUSER', name);
      redis.disconnect();
    },
  };
}

export type RedisUser = Awaited<ReturnType<typeof newRedisUser>>;
