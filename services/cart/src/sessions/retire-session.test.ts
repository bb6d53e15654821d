import { liveTenant } from '@event-commerce/test-kit';
import { createLogger } from '@event-commerce/service-kit';
import { expect, test } from 'vitest';
import type { UnpricedSession } from './session-record.ts';
import type { SessionRepository } from './session.repository.ts';
import { type RetireDeps, sessionExpirySweep } from './retire-session.ts';

test('sessions that cannot be retired, however many, do not block others for good', async () => {
  const session = (n: number) => ({
    _id: `s${n}`,
    companyId: liveTenant('company'),
    sessionId: `s${n}`,
    createdAt: new Date(0),
    expiresAt: new Date(n),
  });
  // The first 1,000 fail for whatever reason.
  const sessions = Array.from({ length: 1_010 }, (_, n) => session(n));
  const retired: string[] = [];
  const repository: Partial<SessionRepository> = {
    expiredWithSeat: async (_now, limit, after = new Date(-1)) =>
      sessions.filter(({ expiresAt }) => expiresAt > after).slice(0, limit) as unknown as UnpricedSession[],
    retire: async ({ sessionId }) => {
      if (Number(sessionId.slice(1)) < 1_000) throw new Error('the database does not answer');
      retired.push(sessionId);
      return false;
    },
  };
  const logger = createLogger({ service: 'test', level: 'silent' });
  const deps = { sessions: repository, clock: () => new Date(), logger };
  const sweep = sessionExpirySweep(deps as unknown as RetireDeps & typeof deps);
  const { signal } = new AbortController();
  for (let run = 0; run < 6; run++) await sweep.run(signal);
  expect(retired).toHaveLength(10);
});
