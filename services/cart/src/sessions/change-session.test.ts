import { type EvaluateCartRequest, invalidInput } from '@event-commerce/contracts';
import { liveTenant } from '@event-commerce/test-kit';
import { describe, expect, test } from 'vitest';
import type { SessionRecord } from './session-record.ts';
import type { NextSession } from './session.repository.ts';
import { type ChangeRequest, createChangeSession } from './change-session.ts';

const tenant = liveTenant('company');

/**
 * Changes one session. `refuse` throws for a base that must not be replaced, and `price` for a cart that cannot be
 * priced; `load` reads what is stored.
 */
function changing({
  load = () => undefined,
  refuse = () => {},
  price = () => {},
}: {
  load?: () => SessionRecord | undefined;
  refuse?: (base: SessionRecord | undefined) => void;
  price?: (codes: readonly string[]) => void;
}) {
  const writers: string[] = [];
  const deps = {
    sessions: {
      load: async () => load(),
      save: async (caller: ChangeRequest['caller'], sessionId: string, base: SessionRecord, next: NextSession) => {
        refuse(base);
        writers.push(caller.keyId);
        const ids = { _id: `company/${sessionId}`, sessionId, companyId: tenant, priced: '{}' };
        return { ...next, ...next.cart, ...ids, changedAt: next.now, expiresAt: new Date('9999-01-01') };
      },
    },
    catalogue: { find: async () => new Map() },
    pricing: {
      evaluate: async (_caller: unknown, { cartContext }: EvaluateCartRequest) => {
        price(cartContext.codes ?? []);
        return { lines: [] };
      },
    },
    clock: () => new Date(),
    defaultCurrency: 'EUR',
  };
  const changeSession = createChangeSession(deps as unknown as Parameters<typeof createChangeSession>[0]);
  const change = async (keyId: string, changed: Pick<ChangeRequest, 'change'> & Partial<ChangeRequest>) =>
    changeSession({
      caller: { tenant, keyId } as ChangeRequest['caller'],
      id: 'session',
      ifMatch: undefined,
      ...changed,
    });
  return { change, writers };
}

const creation: ChangeRequest['change'] = { kind: 'create', input: { items: [], coupons: [] } };

test('an event of changes written together names the key of the last one that took effect, not of a refused one', async () => {
  const { change, writers } = changing({});
  const outcomes = await Promise.allSettled([
    change('key_1', { change: creation }),
    change('key_2', { change: creation, ifMatch: [7] }),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  expect(writers).toEqual(['key_1']);
});

describe('a change that is refused on the session as this process wrote it is retried on the stored session', () => {
  /** The session as another process wrote it. */
  const later = {
    _id: 'company/session',
    sessionId: 'session',
    companyId: tenant,
    version: 2,
    lines: [],
    coupons: [],
    priced: '{}',
    createdAt: new Date(),
    expiresAt: new Date('9999-01-01'),
  } as unknown as SessionRecord;

  test.each([
    ['written', 'refuse'],
    ['priced', 'price'],
  ] as const)('because it cannot be %s', async (_how, step) => {
    let stored: SessionRecord | undefined;
    const fail = () => {
      throw invalidInput('items', 'is too large');
    };
    const isStale = {
      refuse: (base: SessionRecord | undefined) => base !== stored && fail(),
      price: (codes: readonly string[]) => stored !== undefined && codes.length > 0 && fail(),
    };
    const { change, writers } = changing({ load: () => stored, [step]: isStale[step] });
    await change('key_1', { change: { kind: 'create', input: { items: [], coupons: ['SPRING'] } } });
    stored = later;
    await change('key_2', { change: { kind: 'patch', input: { channelId: 'web' } } });
    expect(writers).toEqual(['key_1', 'key_2']);
  });
});
