import { tenantOf, tryAgainShortly } from '@event-commerce/contracts';
import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Claim } from './claim.ts';
import type { HoldOutcome, HoldRequest } from './hold.ts';
import { HeldClaims } from './held-claims.ts';
import { type ClaimingOrder, holdAll, oneByOne } from './hold-all.ts';

afterEach(() => vi.useRealTimers());

const companyId = tenantOf({ companyId: 'co', environment: 'live' });

type Hold = (claim: Claim) => HoldOutcome | Promise<HoldOutcome>;
const HELD = (claim: Claim): HoldOutcome => ({ kind: 'held', claim });
/** Pools that hold claims as `holds` says, by the pool's id. */
function poolsThat(holds: (poolId: string) => Hold) {
  const held = new HeldClaims();
  const asked: Claim[] = [];
  const pools = {
    hold: async ({ claim }: HoldRequest) => {
      asked.push(claim);
      return await holds(claim.poolId)(claim);
    },
  };
  return {
    held,
    asked,
    holdAll: async (order: ClaimingOrder, steps: string[][], tenant = companyId) =>
      await holdAll<string>(pools, order, {
        tenant,
        steps,
        holdRequestOf: (poolId, common) => ({
          claim: { id: `claim of ${poolId}`, poolId, companyId, quantity: 1, ...common },
          pool: { id: poolId, companyId, version: 1, limit: undefined },
          share: { limit: undefined, since: undefined },
        }),
        held,
        crowdedOut: ({ poolId }) => tryAgainShortly(`Too many want ${poolId}.`),
        keepsChanging: () => tryAgainShortly('It keeps changing.'),
        untilMs: performance.now() + 10_000,
      }),
  };
}

const OUTCOMES = {
  own: HELD,
  full: () => ({ kind: 'full', claimed: 1, isContended: false }),
  fails: () => {
    throw new Error('away');
  },
} satisfies Record<string, Hold>;
const outcome = fc.constantFrom(...(Object.keys(OUTCOMES) as (keyof typeof OUTCOMES)[]));
const someSteps = fc.array(fc.array(outcome, { minLength: 1, maxLength: 3 }), { maxLength: 5 });

test('an order holds everything that it requests, or everything up to the first obstacle is recorded', async () => {
  await fc.assert(
    fc.asyncProperty(someSteps, async (outcomes) => {
      const steps = outcomes.map((step, s) => step.map((_, n) => `${s}/${n}`));
      const kindOf = new Map(outcomes.flatMap((step, s) => step.map((kind, n) => [`${s}/${n}`, kind])));
      const { held, asked, holdAll: hold } = poolsThat((poolId) => OUTCOMES[kindOf.get(poolId) ?? 'own']);
      const result = await hold({ orderId: 'own' }, steps).catch((error: unknown) => ({ kind: 'failed', error }));

      const own = asked.filter(({ poolId }) => kindOf.get(poolId) === 'own');
      expect(held.except([]).map(({ id }) => id)).toEqual(own.map(({ id }) => id));
      expect(held.isKnown).toBe(!asked.some(({ poolId }) => kindOf.get(poolId) === 'fails'));
      if ('claims' in result) expect(result.claims).toEqual(own);
      expect(result.kind === 'held').toBe(outcomes.flat().every((kind) => kind === 'own'));
    }),
  );
});

test('a revision waits while another one of its order takes the last place, and is refused while other orders do', async () => {
  let asked = 0;
  const behindItself: Hold = (claim) => {
    asked += 1;
    return asked < 3 ? { kind: 'full', claimed: 1, isContended: true, isBehindItself: true } : HELD(claim);
  };
  const order = { orderId: 'ord_1', revision: 2 };
  expect((await poolsThat(() => behindItself).holdAll(order, [['a']])).kind).toBe('held');
  const behindOthers: Hold = () => ({ kind: 'full', claimed: 1, isContended: true });
  expect((await poolsThat(() => behindOthers).holdAll(order, [['a']])).kind).toBe('full');
});

test('claims are made step by step, and none after an obstacle', async () => {
  const full: Hold = () => ({ kind: 'full', claimed: 3, isContended: true });
  const { asked, holdAll: hold } = poolsThat((poolId) => (poolId === 'c' ? full : HELD));
  const order = { orderId: 'ord_1', revision: 2 };
  expect(await hold(order, [['a'], ['b', 'c'], ['d']])).toEqual({
    kind: 'full',
    request: 'c',
    claimed: 3,
    isContended: true,
  });
  expect(asked.map(({ poolId }) => poolId)).toEqual(['a', 'b', 'c']);
  for (const claim of asked) {
    expect(claim).toMatchObject({ ...order, status: 'pending', settledBy: 'commerce' });
  }
});

test.each([
  ['confirmed', { code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 1 }],
  ['crowded', { code: 'SERVICE_UNAVAILABLE', message: 'Too many want b.' }],
] as const)('an order whose claim is %s is refused, and what it holds is noted', async (kind, refusal) => {
  const { held, holdAll: hold } = poolsThat((poolId) => (poolId === 'b' ? () => ({ kind }) : HELD));
  await expect(hold({ orderId: 'own' }, [['a'], ['b']])).rejects.toMatchObject(refusal);
  expect([held.isKnown, held.except([]).map(({ poolId }) => poolId)]).toEqual([true, ['a']]);
});

test('a copy of a new order is refused once a later revision of it is claimed', async () => {
  const later: Hold = () => ({ kind: 'later-revision' });
  const { held, holdAll: hold } = poolsThat((poolId) => (poolId === 'b' ? later : HELD));
  await expect(hold({ orderId: 'own' }, [['a'], ['b']])).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    retryAfterSeconds: 1,
    message: expect.stringContaining('in the meantime'),
  });
  expect(held.except([]).map(({ poolId }) => poolId)).toEqual(['a']);
});

test('a pool that others change is retried, and what is held stays held', async () => {
  let left = 3;
  const changing: Hold = (claim) => (left-- > 0 ? { kind: 'changed' } : HELD(claim));
  const { asked, holdAll: hold } = poolsThat((poolId) => (poolId === 'b' ? changing : HELD));
  expect(await hold({ orderId: 'own' }, [['a'], ['b']])).toMatchObject({ kind: 'held' });
  expect(asked.map(({ poolId }) => poolId)).toEqual(['a', 'b', 'b', 'b', 'b']);
});

test.each([
  [0, []],
  [3, [1, 1, 1]],
  [21, [...Array<number>(20).fill(1), 1]],
  [500, [...Array<number>(20).fill(1), ...Array<number>(9).fill(50), 30]],
])('%i claims come one by one as long as that takes few steps', (count, sizes) => {
  const requests = Array.from({ length: count }, (_, n) => n);
  const steps = oneByOne(requests);
  expect(steps.map(({ length }) => length)).toEqual(sizes);
  expect(steps.flat()).toEqual(requests);
});

describe('among the large orders of a company', () => {
  const large = oneByOne(Array.from({ length: 60 }, (_, n) => `pool ${n}`));

  /** The order `first` claims until `release` is called. */
  const whileFirstClaims = () => {
    const { promise: opened, resolve: release } = Promise.withResolvers<void>();
    const { asked, holdAll: hold } = poolsThat(() => (claim) => {
      if (claim.orderId === 'first' && claim.poolId === 'pool 0') return opened.then(() => HELD(claim));
      return HELD(claim);
    });
    return { asked, hold, first: hold({ orderId: 'first' }, large), release };
  };

  test('one claims at a time, and no other orders wait for them', async () => {
    const { asked, hold, first, release } = whileFirstClaims();
    const second = hold({ orderId: 'second' }, large);
    const small = await hold({ orderId: 'small' }, [['pool 0'], ['pool 1']]);
    const others = await hold({ orderId: 'others' }, large, tenantOf({ companyId: 'other', environment: 'live' }));
    expect([small.kind, others.kind]).toEqual(['held', 'held']);
    expect(asked.some(({ orderId }) => orderId === 'second')).toBe(false);
    release();
    expect([(await first).kind, (await second).kind]).toEqual(['held', 'held']);
    const order = asked.filter(({ orderId }) => orderId === 'first' || orderId === 'second');
    expect(order.map(({ orderId }) => orderId)).toEqual([
      ...Array<string>(60).fill('first'),
      ...Array<string>(60).fill('second'),
    ]);
  });

  test('one that waited too long to finish in time is refused and claims nothing, and the next one is admitted', async () => {
    vi.useFakeTimers();
    const { asked, hold, first, release } = whileFirstClaims();
    const late = hold({ orderId: 'late' }, large).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(2_001);
    release();
    expect((await first).kind).toBe('held');
    expect(await late).toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      retryAfterSeconds: 1,
      message: expect.stringContaining('Other large orders'),
    });
    expect(asked.some(({ orderId }) => orderId === 'late')).toBe(false);
    expect((await hold({ orderId: 'next' }, large)).kind).toBe('held');
  });
});
