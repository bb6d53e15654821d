import { expect, test } from 'vitest';
import type { Logger } from '@event-commerce/service-kit';
import type { ApiKey } from '../keys/api-key.ts';
import { createKnownKeys } from './known-keys.ts';

const LIMIT = { perSecond: 1, burst: 1 };

/** A store that finds a key under any id, and a clock that stands still. */
function underTest() {
  const state = { now: 1_000_000, lookUps: 0, changed: new Map<string, number>(), down: false };
  const keyOf = (id: string): ApiKey => ({
    id,
    companyId: 'acme',
    name: id,
    scopes: [],
    environment: 'test',
    rateLimit: null,
    shared: null,
    secretHash: Buffer.alloc(0),
    created: new Date(0),
    createdBy: 'root',
    originalId: null,
    lastUsed: null,
    expires: null,
    revoked: null,
    rotatedTo: null,
    version: 1,
  });
  const knownKeys = createKnownKeys({
    repository: {
      findById: async (id) => {
        state.lookUps += 1;
        return keyOf(id);
      },
      changedWithin: async (ms) => {
        if (state.down) throw new Error('down');
        return new Map([...state.changed].filter(([, at]) => at > state.now - ms));
      },
      touch: async () => undefined,
    },
    defaultRateLimit: LIMIT,
    companyRateLimit: LIMIT,
    clock: () => state.now,
    logger: { debug: () => undefined, warn: () => undefined } as unknown as Logger,
  });
  return { state, knownKeys };
}

test('a key in use is looked up once, as long as the changes of all keys can be read', async () => {
  const { state, knownKeys } = underTest();
  await Promise.all(['a', 'b', 'c'].map(async (id) => knownKeys.find(id)));
  for (let second = 0; second < 50; second++) {
    state.now += 1_000;
    await knownKeys.readChanges();
    for (const id of ['a', 'b', 'c']) expect(knownKeys.find(id)).not.toBeInstanceOf(Promise);
  }
  expect(state.lookUps).toBe(3);
});

test('a key that changed is looked up once after the next read of changes, however often the change is read', async () => {
  const { state, knownKeys } = underTest();
  await Promise.all(['a', 'b'].map(async (id) => knownKeys.find(id)));
  state.changed.set('a', state.now);
  for (let second = 0; second < 3; second++) {
    state.now += 1_000;
    await knownKeys.readChanges();
    await knownKeys.find('a');
    await knownKeys.find('b');
  }
  expect(state.lookUps).toBe(3);
});

test('every record is looked up again if changes could not be read for so long that some are missed', async () => {
  const { state, knownKeys } = underTest();
  await knownKeys.find('a');
  await knownKeys.readChanges();
  state.down = true;
  state.changed.set('a', state.now + 1_000);
  for (let second = 0; second < 125; second++) {
    state.now += 1_000;
    await knownKeys.readChanges();
  }
  state.down = false;
  await knownKeys.readChanges();
  expect(knownKeys.find('a')).toBeInstanceOf(Promise);
});

test('while changes cannot be read, a record is not trusted for longer than five seconds', async () => {
  const { state, knownKeys } = underTest();
  await knownKeys.find('a');
  await knownKeys.readChanges();
  state.down = true;
  state.now += 4_999;
  await knownKeys.readChanges();
  expect(knownKeys.find('a')).toBeInstanceOf(Promise);
});
