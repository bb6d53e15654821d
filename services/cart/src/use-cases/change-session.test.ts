import { liveTenant } from '@event-commerce/test-kit';
import { expect, test } from 'vitest';
import type { NextSession } from '../store/session.repository.ts';
import { type ChangeRequest, createChangeSession } from './change-session.ts';

test('changes that are written together name the key of the last one that took effect, and not of a refused one', async () => {
  const writers: unknown[] = [];
  const deps = {
    sessions: {
      load: async () => undefined,
      save: async (caller: ChangeRequest['caller'], sessionId: string, _base: unknown, next: NextSession) => {
        writers.push(caller.keyId);
        return {
          ...next,
          ...next.cart,
          sessionId,
          companyId: caller.tenant,
          changedAt: new Date(),
          expiresAt: new Date(),
        };
      },
    },
    catalogue: { find: async () => new Map() },
    clock: () => new Date(),
    defaultCurrency: 'EUR',
  };
  const changeSession = createChangeSession(deps as unknown as Parameters<typeof createChangeSession>[0]);
  const change = async (keyId: string, ifMatch: ChangeRequest['ifMatch']) =>
    changeSession({
      caller: { tenant: liveTenant('company'), keyId } as ChangeRequest['caller'],
      id: 'session',
      change: { kind: 'create', input: { items: [], coupons: [] } },
      ifMatch,
    });
  const outcomes = await Promise.allSettled([change('key_1', undefined), change('key_2', [7])]);
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  expect(writers).toEqual(['key_1']);
});
