import {
  ATTEMPT_HEADER,
  type CouponState,
  formatAttempt,
  quotaExceeded,
  tryAgainShortly,
} from '@event-commerce/contracts';
import { type Caller, newId, noQuotas } from '@event-commerce/service-kit';
import { adjustmentBody, liveTenant, newCode } from '@event-commerce/test-kit';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Company, type Services, sharedServices } from '../../../tests/harness/services.ts';
import { type CouponRepository, couponRepository } from '../src/coupons/coupon.repository.ts';
import { changeCoupon, type CouponAdjustments, createCoupon } from '../src/coupons/change-coupon.ts';
import { totalWith } from './coupon-state.ts';

let services: Services;
beforeAll(async () => {
  services = await sharedServices();
});

/** A request with an Idempotency-Key, and its repeats as the gateway forwards them. */
const createOnce = (company: Company) => {
  const { companyId } = company;
  const idSuffix = newId('cpn').slice('cpn_'.length);
  const input = { code: newCode(), percentOff: 10 };
  const stored = couponRepository(services.models.commerce, { publish: () => {}, stop: async () => {} }, noQuotas);
  const callerOf = (repeated: boolean) =>
    ({ companyId, tenant: liveTenant(companyId), attempt: { idSuffix, repeated } }) as Caller;
  /** Creates the coupon in a replica for which pricing is `follow`. */
  const createIn = async (repeated: boolean, coupons: CouponRepository, follow: CouponAdjustments['follow']) => {
    const deps = {
      coupons,
      adjustments: { holderOf: async () => undefined, hasBudget: async () => true, follow },
      timeZones: async () => [],
      clock: () => new Date(),
    };
    return await createCoupon(deps, callerOf(repeated), input);
  };
  return {
    input,
    send: async (repeated: boolean) => {
      const headers = { [ATTEMPT_HEADER]: formatAttempt({ idSuffix, repeated }) };
      return await company.commerce.post('/coupons', input, headers);
    },
    /**
     * Sends the coupon to a replica to which pricing does not respond once the coupon is written. `killed`: it dies
     * before it undoes the coupon. `meanwhile` runs while it waits for pricing.
     */
    failToSend: async ({ killed = false, meanwhile = async () => {} } = {}) => {
      const coupons = killed ? { ...stored, replace: async () => Promise.resolve(undefined) } : stored;
      const failing = createIn(false, coupons, async () => {
        await meanwhile();
        throw tryAgainShortly('Pricing does not answer.');
      });
      await expect(failing).rejects.toThrow('Pricing does not answer.');
    },
    /** Repeats the request on a replica; the first attempt undoes the coupon just before this replica would keep it. */
    repeatWhileUndone: async () => {
      const keep: typeof stored.keep = async (tenant, current) => {
        const undone = { definition: current.definition, archived: true, undone: true };
        if (current.version === 1) await stored.replace(callerOf(false), current, undone, new Date());
        return await stored.keep(tenant, current);
      };
      return await createIn(true, { ...stored, keep }, async (_caller, { version }) =>
        Promise.resolve({ couponVersion: version, codeConflict: false }),
      );
    },
  };
};

describe('creating a coupon', () => {
  test.each([
    ['applies it', undefined, ['follow 1', 'publish 1', 'follow 2', 'publish 2']],
    ['had room for none, and it was taken back', 'refused', ['follow 1', 'follow 2', 'publish 2', 'publish 1']],
  ])('or changing it publishes the event once pricing %s', async (_when, outcome, expected) => {
    const { companyId } = services.newCompany();
    const caller = { companyId, tenant: liveTenant(companyId) } as Caller;
    const steps: string[] = [];
    const publish = ({ version }: { version: number }) => void steps.push(`publish ${version}`);
    const coupons = couponRepository(services.models.commerce, { publish, stop: async () => {} }, noQuotas);
    const follow = async (_caller: Caller, { version }: CouponState) => {
      steps.push(`follow ${version}`);
      if (outcome === 'refused' && version === 1) throw quotaExceeded('liveAdjustments', 1, 1);
      return await Promise.resolve({ couponVersion: version, codeConflict: false });
    };
    const deps = {
      coupons,
      adjustments: { holderOf: async () => undefined, hasBudget: async () => true, follow },
      timeZones: async () => [],
      clock: () => new Date(),
    };
    const creating = createCoupon(deps, caller, { code: newCode(), percentOff: 10 });
    if (outcome === 'refused') await expect(creating).rejects.toMatchObject({ code: 'QUOTA_EXCEEDED' });
    else await changeCoupon(deps, caller, (await creating).id, { percentOff: 20 }, undefined);
    expect(steps).toEqual(expected);
  });

  test('that is repeated leaves a coupon that was since archived or changed as it is', async () => {
    const company = services.newCompany();
    const { commerce } = company;
    const changes = [
      async (id: string) => commerce.delete(`/coupons/${id}`),
      async (id: string) => commerce.patch(`/coupons/${id}`, { percentOff: 30 }),
    ];
    for (const change of changes) {
      const create = createOnce(company);
      const { id } = (await create.send(false)).body.data;
      const changed = (await change(id)).body.data;
      const again = await create.send(true);
      expect([again.status, again.body.data]).toEqual([201, changed]);
    }
  });

  test('that failed leaves nothing, and a repeat restores the coupon until it is archived', async () => {
    const company = services.newCompany();
    const create = createOnce(company);
    await create.failToSend();
    expect((await company.commerce.get('/coupons')).body.data).toEqual([]);
    const { id, code, status } = (await create.send(true)).body.data;
    expect([status, await totalWith(services, company, code)]).toEqual(['active', 9_000]);
    const archived = (await company.commerce.delete(`/coupons/${id}`)).body.data;
    expect((await create.send(true)).body.data).toEqual(archived);
  });

  test('that is repeated while it waits for pricing is kept, although the first attempt fails', async () => {
    const company = services.newCompany();
    const create = createOnce(company);
    let repeated: Awaited<ReturnType<typeof create.send>> | undefined;
    const meanwhile = async () => {
      repeated ??= await create.send(true);
    };
    await create.failToSend({ meanwhile });
    expect(repeated).toMatchObject({ status: 201, body: { data: { status: 'active' } } });
    expect((await company.commerce.get('/coupons')).body.data).toEqual([repeated?.body.data]);
    expect(await totalWith(services, company, create.input.code)).toBe(9_000);
  });

  test('that is undone while it is repeated is in effect once the repeat returns', async () => {
    const company = services.newCompany();
    const create = createOnce(company);
    await create.failToSend({ killed: true });
    expect(await create.repeatWhileUndone()).toMatchObject({ archived: false, undone: false });
    expect((await company.commerce.get('/coupons')).body.data).toMatchObject([{ code: create.input.code }]);
  });

  test('that was killed leaves nothing either, if another coupon has the code by the time it is repeated', async () => {
    const company = services.newCompany();
    const create = createOnce(company);
    const taking = await company.pricing.post('/pricing/adjustments', adjustmentBody(create.input.code));
    expect(taking.status).toBe(201);
    await create.failToSend({ killed: true });
    const { status, body } = await create.send(true);
    expect([status, body.error?.code]).toEqual([409, 'COUPON_CODE_TAKEN']);
    expect((await company.commerce.get('/coupons')).body.data).toEqual([]);
  });
});

test.each([
  ['expired', { expiresAt: '2020-01-01T00:00:00Z' }, { expiresAt: '2099-01-01T00:00:00Z' }],
  ['depleted', { limit: 0 }, { limit: 5 }],
])('a coupon that is %s counts again once it is sent back changed, however often', async (status, given, change) => {
  const { commerce } = services.newCompany();
  const read = (await commerce.post('/coupons', { code: newCode(), percentOff: 10, ...given })).body.data;
  expect(read.status).toBe(status);
  const path = `/coupons/${read.id}`;
  const send = async () => {
    const { status: code, body } = await commerce.patch(path, { ...read, ...change });
    return [code, body.data?.status];
  };
  expect([await send(), await send()]).toEqual([
    [200, 'active'],
    [200, 'active'],
  ]);
  const refused = await commerce.patch(path, { status });
  expect([refused.status, refused.body.error.details]).toEqual([
    400,
    [
      {
        path: 'status',
        message: `can only be set to active or inactive, not to ${status}: that follows from the coupon's code, end and limit`,
      },
    ],
  ]);
  // A new coupon ignores the status that was sent: it is computed.
  const copy = await commerce.post('/coupons', { ...read, ...change, code: newCode() });
  expect([copy.status, copy.body.data.status]).toEqual([201, 'active']);
});
