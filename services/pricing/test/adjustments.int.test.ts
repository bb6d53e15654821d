import { adjustmentBody, evaluationBody, newCode } from '@event-commerce/test-kit';
import { describe, expect, test } from 'vitest';
import { sharedServices } from '../../../tests/harness/services.ts';
import { evaluate } from './purchases.ts';

const services = await sharedServices();

const path = '/pricing/adjustments';

/** `201`, `409 COUPON_CODE_TAKEN`, ..., in order. */
const outcomes = (replies: readonly { status: number; body: any }[]) =>
  replies.map(({ status, body }) => [status, body.error?.code].filter(Boolean).join(' ')).toSorted();

describe('reading adjustments', () => {
  test('shows how much of its cap each adjustment has used, alone and in the list', async () => {
    const { pricing } = services.newCompany();
    const [capped, open] = await Promise.all(
      [adjustmentBody('CAPPED', { conditions: { code: 'CAPPED', maxRedemptions: 3 } }), adjustmentBody('OPEN')].map(
        async (sent) => (await pricing.post(path, sent)).body.data,
      ),
    );
    for (const orderId of ['a', 'b']) await pricing.post(`${path}/${capped.id}/redemptions`, { orderId });
    expect((await pricing.get(`${path}/${capped.id}`)).body.data.usage).toEqual({
      redeemed: 2,
      claimed: 2,
      remaining: 1,
    });
    const { data } = (await pricing.get(path)).body;
    expect(new Map(data.map(({ id, usage }: { id: string; usage: unknown }) => [id, usage]))).toEqual(
      new Map([
        [capped.id, { redeemed: 2, claimed: 2, remaining: 1 }],
        [open.id, { redeemed: 0, claimed: 0, remaining: null }],
      ]),
    );
  });
});

describe('creating an adjustment', () => {
  test('ignores server-controlled fields, and sets the company in record and urn', async () => {
    const { companyId, pricing } = services.newCompany();
    const { status, body } = await pricing.post(path, {
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
    const { usage, ...read } = (await pricing.get(`${path}/${body.data.id}`)).body.data;
    expect([read, usage]).toEqual([body.data, { redeemed: 0, claimed: 0, remaining: null }]);
  });

  test('keeps the code trimmed and upper-cased', async () => {
    const { pricing } = services.newCompany();
    const { body } = await pricing.post(path, adjustmentBody('  spring20 '));
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
    ['an unknown currency', { effect: { kind: 'amount_off', amount: 5, currency: 'EURO' } }, 'effect.currency'],
    ['an unknown kind', { effect: { kind: 'free_beer' } }, 'effect.kind'],
    ['an unknown status', { status: 'live' }, 'status'],
    [
      'an end before the start',
      { conditions: { code: 'X', startsAt: '2027-01-02T00:00:00Z', endsAt: '2027-01-01T00:00:00Z' } },
      'conditions.endsAt',
    ],
  ])('refuses %s, naming the field', async (_what, change, field) => {
    const { pricing } = services.newCompany();
    const { status, body } = await pricing.post(path, adjustmentBody(newCode(), change));
    expect([status, body.error.code]).toEqual([400, 'VALIDATION_FAILED']);
    expect(body.error.details.map((detail: { path: string }) => detail.path)).toContain(field);
  });
});

describe('a code', () => {
  test('is held by one of the active adjustments that race for it, and the others are 409', async () => {
    const { pricing } = services.newCompany();
    const code = newCode();
    const bodies = Array.from({ length: 10 }, (_, n) => adjustmentBody(n % 2 ? code : code.toLowerCase()));
    const replies = await Promise.all(bodies.map(async (body, n) => pricing.replica(n % 2).post(path, body)));
    expect(outcomes(replies)).toEqual(['201', ...Array(9).fill('409 COUPON_CODE_TAKEN')]);
  });

  test('has one active holder when drafts are activated at once', async () => {
    const { pricing } = services.newCompany();
    const code = newCode();
    const urls: string[] = [];
    for (let n = 0; n < 5; n++) {
      const { body } = await pricing.post(path, adjustmentBody(code, { status: 'draft' }));
      urls.push(`${path}/${body.data.id}`);
    }
    const replies = await Promise.all(
      urls.map(async (url, n) => pricing.replica(n % 2).patch(url, { status: 'active' })),
    );
    expect(outcomes(replies)).toEqual(['200', ...Array(4).fill('409 COUPON_CODE_TAKEN')]);
  });

  test('is free for another company', async () => {
    const code = newCode();
    expect((await services.newCompany().pricing.post(path, adjustmentBody(code))).status).toBe(201);
    expect((await services.newCompany().pricing.post(path, adjustmentBody(code))).status).toBe(201);
  });

  test('is held only by an active adjustment, and free again when its holder is archived', async () => {
    const company = services.newCompany();
    const { pricing } = company;
    const code = newCode();
    const create = async (change: Record<string, unknown>) => pricing.post(path, adjustmentBody(code, change));
    const scheduled = { status: 'scheduled', conditions: { code, startsAt: '2099-01-01T00:00:00Z' } };
    const before = await create(scheduled);
    const drafts = [await create({ status: 'draft' }), await create({ status: 'paused' })];
    const holder = await create({});
    expect([before, ...drafts, holder].map(({ status }) => status)).toEqual([201, 201, 201, 201]);

    // No other adjustment becomes active or scheduled with the code, by POST or by PATCH.
    const others = [before, ...drafts].map(({ body }) => `${path}/${body.data.id}`);
    const refused = [
      await create({}),
      await create(scheduled),
      ...(await Promise.all(others.map(async (url) => pricing.patch(url, { status: 'active' })))),
      await pricing.patch(others[1] ?? '', scheduled),
    ];
    expect(outcomes(refused)).toEqual(refused.map(() => '409 COUPON_CODE_TAKEN'));

    // The scheduled one keeps the code that it had before.
    const edited = await pricing.patch(others[0] ?? '', { name: 'Next year' });
    expect([edited.status, edited.body.data?.name]).toEqual([200, 'Next year']);
    const propose = async (change: Record<string, unknown>) => {
      const proposed = [{ ...adjustmentBody(code, change), id: before.body.data.id }];
      return await evaluate(services, company, { ...evaluationBody(), proposed });
    };
    await expect(propose(scheduled)).resolves.toHaveProperty('summary');
    await expect(propose({ status: 'active' })).rejects.toMatchObject({ code: 'COUPON_CODE_TAKEN' });

    const archived = await pricing.delete(`${path}/${holder.body.data.id}`);
    expect([archived.status, archived.body.data.status]).toEqual([200, 'archived']);
    expect((await pricing.patch(others[1] ?? '', { status: 'active' })).status).toBe(200);
  });
});

test('a list is paged newest first, complete and without repeats', async () => {
  const { pricing } = services.newCompany();
  const created: string[] = [];
  for (let n = 0; n < 5; n++) created.push((await pricing.post(path, adjustmentBody(newCode()))).body.data.id);
  const seen: string[] = [];
  let cursor = '';
  do {
    const { body } = await pricing.get(`${path}?limit=2${cursor}`);
    seen.push(...body.data.map((adjustment: { id: string }) => adjustment.id));
    cursor = body.page.next === null ? '' : `&cursor=${body.page.next}`;
  } while (cursor !== '');
  expect(seen).toEqual(created.toReversed());
});

test.each(['limit=0', 'limit=201', 'limit=1e9', 'limit=-1', 'cursor=%F0%9F%98%80', 'status=live'])(
  'a list refuses %s',
  async (query) => {
    expect((await services.newCompany().pricing.get(`${path}?${query}`)).status).toBe(400);
  },
);

test("another company's adjustment is not found", async () => {
  const { body } = await services.newCompany().pricing.post(path, adjustmentBody(newCode()));
  const stranger = services.newCompany().pricing;
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
