import { type AdjustmentInput, codeTaken, type CouponState, quotaExceeded } from '@event-commerce/contracts';
import { createLogger } from '@event-commerce/service-kit';
import { liveTenant } from '@event-commerce/test-kit';
import { expect, test } from 'vitest';
import type { AdjustmentRecord } from './adjustment-record.ts';
import { couponStateOf } from './coupon-state.fixture.ts';
import { createCouponFollower, type FollowCouponDeps } from './follow-coupon.ts';

const tenant = liveTenant('company-1');
const coupon = (changes: Partial<Parameters<typeof couponStateOf>[0]> = {}): CouponState =>
  couponStateOf({ id: 'cpn_1', companyId: 'company-1', version: 1, code: 'SUMMER', percentOff: 20, ...changes });

/**
 * Pricing with its adjustments in memory, by coupon. `onWrite`: may refuse a write. `held`: the codes of other
 * adjustments.
 */
function pricingWith(
  onWrite: (input: AdjustmentInput, couponId: string | undefined) => void | Promise<void>,
  held: ReadonlySet<string> = new Set(),
) {
  const states = new Map<string, CouponState>();
  const adjustments = new Map<string, AdjustmentRecord>();
  const write: FollowCouponDeps['adjustments']['create'] = async (_writer, id, input, _now, link) => {
    await onWrite(input, link?.couponId);
    const version = (adjustments.get(link?.couponId ?? '')?.version ?? 0) + 1;
    const written = { ...input, ...link, id, tenant, version } as AdjustmentRecord;
    adjustments.set(link?.couponId ?? '', written);
    return written;
  };
  const deps: FollowCouponDeps = {
    adjustments: {
      findByCoupon: async (_tenant, couponId) => await Promise.resolve(adjustments.get(couponId)),
      findHolder: async (_tenant, code) =>
        await Promise.resolve(held.has(code) ? ({ id: 'adj_other' } as AdjustmentRecord) : undefined),
      couponsInConflict: async () =>
        await Promise.resolve([...adjustments].flatMap(([id, { codeConflict }]) => (codeConflict ? [id] : []))),
      create: write,
      makeKnown: async () => {},
      replace: async (writer, { id }, ...rest) => write(writer, id, ...rest),
    },
    couponStates: {
      keepNewest: async (_tenant, state) => void (await Promise.resolve(states.set(state.id, state))),
      find: async (_tenant, id) => await Promise.resolve(states.get(id)),
    },
    clock: () => new Date(),
    logger: createLogger({ service: 'test', level: 'silent' }),
  };
  const [here, elsewhere] = [createCouponFollower(deps), createCouponFollower(deps)];
  return {
    adjustments,
    follow: async (state: CouponState) => here.follow({ tenant }, state),
    followElsewhere: async (state: CouponState) => elsewhere.follow({ tenant }, state),
    retry: async () => here.retryConflicts({ tenant }),
    finish: async (written: AdjustmentRecord) => here.finishChange({ tenant }, written),
  };
}

const statusesOf = (adjustments: Map<string, AdjustmentRecord>) =>
  [...adjustments].map(([couponId, { status }]) => `${couponId} ${status}`);
const refusal = { quota: quotaExceeded('adjustments', 3, 3), code: codeTaken('SUMMER', 'conditions.code') };

test('a coupon that was refused for a quota leaves nothing, and its events are handled', async () => {
  const { follow, adjustments } = pricingWith(() => {
    throw refusal.quota;
  });
  await expect(follow(coupon())).rejects.toThrow(refusal.quota);
  expect(await follow(coupon({ version: 2, archived: true }))).toBe(undefined);
  expect(adjustments.size).toBe(0);
});

test('a waiting coupon over the quota keeps waiting, and delays no other', async () => {
  let full = false;
  const { follow, retry, adjustments } = pricingWith(({ status }, couponId) => {
    if (status !== 'active') return;
    if (!full) throw refusal.code;
    if (couponId === 'cpn_1') throw refusal.quota;
  });
  await follow(coupon());
  await follow(coupon({ id: 'cpn_2', code: 'WINTER' }));
  expect(statusesOf(adjustments)).toEqual(['cpn_1 paused', 'cpn_2 paused']);
  full = true;
  await retry();
  expect(statusesOf(adjustments)).toEqual(['cpn_1 paused', 'cpn_2 active']);
});

test('a waiting coupon uses no quota of its company while another adjustment holds its code', async () => {
  const held = new Set(['SUMMER']);
  const written: string[] = [];
  const { follow, retry, adjustments } = pricingWith(({ status, conditions: { code = '' } }) => {
    // The repository reserves quota, and then finds the code held.
    written.push(status);
    if (status === 'active' && held.has(code)) throw refusal.code;
  }, held);
  await follow(coupon());
  const ofFollowing = written.splice(0);
  await retry();
  await follow(coupon({ version: 2, percentOff: 30 }));
  expect([ofFollowing, written]).toEqual([['active', 'paused'], ['paused']]);
  held.clear();
  await retry();
  expect(statusesOf(adjustments)).toEqual(['cpn_1 active']);
});

test('when two handlers find a code taken at once, the second finds the adjustment of the first', async () => {
  let racing = true;
  const { follow, followElsewhere, adjustments } = pricingWith(async ({ status }) => {
    if (status === 'active') throw refusal.code;
    if (!racing) return;
    racing = false;
    await followElsewhere(coupon());
    // The unique index of coupons.
    throw refusal.code;
  });
  expect(await follow(coupon())).toMatchObject({ status: 'paused', codeConflict: true, couponVersion: 1 });
  expect(adjustments.size).toBe(1);
});

test('an adjustment written late, by a writer that is then killed, ends up in the newest state of its coupon', async () => {
  const { follow, finish, adjustments } = pricingWith(() => {});
  // The coupon was archived before the write arrived, when there was nothing to archive.
  expect(await follow(coupon({ version: 2, archived: true }))).toBe(undefined);
  const written = {
    id: 'adj_1',
    version: 1,
    status: 'active',
    couponId: 'cpn_1',
    couponVersion: 1,
  } as AdjustmentRecord;
  adjustments.set('cpn_1', written);
  await finish(written);
  expect(adjustments.get('cpn_1')).toMatchObject({ status: 'archived', couponVersion: 2 });
});
