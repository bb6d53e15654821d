import { describe, expect, it } from 'vitest';
import { REDIS_URL, serversIn } from './redis-url.ts';

describe('the URL of Redis', () => {
  it.each(['redis://127.0.0.1:6379', 'rediss://u:p@redis.internal:6379/0', 'redis://:secret@redis?family=6'])(
    'may name one server: %s',
    (url) => {
      expect(url).toMatch(REDIS_URL);
      expect(serversIn(url)).toBeUndefined();
    },
  );

  it('may name sentinels, the primary, both passwords and TLS', () => {
    const url = 'rediss+sentinel://gateway:p%40ss@a.internal,b.internal:26380/main?sentinelPassword=s%2Fs';
    expect(url).toMatch(REDIS_URL);
    expect(serversIn(url)).toEqual({
      kind: 'sentinel',
      servers: [
        { host: 'a.internal', port: 26_379 },
        { host: 'b.internal', port: 26_380 },
      ],
      name: 'main',
      login: { username: 'gateway', password: 'p@ss' },
      usesTls: true,
      sentinelPassword: 's/s',
    });
  });

  it('may name servers of a cluster, by addresses of either kind', () => {
    const url = 'redis+cluster://:secret@10.0.0.1:7000,[fd00::1]:7001';
    expect(url).toMatch(REDIS_URL);
    expect(serversIn(url)).toMatchObject({
      kind: 'cluster',
      servers: [
        { host: '10.0.0.1', port: 7000 },
        { host: 'fd00::1', port: 7001 },
      ],
      login: { password: 'secret' },
      usesTls: false,
    });
  });

  it.each(['', 'http://redis', 'redis+other://redis', 'redis://', '<rediss://USER:PASSWORD@HOST:6379>'])(
    'cannot be %j',
    (url) => {
      expect(url).not.toMatch(REDIS_URL);
    },
  );
});
