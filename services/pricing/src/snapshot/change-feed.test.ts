import type { BusConnection } from '@event-commerce/bus';
import { tenantOf } from '@event-commerce/contracts';
import { createLogger } from '@event-commerce/service-kit';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openChangeFeed } from './change-feed.ts';
import type { Change, ChangeLogRepository, LogReading } from './change-log.repository.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('a request that waits for a slow read of the log sees every change answered before it, however early the read began', async () => {
  const change: Change = { tenant: tenantOf({ companyId: 'acme', environment: 'live' }), id: 'adj_1', version: 2 };
  const changes: Change[] = [];
  const members: string[] = [];
  const slow = Promise.withResolvers<void>();
  const log: Pick<ChangeLogRepository, 'join' | 'readAfter'> = {
    join: async (member) => members.push(member) - 1,
    readAfter: async (place): Promise<LogReading> => {
      const found = { place: changes.length, members, changes: changes.slice(place) };
      await slow.promise;
      return found;
    },
  };
  const noted: Change[] = [];
  const feed = await openChangeFeed(
    log as ChangeLogRepository,
    // No notice arrives.
    { nats: { subscribe: () => undefined } } as unknown as BusConnection,
    createLogger({ service: 'test', level: 'silent' }),
    { note: (found) => noted.push(...found), forgetAll: () => undefined },
  );

  vi.advanceTimersByTime(500);
  expect(feed.catchUp()).toBeUndefined();
  changes.push(change);
  // The caller that made the change has its response.
  vi.advanceTimersByTime(1_001);
  const current = feed.catchUp();
  expect(noted).toEqual([]);
  slow.resolve();
  await current;
  expect(noted).toEqual([change]);
});
