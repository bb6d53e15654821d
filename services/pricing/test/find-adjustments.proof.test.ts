import { type Adjustment, targetPath, wordsOf } from '@event-commerce/contracts';
import { adjustmentBody, type ApiClient, liveTenant } from '@event-commerce/test-kit';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sharedServices } from '../../../tests/harness/services.ts';
import { adjustmentAmounts } from '../src/adjustments/adjustment-quota.ts';
import { followCoupon } from './purchases.ts';

const services = await sharedServices();

const path = '/pricing/adjustments';
const searched = (query: Record<string, string>) => `${path}?${new URLSearchParams(query).toString()}`;

async function create(api: ApiClient, body: Record<string, unknown>): Promise<Adjustment> {
  const { status, body: reply } = await api.post(path, body);
  expect([status, reply.error?.message]).toEqual([201, undefined]);
  return reply.data;
}
const promotion = (body: Record<string, unknown>) =>
  adjustmentBody('', { type: 'promotion', conditions: {}, status: 'paused', ...body });

async function allPages(api: ApiClient, query: Record<string, string>, limit: number): Promise<string[]> {
  const found: string[] = [];
  let page: Record<string, string> = {};
  for (;;) {
    const { status, body } = await api.get(searched({ ...query, limit: String(limit), ...page }));
    expect([status, body.error?.message]).toEqual([200, undefined]);
    found.push(...body.data.map(({ id }: Adjustment) => id));
    if (body.page.next === null) return found;
    page = { cursor: body.page.next };
  }
}
const find = async (api: ApiClient, query: Record<string, string>) => allPages(api, query, 50);

test('adjustments are found by what they name, by their texts, and by their new content after a change', async () => {
  const company = services.newCompany();
  const { companyId, pricing: api } = company;
  const spring = await create(api, {
    ...promotion({
      name: 'Frühlings-Aktion',
      category: ' Früh & gut ',
      origin: 'box office',
      conditions: { code: 'Straße-20' },
    }),
    targets: [{ urn: 'urn:v1:x:events:event/evt_1' }, { eventId: 'evt_2', offeringId: 'off_1' }],
  });
  const groups = await create(api, promotion({ name: 'Groups', type: 'group', targets: [{ offeringId: 'off_1' }] }));
  const tour = await create(api, promotion({ name: 'Tour', targets: [{ urn: 'urn:v1::events:series/evt_1' }] }));
  const all = await create(api, promotion({ name: 'All', targets: [{ urn: 'urn:v1::events:event/*' }] }));
  const coupon = { id: 'cpn_1', companyId, version: 1, code: 'SUMMER', percentOff: 5 };
  await followCoupon(services, company, { ...coupon, contextIds: ['evt_2'], offeringIds: ['off_2'] });
  const [ofCoupon = ''] = await find(api, { code: 'summer' });

  const cases: [Record<string, string>, string[]][] = [
    [{ type: 'coupon' }, [ofCoupon]],
    [{ type: 'promotion' }, [all.id, tour.id, spring.id]],
    [{ type: 'Promotion' }, []],
    [{ category: 'Früh & gut' }, [spring.id]],
    [{ category: 'Früh' }, []],
    [{ eventId: 'evt_1' }, [tour.id, spring.id]],
    [{ eventId: 'evt_2' }, [ofCoupon, spring.id]],
    [{ eventId: '*' }, [all.id]],
    [{ offeringId: 'off_1' }, [groups.id, spring.id]],
    [{ offeringId: 'off_2' }, [ofCoupon]],
    [{ eventId: 'evt_1', offeringId: 'off_1' }, [spring.id]],
    [{ eventId: 'off_1' }, []],
    [{ q: 'FRUHL akt' }, [spring.id]],
    [{ q: 'aktion strass' }, [spring.id]],
    [{ q: 'straße 20' }, [spring.id]],
    [{ q: 'ktion' }, []],
    [{ q: 'tour groups' }, []],
    [{ q: 'sum', type: 'coupon', eventId: 'evt_2', status: 'active', code: 'Summer' }, [ofCoupon]],
    [{ q: 'sum', status: 'paused' }, []],
  ];
  for (const [query, ids] of cases) expect([query, await find(api, query)]).toEqual([query, ids]);
  expect(await find(services.newCompany().pricing, { type: 'promotion' })).toEqual([]);

  const change = { name: 'Late', targets: [{ eventId: 'evt_3' }], category: 'late' };
  const changed = (await api.patch(`${path}/${spring.id}`, change)).body.data;
  expect(changed).not.toHaveProperty('terms');
  expect(await find(api, { eventId: 'evt_1' })).toEqual([tour.id]);
  expect(await find(api, { eventId: 'evt_3', category: 'late', q: 'late 20' })).toEqual([spring.id]);
});

test('any combination of filters finds, in pages, the same as checking every adjustment', async () => {
  const api = services.newCompany().pricing;
  const types = ['promotion', 'group'];
  const events = ['evt_1', 'evt_2', '*'];
  const offerings = ['off_1', 'off_2'];
  const names = ['Early bird', 'early Évening', 'Groups'];
  const pick = <T>(of: readonly T[], n: number) => of[n % of.length] as T;
  const all: Adjustment[] = [];
  for (let n = 0; n < 60; n++) {
    const targets = [
      { urn: `urn:v1::events:event/${pick(events, n)}` },
      ...(n % 4 === 0 ? [{ offeringId: pick(offerings, n >> 2) }] : []),
      ...(n % 5 === 0 ? [{ eventId: pick(events, n >> 1), offeringId: 'off_2' }] : []),
    ];
    const fields = { name: pick(names, n >> 2), type: pick(types, n), category: pick(names, n >> 3).slice(0, 5) };
    const conditions = n % 3 === 0 ? { code: `BIRD-${n % 2}` } : {};
    all.unshift(await create(api, promotion({ ...fields, targets, conditions, status: pick(['paused', 'draft'], n) })));
  }
  const values = {
    status: fc.constantFrom('paused', 'draft'),
    type: fc.constantFrom(...types),
    category: fc.constantFrom('Early', 'Group'),
    eventId: fc.constantFrom(...events),
    offeringId: fc.constantFrom(...offerings),
    code: fc.constantFrom('bird-0', 'bird-1'),
    q: fc.constantFrom('e', 'EARLY eve', 'bird', '0 b', 'early bi', 'x'),
  };
  const places = ({ targets }: Adjustment) => targets.map(targetPath);
  await fc.assert(
    fc.asyncProperty(fc.record(values, { requiredKeys: [] }), fc.integer({ min: 4, max: 60 }), async (query, limit) => {
      const { status, type, category, eventId, offeringId, code, q = '' } = query;
      const expected = all.filter(
        (one) =>
          (status ?? one.status) === one.status &&
          (type ?? one.type) === one.type &&
          (category ?? one.category) === one.category &&
          (eventId === undefined || places(one).some(({ context }) => context === `event/${eventId}`)) &&
          (offeringId === undefined || places(one).some((place) => place.offeringId === offeringId)) &&
          (code === undefined || code.toUpperCase() === one.conditions.code) &&
          wordsOf(q).every((beginning) =>
            wordsOf(`${one.name} ${one.conditions.code ?? ''}`).some((word) => word.startsWith(beginning)),
          ),
      );
      expect(await allPages(api, query, limit)).toEqual(expected.map(({ id }) => id));
    }),
    { numRuns: 30 },
  );
});

test('an adjustment with the most and longest targets allowed is found by each of them, and not by similar ones', async () => {
  const api = services.newCompany().pricing;
  const longId = (n: number) => '界'.repeat(250) + String(n).padStart(6, '0');
  const targets = Array.from({ length: 500 }, (_, n) => ({ eventId: longId(n), offeringId: longId(n + 500) }));
  const { id } = await create(api, promotion({ targets }));
  await create(api, promotion({ targets: [{ eventId: longId(1_000) }] }));
  for (const n of [0, 499]) {
    const query = { eventId: longId(n), offeringId: longId(n + 500) };
    expect((await api.get(searched({ ...query, limit: '1' }))).body.data.map((one: Adjustment) => one.id)).toEqual([
      id,
    ]);
  }
  expect(await find(api, { eventId: longId(500) })).toEqual([]);
});

test.each([
  ['type', 'a b', 'must begin with a letter or digit and have only letters, digits, _, . and - (got "a b")'],
  ['eventId', 'x'.repeat(257), 'must have at most 256 characters (got 257)'],
  ['offeringId', '\u0000', 'must not have control characters or broken Unicode (got "\\u0000")'],
  ['q', '?!', 'must have a letter or digit (got "?!")'],
  ['q', 'x'.repeat(257), 'must have at most 256 characters (got 257)'],
  ['eventIds', 'evt_1', 'is unknown; did you mean eventId?'],
])('the list refuses a wrong %s in plain words', async (field, value, problem) => {
  const { status, body } = await services.newCompany().pricing.get(searched({ [field]: value }));
  const { code, message } = body.error;
  expect([status, code, message]).toEqual([
    400,
    'VALIDATION_FAILED',
    `${field} ${problem}${problem.endsWith('?') ? '' : '.'}`,
  ]);
});

test('search terms of an adjustment count towards no quota', async () => {
  const { companyId, pricing } = services.newCompany();
  await create(pricing, promotion({}));
  const tenant = liveTenant(companyId);
  const amount = async () => adjustmentAmounts(services.models.pricing).adjustments(tenant);
  const before = await amount();
  await services.models.pricing.adjustments.collection.updateMany({ companyId: tenant }, { $unset: { terms: '' } });
  expect(await amount()).toEqual(before);
});
