import {
  ORDER_STATES,
  type OrderOutcome,
  type OrderState,
  type SettleOrderReply,
  tenantOf,
} from '@event-commerce/contracts';
import { describe, expect, test } from 'vitest';
import type { Claim, ClaimStatus } from './claim.ts';
import { createOrderClaims, outcomeFor } from './order-claims.ts';

const tenant = tenantOf({ companyId: 'co', environment: 'live' });
const claim: Claim = {
  id: 'rdm_1',
  poolId: 'adj_1',
  companyId: tenant,
  orderId: 'ord_1',
  quantity: 1,
  status: 'pending',
  settledBy: 'commerce',
};

describe('the outcome of the order of a claim', () => {
  test.each<
    [status: ClaimStatus, reply: SettleOrderReply, outcome: OrderOutcome, part?: Pick<Claim, 'keeps' | 'held'>]
  >([
    ['held', { outcome: 'placed', redemptionIds: ['rdm_1'], held: ['rdm_1'] }, 'placed', { held: true }],
    [
      'confirmed',
      { outcome: 'placed', redemptionIds: ['rdm_1'], keeps: { rdm_0: 2, rdm_1: 0 } },
      'placed',
      { keeps: 0 },
    ],
    ['held', { outcome: 'placed', redemptionIds: ['rdm_1'], keeps: { rdm_0: 2 } }, 'placed'],
    ['pending', { outcome: 'placed', redemptionIds: ['rdm_0', 'rdm_1'] }, 'placed'],
    ['pending', { outcome: 'pending', redemptionIds: ['rdm_1'] }, 'pending'],
    // Commerce names no claims.
    ['pending', { outcome: 'placed' }, 'placed'],
    ['pending', { outcome: 'void' }, 'void'],
    // The claim is of a copy of the order that was too late.
    ['pending', { outcome: 'placed', redemptionIds: ['rdm_0'] }, 'void'],
    ['held', { outcome: 'expired', redemptionIds: ['rdm_1'] }, 'expired'],
    // The order was reopened, with other claims.
    ['held', { outcome: 'placed', redemptionIds: ['rdm_0'] }, 'cancelled'],
    ['held', { outcome: 'void' }, 'cancelled'],
  ])('that is %s is, when commerce says %j, %s', async (status, reply, outcome, part) => {
    const commerce = {
      settleOrder: async (asked: object) => {
        expect(asked).toEqual({ orderId: 'ord_1', revision: 2 });
        return reply;
      },
      claimsOf: ({ redemptionIds }: SettleOrderReply) => redemptionIds,
    };
    expect(await outcomeFor({ ...claim, status, revision: 2 }, commerce)).toEqual({ outcome, ...part });
  });

  test('is void, without asking, for a claim that no order of commerce can have', async () => {
    const unasked = { settleOrder: async () => Promise.reject(new Error('was asked')), claimsOf: () => [] };
    expect(await outcomeFor({ ...claim, settledBy: 'ledger' }, unasked)).toEqual({ outcome: 'void' });
  });
});

/** The claims of orders on pools in which every claim ends as `status`. */
function orderClaimsThatAre(status: ClaimStatus, released?: () => Promise<void>) {
  const told: string[] = [];
  const logged: unknown[] = [];
  const logger = { error: (what: unknown) => logged.push(what) };
  const claims = createOrderClaims<string>({
    pools: {
      followOrder: async ({ poolId }, outcome) => {
        told.push(`${poolId} ${outcome}`);
        return status;
      },
      cancel: async ({ poolId }) => {
        told.push(`${poolId} ended`);
      },
      sweep: () => expect.unreachable(),
    },
    settleOrder: async () => ({ outcome: 'void' }),
    waitingOrders: () => expect.unreachable(),
    claimsOf: () => undefined,
    toClaim: (one) => {
      const [poolId = '', , keeps] = one.split(' ');
      const claimed = { id: `claim of ${poolId}`, poolId, customerId: 'cus_1', code: 'SECRET', quantity: 2 };
      return { ...claimed, ...(keeps === undefined ? {} : { keeps: Number(keeps) }) };
    },
    released:
      released ??
      (async (companyId, poolIds) => {
        told.push(`${companyId === tenant} ${poolIds.join('+')}`);
      }),
    logger: logger as never,
  });
  const follow = async (state: OrderState) =>
    claims.follow({ type: `order.${state}`, tenant, data: { id: 'ord_1', state } }, ['a', 'b']);
  return { claims, follow, told, logged };
}

describe('a report that claims were released', () => {
  test.each(ORDER_STATES)('is made after an order that is %s only if it released them', async (state) => {
    const { follow, told } = orderClaimsThatAre('released');
    await follow(state);
    const isOver = state === 'cancelled' || state === 'expired';
    expect(told).toEqual([`a ${state}`, `b ${state}`, ...(isOver ? ['true a+b'] : [])]);
  });

  test('is made after an order was amended, about the claims that it keeps less of', async () => {
    const { claims, told } = orderClaimsThatAre('confirmed');
    const amended = { type: 'order.amended', tenant, data: { id: 'ord_1', state: 'placed' } } as const;
    await claims.follow(amended, ['a', 'b keeps 1', 'c keeps 0']);
    expect(told).toEqual(['a placed', 'b placed', 'c placed', 'true b+c']);
  });

  test('is made after claims without an order were ended', async () => {
    const { claims, told } = orderClaimsThatAre('cancelled');
    await claims.release({ tenant, id: 'ord_1', claims: ['a'] });
    expect(told).toEqual(['a ended', 'true a']);
  });

  test('makes the release fail if it fails, so that the release is repeated', async () => {
    const { follow } = orderClaimsThatAre('released', async () => Promise.reject(new Error('the database is away')));
    await expect(follow('expired')).rejects.toThrow('the database is away');
  });
});

test('the sweep asks once for all claims of an order, and leaves alone held claims that a waiting order needs', async () => {
  const asked: string[] = [];
  const told: string[] = [];
  const waitingOrders = async () => new Set<string>();
  let end: ((claim: Claim) => Promise<void>) | undefined;
  const claims = createOrderClaims<string>({
    pools: {
      followOrder: async ({ id, keeps }, outcome) => {
        told.push(`${id} ${outcome}${keeps === undefined ? '' : ` keeps ${keeps}`}`);
        return 'confirmed';
      },
      cancel: async () => expect.unreachable(),
      sweep: (options) => {
        expect(options.waitingOf).toBe(waitingOrders);
        ({ end } = options);
        return { name: 'sweep', everyMs: 1, run: async () => {} };
      },
    },
    settleOrder: async ({ orderId }) => {
      asked.push(orderId);
      return { outcome: orderId === 'ord_1' ? 'placed' : 'pending', keeps: { d: 0 } };
    },
    waitingOrders,
    claimsOf: () => undefined,
    toClaim: () => expect.unreachable(),
    logger: {} as never,
  });
  claims.sweep({ ttlMs: 0 });
  const held = (id: string, orderId: string): Claim => ({ ...claim, id, orderId, status: 'held' });
  const all = [held('a', 'ord_1'), held('b', 'ord_1'), held('c', 'ord_2'), held('d', 'ord_2')];
  await Promise.all(all.map(async (one) => end?.(one)));
  expect([asked, told]).toEqual([
    ['ord_1', 'ord_2'],
    ['a placed', 'b placed', 'd pending keeps 0'],
  ]);
});

test('a claim that had lapsed when its order was placed is logged as an error with its ids, unlike one of a cancelled order', async () => {
  const { follow, logged } = orderClaimsThatAre('lapsed');
  await follow('cancelled');
  expect(logged).toEqual([]);
  await follow('placed');
  expect(logged).toEqual(['a', 'b'].map((poolId) => ({ claimId: `claim of ${poolId}`, orderId: 'ord_1' })));
});
