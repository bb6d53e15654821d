import { EventEmitter, once } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import type { BusConnection } from '@event-commerce/bus';
import { recordNotice } from '@event-commerce/contracts';
import { expect, test } from 'vitest';
import { invalidatedCache } from './invalidated-cache.ts';

const tenant = recordNotice.shape.tenant.parse('acme');

function newCache() {
  const connection = new EventEmitter();
  let deliver: (message: { string: () => string }) => void = () => undefined;
  const nats = {
    subscribe: (_subject: string, options: { callback: (error: null, message: { string: () => string }) => void }) => {
      deliver = (message) => options.callback(null, message);
    },
    async *status() {
      while (true) yield await once(connection, 'status').then(([type]) => ({ type }));
    },
  };
  const known = invalidatedCache<{ version: number; tags?: string[] }>(
    { nats } as unknown as BusConnection,
    'broadcast.events.offering-changed',
  );
  return {
    notice: (version: number) => deliver({ string: () => JSON.stringify({ tenant, id: 'off_1', version }) }),
    reply: (version?: number, askedAtMs = performance.now()) =>
      known.learn(tenant, 'off_1', { record: version === undefined ? undefined : { version }, askedAtMs }),
    known,
    /** Resolves when the observers of the connection know that it is in `state`. */
    become: async (state: 'disconnect' | 'reconnect') => {
      connection.emit('status', state);
      await turn();
    },
    held: () => known.get(tenant, 'off_1')?.record?.version,
  };
}

test('a reply that was overtaken by the notice of a change is not remembered', () => {
  const cache = newCache();
  cache.notice(2);
  cache.reply(1);
  expect(cache.held()).toBeUndefined();
  cache.reply(2);
  expect(cache.held()).toBe(2);
});

test('a reply that was overtaken by a newer reply does not replace it', () => {
  const cache = newCache();
  cache.notice(2);
  cache.reply(2);
  for (const late of [1, undefined]) {
    cache.reply(late);
    expect(cache.held()).toBe(2);
  }
  cache.reply(3);
  expect(cache.held()).toBe(3);
});

test('a notice that was overtaken by a newer one, or by its reply, lets no older reply in', () => {
  const cache = newCache();
  cache.notice(3);
  cache.notice(2);
  cache.reply(2);
  expect(cache.held()).toBeUndefined();
  cache.reply(3);
  cache.notice(2);
  cache.reply(2);
  expect(cache.held()).toBeUndefined();
  cache.reply(3);
  expect(cache.held()).toBe(3);
});

test('everything is forgotten when the broker is back', async () => {
  const cache = newCache();
  cache.reply(1);
  await cache.become('disconnect');
  expect(cache.held()).toBe(1);
  await cache.become('reconnect');
  expect(cache.held()).toBeUndefined();
  cache.reply(1);
  expect(cache.held()).toBe(1);
});

test('a reply to a request from before the broker was back is not remembered: notices may have been lost', async () => {
  const cache = newCache();
  const askedAtMs = performance.now();
  await cache.become('disconnect');
  await cache.become('reconnect');
  cache.reply(1, askedAtMs);
  expect(cache.held()).toBeUndefined();
  cache.reply(1);
  expect(cache.held()).toBe(1);
});

test('large records are remembered within a limit of memory, the latest ones first', () => {
  const { known } = newCache();
  const ids = Array.from({ length: 50 }, (_, n) => `off_${n}`);
  const askedAtMs = performance.now();
  for (const id of ids) known.learn(tenant, id, { record: { version: 1, tags: ['x'.repeat(2_000_000)] }, askedAtMs });
  const held = ids.filter((id) => known.get(tenant, id) !== undefined);
  expect(held).toEqual(ids.slice(-11));
});
