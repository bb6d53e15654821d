import { adjustmentBody, type ApiClient, liveTenant, newCode } from '@event-commerce/test-kit';
import { describe, expect, test } from 'vitest';
import { adjustmentVersions } from '../src/adjustments/adjustment-versions.ts';
import { sharedServices } from '../../../tests/harness/services.ts';

const services = await sharedServices();

const path = '/pricing/adjustments';

describe('changing an adjustment', () => {
  test('validates the whole result', async () => {
    const { pricing } = services.newCompany();
    const { body } = await pricing.post(path, adjustmentBody(newCode()));
    const refused = await pricing.patch(`${path}/${body.data.id}`, { conditions: { code: null } });
    expect([refused.status, refused.body.error.details[0].path]).toEqual([400, 'conditions.code']);
    const changed = await pricing.patch(`${path}/${body.data.id}`, { conditions: { minQuantity: 4 }, name: 'Groups' });
    expect(changed.body.data).toMatchObject({
      name: 'Groups',
      conditions: { ...body.data.conditions, minQuantity: 4 },
    });
    expect(changed.body.data.created).toBe(body.data.created);
  });

  test('keeps each former definition for the orders that were priced with it, once', async () => {
    const { pricing, companyId } = services.newCompany();
    const tenant = liveTenant(companyId);
    const versions = adjustmentVersions(services.models.pricing);
    const { id } = (await pricing.post(path, adjustmentBody(newCode(), { name: 'One' }))).body.data;
    for (const change of [{ status: 'paused' }, { status: 'active' }, { name: 'Four' }, { name: 'Five' }]) {
      expect((await pricing.patch(`${path}/${id}`, change)).status).toBe(200);
    }
    const nameAt = async (version: number) => (await versions.read(tenant, [{ id, version }])).frozen.get(id)?.name;
    expect(await Promise.all([1, 2, 3, 4, 5].map(nameAt))).toEqual(['One', 'One', 'One', 'Four', 'Five']);
    expect(await services.models.pricing.adjustmentVersions.countDocuments({ adjustmentId: id })).toBe(2);
    expect((await versions.read(liveTenant('other'), [{ id, version: 1 }])).frozen.size).toBe(0);
  });

  test('archives once: a repeat changes nothing and publishes no event', async () => {
    const { pricing } = services.newCompany();
    const { id, version } = (await pricing.post(path, adjustmentBody(newCode()))).body.data;
    const first = await pricing.delete(`${path}/${id}`);
    const again = await pricing.replica(1).delete(`${path}/${id}`);
    expect([again.status, again.body]).toEqual([200, first.body]);
    expect(first.body.data).toMatchObject({ status: 'archived', version: version + 1 });
  });

  test('keeps what a patch of the effect does not name, unless it has another kind', async () => {
    const { pricing } = services.newCompany();
    const effect = { kind: 'percentage_off', percent: 10, per: 'order', maxAmount: 500 };
    const { body } = await pricing.post(path, adjustmentBody(newCode(), { effect }));
    const url = `${path}/${body.data.id}`;
    const effectAfter = async (patch: object) => {
      const { status, body: reply } = await pricing.patch(url, { effect: patch });
      return status === 200 ? reply.data.effect : reply.error.details[0].path;
    };
    expect(await effectAfter({ percent: 15 })).toEqual({ ...effect, percent: 15 });
    expect(await effectAfter({ kind: 'percentage_off', per: null })).toEqual({ ...effect, percent: 15, per: 'unit' });
    expect(await effectAfter({ amount: 5 })).toBe('effect.amount');
    expect(await effectAfter({ percent: 500 })).toBe('effect.percent');
    expect(await effectAfter({ kind: 'amount_off' })).toBe('effect.amount');
    const amountOff = { kind: 'amount_off', amount: 5 };
    expect(await effectAfter(amountOff)).toEqual({ ...amountOff, per: 'unit' });
    const minimum = { conditions: { minOrderTotal: { amount: 100, currency: 'EUR' } } };
    expect((await pricing.patch(url, minimum)).body.data.conditions).toMatchObject(minimum.conditions);
    const raised = (await pricing.patch(url, { conditions: { minOrderTotal: { amount: 200 } } })).body.data.conditions;
    expect(raised.minOrderTotal).toEqual({ amount: 200, currency: 'EUR' });
  });

  test('accepts one of many concurrent changes with the same If-Match, whatever is redeemed meanwhile', async () => {
    const { pricing } = services.newCompany();
    const { body } = await pricing.post(path, adjustmentBody(newCode()));
    const url = `${path}/${body.data.id}`;
    const read = await pricing.get(url);
    expect((await pricing.post(`${url}/redemptions`, { orderId: 'o-1' })).status).toBe(201);
    const given = { 'if-match': read.headers.get('etag') ?? '' };
    const replies = await Promise.all(
      Array.from({ length: 20 }, async (_, n) =>
        n % 5 === 0
          ? pricing.replica(n % 2).delete(url, given)
          : pricing.replica(n % 2).patch(url, { name: `name ${n}` }, given),
      ),
    );
    const [won, ...others] = replies.filter(({ status }) => status === 200);
    expect(others).toEqual([]);
    expect(won?.body.data.version).toBe(read.body.data.version + 1);
    const { usage: _usage, ...after } = (await pricing.get(url)).body.data;
    expect(after).toEqual(won?.body.data);
    const refused = replies.filter(({ status }) => status === 409);
    expect(refused).toHaveLength(19);
    expect(new Set(refused.map(({ body: { error } }) => `${error.code}: ${error.message}`))).toEqual(
      new Set(['VERSION_CONFLICT: The adjustment does not match If-Match: it is at version 2. Read it and try again.']),
    );
  });

  test('is possible even if its code is longer than today’s limit', async () => {
    const { pricing } = services.newCompany();
    const code = 'ß'.repeat(40).toUpperCase();
    const { body } = await pricing.post(path, adjustmentBody(newCode()));
    const one = `${path}/${body.data.id}`;
    await services.models.pricing.adjustments.collection.updateOne(
      { _id: body.data.id },
      {
        $set: { 'conditions.code': code, heldCode: code },
      },
    );
    const changed = await pricing.patch(one, { conditions: { maxRedemptions: 2 } });
    expect([changed.status, changed.body.data.conditions]).toEqual([200, { code, maxRedemptions: 2 }]);
    expect((await pricing.post(`${one}/redemptions`, { orderId: 'o-1' })).status).toBe(201);
    expect((await pricing.patch(one, { status: 'paused' })).status).toBe(200);
    expect((await pricing.delete(one)).status).toBe(200);
  });

  test.each([
    ['pauses', async (api: ApiClient, url: string) => api.patch(url, { status: 'paused' })],
    ['archives', async (api: ApiClient, url: string) => api.delete(url)],
  ])('%s one that today’s rules forbid', async (_what, end) => {
    const { pricing } = services.newCompany();
    const { body } = await pricing.post(path, adjustmentBody(newCode()));
    const url = `${path}/${body.data.id}`;
    const perOrder = { $set: { application: 'at-listing', 'effect.per': 'order' } };
    await services.models.pricing.adjustments.collection.updateOne({ _id: body.data.id }, perOrder);
    expect((await pricing.patch(url, { name: 'Other' })).status).toBe(400);
    const ended = await end(pricing, url);
    expect(ended.status).toBe(200);
    expect(ended.body.data).toMatchObject({ application: 'at-listing', effect: { per: 'order' }, version: 2 });
  });

  test('with database operators changes nothing', async () => {
    const { pricing } = services.newCompany();
    const { body: created } = await pricing.post(path, adjustmentBody(newCode()));
    const { status, body } = await pricing.patch(`${path}/${created.data.id}`, { $set: { name: 'other' } });
    expect([status, body.data.version]).toEqual([200, 1]);
    expect((await pricing.get(`${path}/${created.data.id}`)).body.data).toMatchObject(created.data);
  });
});
