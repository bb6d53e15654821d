import type { CouponStatus } from '@event-commerce/contracts';
import { newCode } from '@event-commerce/test-kit';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Services, sharedServices } from '../../../tests/harness/services.ts';

let services: Services;
beforeAll(async () => {
  services = await sharedServices();
});

describe('a coupon', () => {
  test('is returned with the given fields and those that the platform adds', async () => {
    const company = services.newCompany();
    const code = `  ${newCode().toLowerCase()} `;
    const given = { description: 'Early', type: 'percent', percentOff: 12.5, limit: 10, contextIds: ['evt_1'] };
    const { status, body } = await company.commerce.post('/coupons', {
      ...given,
      code,
      id: 'cpn_mine',
      quantitySold: 7,
    });
    expect(status).toBe(201);
    expect(body.data).toMatchObject({
      ...given,
      companyId: company.companyId,
      code: code.trim(),
      offeringIds: [],
      quantitySold: 0,
      status: 'active',
    });
    expect(body.data.id).toMatch(/^cpn_[0-9a-z]{26}$/);
    expect((await company.commerce.get(`/coupons/${body.data.id}`)).body.data).toEqual(body.data);
  });

  test('can be changed and archived even if its code is longer than today’s limit', async () => {
    const { commerce } = services.newCompany();
    const code = 'S'.repeat(80);
    const { body } = await commerce.post('/coupons', { code: newCode(), percentOff: 10 });
    await services.models.commerce.coupons.collection.updateOne(
      { _id: body.data.id },
      {
        $set: { 'definition.code': code, heldCode: code, codeKey: code },
      },
    );
    const changed = await commerce.patch(`/coupons/${body.data.id}`, { percentOff: 20 });
    expect([changed.status, changed.body.data?.percentOff]).toEqual([200, 20]);
    expect((await commerce.delete(`/coupons/${body.data.id}`)).status).toBe(200);
  });

  test.each<[CouponStatus, object, object?]>([
    ['active', {}],
    ['inactive', { status: 'inactive' }],
    ['depleted', { limit: 0 }],
    ['expired', { expiresAt: '2020-01-01T00:00:00Z' }],
    // As if reported by a later version of its adjustment: the event of the first version does not undo it.
    ['conflict', {}, { codeConflict: true, adjustmentVersion: 1_000 }],
  ])('that is %s can be sent back as it was read, with a change', async (status, given, stored = {}) => {
    const { commerce } = services.newCompany();
    const { id } = (await commerce.post('/coupons', { code: newCode(), percentOff: 10, ...given })).body.data;
    await services.models.commerce.coupons.collection.updateOne(
      { _id: id },
      { $set: { codeConflict: false, ...stored } },
    );
    const read = (await commerce.get(`/coupons/${id}`)).body.data;
    expect(read.status).toBe(status);
    const changed = await commerce.patch(`/coupons/${id}`, { ...read, description: 'Changed' });
    // The coupon takes over its code once it is free again.
    const after = status === 'conflict' ? 'active' : status;
    expect([changed.status, changed.body.data]).toMatchObject([200, { description: 'Changed', status: after }]);
  });

  test('accepts one of many concurrent changes with the same If-Match, however often it was sold meanwhile', async () => {
    const company = services.newCompany();
    const { body } = await company.commerce.post('/coupons', { code: newCode(), percentOff: 10 });
    const path = `/coupons/${body.data.id}`;
    const read = await company.commerce.get(path);
    await services.models.commerce.coupons.collection.updateOne({ _id: body.data.id }, { $set: { quantitySold: 5 } });
    const given = { 'if-match': read.headers.get('etag') ?? '' };
    const replies = await Promise.all(
      Array.from({ length: 12 }, async (_, n) => {
        const api = company.commerce.replica(n % 2);
        return n % 4 === 0 ? api.delete(path, given) : api.patch(path, { percentOff: n + 11 }, given);
      }),
    );
    const changed = replies.filter(({ status }) => status === 200);
    expect(changed.map(({ body: { data } }) => data.version)).toEqual([2]);
    const refused = replies.filter(({ status }) => status === 409);
    expect([refused.length, new Set(refused.map(({ body: { error } }) => error.message))]).toEqual([
      11,
      new Set(['The coupon does not match If-Match: it is at version 2. Read it and try again.']),
    ]);
    expect((await company.commerce.get(path)).body.data).toEqual(changed[0]?.body.data);
  });

  test('may be blank', async () => {
    const { status, body } = await services.newCompany().commerce.post('/coupons', {});
    expect([status, body.data.status]).toEqual([201, 'active']);
  });

  test('may name ids that contain line separators', async () => {
    const company = services.newCompany();
    const ids = { contextIds: ['evt_1', 'a\u2028b'], offeringIds: ['a\u2029b'] };
    const { status, body } = await company.commerce.post('/coupons', { code: newCode(), percentOff: 10, ...ids });
    expect([status, body.data]).toMatchObject([201, ids]);
  });

  test('accepts the aliases of its fields', async () => {
    const sample = {
      code: newCode(),
      discountType: 'percentage',
      discountValue: 20,
      maxUses: 100,
      expiresAt: '2099-01-01T00:00:00Z',
    };
    const { body } = await services.newCompany().commerce.post('/coupons', sample);
    expect(body.data).toMatchObject({
      type: 'percentage',
      percentOff: 20,
      limit: 100,
      expiresAt: '2099-01-01T00:00:00.000Z',
    });
  });

  test('accepts discountValue alone as the new value of its discount', async () => {
    const { commerce } = services.newCompany();
    const percent = (await commerce.post('/coupons', { percentOff: 10, type: 'mine' })).body.data;
    const amount = (await commerce.post('/coupons', { amountOff: 500 })).body.data;
    const change = async (id: string, body: unknown) => (await commerce.patch(`/coupons/${id}`, body)).body.data;
    expect(await change(percent.id, { discountValue: 15 })).toMatchObject({ percentOff: 15, type: 'mine' });
    expect(await change(amount.id, { discountValue: 700 })).toMatchObject({ amountOff: 700 });
    expect(await change(amount.id, { discountValue: 30, percentOff: 30 })).toMatchObject({ percentOff: 30 });
    expect(await change(amount.id, { discountValue: 25 })).not.toHaveProperty('amountOff');
    for (const [id, body] of [
      [percent.id, { discountValue: 101 }],
      [percent.id, { discountValue: 20, percentOff: 30 }],
      [percent.id, { discountValue: 20, percentOff: null }],
      [(await commerce.post('/coupons', {})).body.data.id, { discountValue: 15 }],
    ]) {
      const refused = await commerce.patch(`/coupons/${id}`, body);
      expect([refused.status, refused.body.error.details?.[0].path]).toEqual([400, 'discountValue']);
    }
  });

  test('treats an amountOff of 0 as no discount', async () => {
    const { commerce } = services.newCompany();
    const created = await commerce.post('/coupons', { code: newCode(), percentOff: 10, amountOff: 0 });
    expect([created.status, created.body.data.percentOff]).toEqual([201, 10]);
    expect(created.body.data).not.toHaveProperty('amountOff');
    const other = await commerce.post('/coupons', { amountOff: 500 });
    const cleared = await commerce.patch(`/coupons/${other.body.data.id}`, { amountOff: 0 });
    expect(cleared.status).toBe(200);
    expect(cleared.body.data).not.toHaveProperty('amountOff');
  });

  test('has a price adjustment with a matching status: active, paused while it is inactive, archived', async () => {
    const { commerce, pricing } = services.newCompany();
    const code = newCode();
    const { id } = (await commerce.post('/coupons', { code, percentOff: 10, status: 'inactive' })).body.data;
    const statusOf = async () => {
      const { data } = (await pricing.get(`/pricing/adjustments?code=${code}`)).body;
      return data.map(({ status, couponId }: any) => [status, couponId]);
    };
    expect(await statusOf()).toEqual([['paused', id]]);
    for (const [to, status] of [
      ['active', 'active'],
      ['inactive', 'paused'],
    ]) {
      await commerce.patch(`/coupons/${id}`, { status: to });
      expect(await statusOf()).toEqual([[status, id]]);
    }
    await commerce.delete(`/coupons/${id}`);
    expect(await statusOf()).toEqual([['archived', id]]);
  });

  test('is found by its code even while it is inactive', async () => {
    const { commerce } = services.newCompany();
    const code = newCode();
    const found = async () => (await commerce.get(`/coupons?code=${code.toLowerCase()}`)).body.data;
    const { body } = await commerce.post('/coupons', { code, percentOff: 10, status: 'inactive' });
    expect(await found()).toEqual([body.data]);
    const taking = await commerce.post('/coupons', { code, percentOff: 20 });
    expect(await found()).toEqual([taking.body.data, body.data]);
    await commerce.patch(`/coupons/${body.data.id}`, { code: null });
    expect(await found()).toEqual([taking.body.data]);
  });

  test.each<[string, unknown, string]>([
    ['both discounts', { percentOff: 10, amountOff: 100 }, 'percentOff'],
    ['an alias that contradicts its field', { limit: 5, maxUses: 6 }, 'maxUses'],
    [
      'a discount value that contradicts',
      { percentOff: 10, discountType: 'percentage', discountValue: 20 },
      'discountValue',
    ],
    ['an unknown discount type', { discountType: 'bogus', discountValue: 20 }, 'discountType'],
    ['more than 100 percent', { percentOff: 101 }, 'percentOff'],
    ['no discount at all as a percentage', { percentOff: 0 }, 'percentOff'],
    ['half a cent', { amountOff: 0.5 }, 'amountOff'],
    ['half a use', { limit: 1.5 }, 'limit'],
    ['a negative limit', { limit: -1 }, 'limit'],
    ['a blank code', { code: '  ' }, 'code'],
    ['a code as a number', { code: 5 }, 'code'],
    ['ids that are not a list', { contextIds: 'evt_1' }, 'contextIds'],
    [
      'an effect beside a simple discount',
      { effect: { kind: 'fixed_price', amount: 1, currency: 'EUR' }, per: 'order' },
      'per',
    ],
    [
      'a misspelt member of its effect',
      { effect: { kind: 'percentage_off', percent: 5, maxAmout: 5 } },
      'effect.maxAmout',
    ],
    [
      'a start that is not before its end',
      { startsAt: '2099-01-02T00:00:00Z', endsAt: '2099-01-01T00:00:00Z' },
      'expiresAt',
    ],
    [
      'fewer tickets than its effect needs',
      { effect: { kind: 'buy_x_get_y', buy: 2, get: 1, percent: 100 }, maxQuantity: 2 },
      'maxQuantity',
    ],
    ['a body that is a list', [], 'body'],
  ])('with %s is refused, naming the field', async (_what, body, path) => {
    const reply = await services.newCompany().commerce.post('/coupons', body);
    expect([reply.status, reply.body.error.code]).toEqual([400, 'VALIDATION_FAILED']);
    expect(reply.body.error.details.map((detail: { path: string }) => detail.path)).toContain(path);
  });

  test('without a body is refused', async () => {
    expect((await services.newCompany().commerce.post('/coupons')).status).toBe(400);
  });

  test('of another company is not found', async () => {
    const { body } = await services.newCompany().commerce.post('/coupons', {});
    const stranger = services.newCompany().commerce;
    const url = `/coupons/${body.data.id}`;
    const replies = await Promise.all([stranger.get(url), stranger.patch(url, {}), stranger.delete(url)]);
    expect(replies.map((reply) => [reply.status, reply.body.error.code])).toEqual(
      replies.map(() => [404, 'COUPON_NOT_FOUND']),
    );
  });
});
