import { randomUUID } from 'node:crypto';
import { noQuotas } from '@event-commerce/service-kit';
import { hostileMembers, liveTenant, newDatabase } from '@event-commerce/test-kit';
import { beforeAll, expect, inject, test } from 'vitest';
import { cartModels } from '../src/models.ts';
import { type NextSession, type SessionRepository, sessionRepository } from '../src/sessions/session.repository.ts';

let sessions: SessionRepository;
beforeAll(async () => {
  const { connection, drop } = await newDatabase(inject('mongoUrl'));
  const models = cartModels(connection);
  await models.sessions.createIndexes();
  sessions = sessionRepository(
    models,
    { publish: () => {}, stop: async () => {} },
    { idleMs: 60_000, seatHoldMs: 60_000 },
    noQuotas,
  );
  return drop;
});

const tenant = liveTenant('company-1');
const caller = { tenant, traceparent: undefined };
const session = (version: number, change: Record<string, unknown> = {}) =>
  ({
    cart: { lines: [], coupons: [], ...change },
    priced: { lines: [], total: 0 },
    version,
    createdAt: new Date(0),
    now: new Date(),
  }) as unknown as NextSession;

test.each([...Object.entries(hostileMembers()), ['a lone surrogate', '\ud800'] as const])(
  'next to a session that contains %s, sessions are created and changed, each change once',
  async (_what, member) => {
    const ids = Array.from({ length: 30 }, () => `cs_${randomUUID()}`);
    const bad = [{ customerId: member }, { lines: [member] }, { coupons: member }];
    const write = async (base: Awaited<ReturnType<SessionRepository['load']>>[], version: number) => {
      const hostile = bad.map(async (change) =>
        sessions.save(caller, `cs_${randomUUID()}`, undefined, session(1, change)).catch(() => undefined),
      );
      const written = await Promise.all(ids.map((id, n) => sessions.save(caller, id, base[n], session(version))));
      await Promise.all(hostile);
      return written;
    };
    const made = await write([], 1);
    expect(made.map((one) => one?.version)).toEqual(ids.map(() => 1));
    const stored = await Promise.all(ids.map((id) => sessions.load(tenant, id)));
    const changed = await write(stored, 2);
    expect(changed.map((one) => one?.version)).toEqual(ids.map(() => 2));
    // A write based on the previous state loses, as always.
    expect(await write(stored, 2)).toEqual(ids.map(() => undefined));
  },
);

test('a session whose prices are larger than a document is refused, in any script', async () => {
  const save = async (name: string) =>
    sessions.save(caller, `cs_${randomUUID()}`, undefined, {
      ...session(1),
      priced: { name } as unknown as NextSession['priced'],
    });
  const MIB = 1024 * 1024;
  expect(await save('x'.repeat(11 * MIB))).toBeDefined();
  for (const name of ['x'.repeat(17 * MIB), '\u5b57'.repeat(6 * MIB)]) {
    await expect(save(name)).rejects.toMatchObject({ code: 'VALIDATION_FAILED', details: [{ path: 'items' }] });
  }
});
