import { adjustmentBody, newCode } from '@event-commerce/test-kit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type PricingReplicas, startPricingReplicas } from './harness.ts';

let pricing: PricingReplicas;
beforeAll(async () => {
  pricing = await startPricingReplicas({ replicas: 1 });
});
afterAll(async () => pricing.stop());

const path = '/pricing/adjustments';

describe('creating an adjustment', () => {
  test('ignores server-controlled fields, and sets the company in record and urn', async () => {
    const { companyId, api } = pricing.newCompany();
    const { status, body } = await api().post(path, {
      ...adjustmentBody('  spring '),
      id: 'adj_mine',
      companyId: 'other',
      created: '2001-01-01T00:00:00Z',
      changed: '2001-01-01T00:00:00Z',
      targets: [{ urn: 'urn:v1:other:events:event/evt_1', eventId: 'evt_1', companyId: 'other' }],
    });
    expect(status).toBe(201);
    expect(body.data).toMatchObject({
      companyId,
      targets: [{ urn: `urn:v1:${companyId}:events:event/evt_1`, eventId: 'evt_1', companyId }],
    });
    expect(body.data.id).toMatch(/^adj_[0-9a-z]{26}$/);
    expect(Date.parse(body.data.created)).toBeGreaterThan(Date.parse('2020-01-01T00:00:00Z'));
    expect((await api().get(`${path}/${body.data.id}`)).body.data).toEqual(body.data);
  });

  test('keeps the code trimmed and upper-cased', async () => {
    const { api } = pricing.newCompany();
    const { body } = await api().post(path, adjustmentBody('  spring20 '));
    expect(body.data.conditions.code).toBe('SPRING20');
  });

  test.each<[string, Record<string, unknown>, string]>([
    ['no target', { targets: [] }, 'targets'],
    ['a target without urn or event', { targets: [{}] }, 'targets[0].urn'],
    ['a urn of another form', { targets: [{ urn: 'event/evt_1' }] }, 'targets[0].urn'],
    ['a coupon without code', { conditions: {} }, 'conditions.code'],
    ['a blank code', { conditions: { code: '   ' } }, 'conditions.code'],
    ['more than 100 percent', { effect: { kind: 'percentage_off', percent: 100.1 } }, 'effect.percent'],
    ['five decimals', { effect: { kind: 'percentage_off', percent: 12.34567 } }, 'effect.percent'],
    ['a number as text', { effect: { kind: 'amount_off', amount: '5', currency: 'EUR' } }, 'effect.amount'],
    ['half a cent', { effect: { kind: 'amount_off', amount: 0.5, currency: 'EUR' } }, 'effect.amount'],
    ['a currency that is none', { effect: { kind: 'amount_off', amount: 5, currency: 'EURO' } }, 'effect.currency'],
    ['an unknown kind', { effect: { kind: 'free_beer' } }, 'effect.kind'],
    ['an unknown status', { status: 'live' }, 'status'],
    [
      'an end before the start',
      { conditions: { code: 'X', startsAt: '2027-01-02T00:00:00Z', endsAt: '2027-01-01T00:00:00Z' } },
      'conditions.endsAt',
    ],
  ])('refuses %s, naming the field', async (_what, change, field) => {
    const { api } = pricing.newCompany();
    const { status, body } = await api().post(path, adjustmentBody(newCode(), change));
    expect([status, body.error.code]).toEqual([400, 'VALIDATION_FAILED']);
    expect(body.error.details.map((detail: { path: string }) => detail.path)).toContain(field);
  });
});

describe('a code', () => {
  test('is held by one active adjustment of 20 that race for it', async () => {
    const { api } = pricing.newCompany();
    const code = newCode();
    const replies = await Promise.all(
      Array.from({ length: 20 }, async (_, n) => api().post(path, adjustmentBody(n % 2 ? code : code.toLowerCase()))),
    );
    expect(replies.filter((reply) => reply.status === 201)).toHaveLength(1);
    expect(
      replies.filter((reply) => reply.status === 409 && reply.body.error.code === 'COUPON_CODE_TAKEN'),
    ).toHaveLength(19);
  });

  test('is free for another company', async () => {
    const code = newCode();
    expect((await pricing.newCompany().api().post(path, adjustmentBody(code))).status).toBe(201);
    expect((await pricing.newCompany().api().post(path, adjustmentBody(code))).status).toBe(201);
  });

  test('is held by a scheduled one, not by a draft, and free again when its holder is archived', async () => {
    const { api } = pricing.newCompany();
    const code = newCode();
    const held = await api().post(
      path,
      adjustmentBody(code, { status: 'scheduled', conditions: { code, startsAt: '2099-01-01T00:00:00Z' } }),
    );
    const draft = await api().post(path, adjustmentBody(code, { status: 'draft' }));
    expect([held.status, draft.status]).toEqual([201, 201]);
    const activate = () => api().patch(`${path}/${draft.body.data.id}`, { status: 'active' });
    expect((await activate()).status).toBe(409);
    const archived = await api().delete(`${path}/${held.body.data.id}`);
    expect([archived.status, archived.body.data.status]).toEqual([200, 'archived']);
    expect((await activate()).status).toBe(200);
  });

  test('has one active holder when 20 drafts are activated at once', async () => {
    const { api } = pricing.newCompany();
    const code = newCode();
    const drafts = await Promise.all(
      Array.from({ length: 20 }, () => api().post(path, adjustmentBody(code, { status: 'draft' }))),
    );
    const statuses = await Promise.all(
      drafts.map(async (draft) => (await api().patch(`${path}/${draft.body.data.id}`, { status: 'active' })).status),
    );
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 409)).toHaveLength(19);
  });
});

describe('changing an adjustment', () => {
  test('validates the whole result', async () => {
    const { api } = pricing.newCompany();
    const { body } = await api().post(path, adjustmentBody(newCode()));
    const refused = await api().patch(`${path}/${body.data.id}`, { conditions: { code: null } });
    expect([refused.status, refused.body.error.details[0].path]).toEqual([400, 'conditions.code']);
    const changed = await api().patch(`${path}/${body.data.id}`, { conditions: { minQuantity: 4 }, name: 'Groups' });
    expect(changed.body.data).toMatchObject({
      name: 'Groups',
      conditions: { ...body.data.conditions, minQuantity: 4 },
    });
    expect(changed.body.data.created).toBe(body.data.created);
  });

  test('keeps every one of several concurrent changes of different fields', async () => {
    const { api } = pricing.newCompany();
    const { body } = await api().post(path, adjustmentBody(newCode()));
    const url = `${path}/${body.data.id}`;
    const fields = ['minQuantity', 'maxQuantity', 'maxRedemptions'].map((field) => ({ conditions: { [field]: 7 } }));
    const changes = [...fields, { priority: 3 }, { name: 'Changed' }];
    const replies = await Promise.all(changes.map((change) => api().patch(url, change)));
    expect(replies.map((reply) => reply.status)).toEqual(changes.map(() => 200));
    expect((await api().get(url)).body.data).toMatchObject({
      name: 'Changed',
      priority: 3,
      conditions: { minQuantity: 7, maxQuantity: 7, maxRedemptions: 7 },
    });
  });

  test('does not accept database operators', async () => {
    const { api } = pricing.newCompany();
    const { body } = await api().post(path, adjustmentBody(newCode()));
    const { status } = await api().patch(`${path}/${body.data.id}`, { $set: { companyId: 'other' } });
    expect(status).toBe(400);
  });
});

test('a list is paged newest first, whole and without repeats', async () => {
  const { api } = pricing.newCompany();
  const created: string[] = [];
  for (let n = 0; n < 5; n++) created.push((await api().post(path, adjustmentBody(newCode()))).body.data.id);
  const seen: string[] = [];
  let cursor = '';
  do {
    const { body } = await api().get(`${path}?limit=2${cursor}`);
    seen.push(...body.data.map((adjustment: { id: string }) => adjustment.id));
    cursor = body.page.next === null ? '' : `&cursor=${body.page.next}`;
  } while (cursor !== '');
  expect(seen).toEqual(created.toReversed());
});

test.each(['limit=0', 'limit=201', 'limit=1e9', 'limit=-1', 'cursor=%F0%9F%98%80', 'status=live'])(
  'a list refuses %s',
  async (query) => {
    expect((await pricing.newCompany().api().get(`${path}?${query}`)).status).toBe(400);
  },
);

test("another company's adjustment is not found", async () => {
  const { body } = await pricing.newCompany().api().post(path, adjustmentBody(newCode()));
  const stranger = pricing.newCompany().api();
  const url = `${path}/${body.data.id}`;
  const replies = await Promise.all([
    stranger.get(url),
    stranger.patch(url, { name: 'mine' }),
    stranger.delete(url),
    stranger.post(`${url}/redemptions`, { orderId: 'o1' }),
    stranger.get(`${url}/redemptions`),
    stranger.delete(`${url}/redemptions/rdm_1`),
  ]);
  expect(replies.map((reply) => [reply.status, reply.body.error.code])).toEqual(
    replies.map(() => [404, 'ADJUSTMENT_NOT_FOUND']),
  );
});
