import { tenantOf } from '@event-commerce/contracts';
import { expect, test } from 'vitest';
import type { SessionRecord } from './session-record.ts';
import { RecentSessions } from './recent-sessions.ts';

const now = new Date('2027-01-01T00:00:00Z');
const aSession = (changes: Partial<SessionRecord> = {}): SessionRecord => ({
  _id: 'company/session',
  companyId: tenantOf({ companyId: 'company', environment: 'live' }),
  sessionId: 'session',
  lines: [],
  coupons: [],
  priced: '{}',
  pricedAt: now,
  version: 1,
  createdAt: now,
  changedAt: now,
  expiresAt: new Date(now.getTime() + 1),
  ...changes,
});

test('a session is guessed once from its last write, unless it expired', () => {
  const recent = new RecentSessions();
  recent.keep(aSession());
  recent.keep(aSession({ version: 2 }));
  expect(recent.take('company/session', now)?.version).toBe(2);
  expect(recent.take('company/session', now)).toBeUndefined();
  recent.keep(aSession());
  expect(recent.take('company/session', new Date(now.getTime() + 1))).toBeUndefined();
});

test('sessions take a bounded number of bytes, whatever their prices are', () => {
  const recent = new RecentSessions();
  const priced = 'x'.repeat(2 ** 19);
  for (let n = 0; n < 100; n++) recent.keep(aSession({ _id: `company/${n}`, priced }));
  const kept = Array.from({ length: 100 }, (_, n) => recent.take(`company/${n}`, now)).filter(Boolean);
  expect(kept.length * priced.length).toBeLessThanOrEqual(32 * 2 ** 20);
  expect(kept.length).toBeGreaterThan(50);
  recent.keep(aSession({ priced: 'x'.repeat(2 ** 20) }));
  expect(recent.take('company/session', now)).toBeUndefined();
});

test('after a wrong guess a session is not guessed again for a while', () => {
  const recent = new RecentSessions();
  recent.keep(aSession());
  recent.wasWrong('company/session');
  recent.keep(aSession({ version: 2 }));
  recent.keep(aSession({ _id: 'company/other' }));
  expect(recent.take('company/session', now)).toBeUndefined();
  expect(recent.take('company/other', now)).toBeDefined();
});
