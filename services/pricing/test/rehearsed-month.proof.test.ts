import { proofSize } from '@event-commerce/test-kit';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Services, startServices } from '../../../tests/harness/services.ts';
import { EUR, newShop, PATIENT } from '../../commerce/test/shop.ts';

const MONTHS = proofSize(8, 150);
const PERIOD = { from: '2020-01-01T00:00:00Z', to: '2099-01-01T00:00:00Z' };

let services: Services;
beforeAll(async () => {
  services = await startServices({
    replicas: { pricing: 2, commerce: 1, events: 1 },
    asProcesses: ['pricing'],
  });
});
afterAll(async () => services?.stop());

const effects = fc.record({
  kind: fc.constant('percentage_off'),
  percent: fc.integer({ min: 1, max: 70 }),
  per: fc.constantFrom('unit', 'order'),
});
const definitions = fc.record({
  effect: effects,
  stacking: fc.constantFrom('stackable', 'replace-within-category', 'exclusive'),
  effectBase: fc.constantFrom('list-price', 'current-price'),
  priority: fc.integer({ min: 0, max: 3 }),
  category: fc.constantFrom('a', 'b'),
});
const conditions = fc.record(
  {
    minQuantity: fc.integer({ min: 1, max: 4 }),
    maxRedemptions: fc.integer({ min: 1, max: 4 }),
    maxRedemptionsPerCustomer: fc.integer({ min: 1, max: 2 }),
    maxTickets: fc.integer({ min: 1, max: 9 }),
    isBudgeted: fc.boolean(),
  },
  { requiredKeys: [] },
);
const orders = fc.record({
  first: fc.integer({ min: 1, max: 3 }),
  second: fc.integer({ min: 0, max: 3 }),
  customer: fc.integer({ min: 0, max: 2 }),
  entersCode: fc.boolean(),
  /** After how many orders it is cancelled, if it is. */
  cancelled: fc.option(fc.integer({ min: 0, max: 3 }), { freq: 4 }),
});
const anyMonth = fc.record({
  /** They stay as they are. */
  others: fc.array(definitions, { maxLength: 2 }),
  before: fc.record({ definition: definitions, conditions, hasCode: fc.boolean() }),
  after: fc.record({ definition: definitions, conditions }),
  orders: fc.array(orders, { minLength: 1, maxLength: 9 }),
  kind: fc.constantFrom('patch', 'patch', 'create', 'archive'),
});
/** Only the changed adjustment has caps: any other that was full for an order stays full in a rehearsal. */
const months = anyMonth.map((month) => {
  const { before, kind } = month;
  const { minQuantity } = before.conditions;
  const uncapped = minQuantity === undefined ? {} : { minQuantity };
  return kind === 'create' ? { ...month, before: { ...before, conditions: uncapped } } : month;
});
type Month = typeof months extends fc.Arbitrary<infer T> ? T : never;

/** A company that has the adjustments of a month before the change, and plays its orders. */
async function newCompany(month: Month) {
  const shop = await newShop(services);
  const { commerce, companyId, offer, order, pricing, ticket } = shop;
  const second = await offer('Balcony', 3_333);
  const budget = { name: 'Budget', limit: EUR(4_321), onExhausted: 'partial' };
  const budgetId = (await pricing.post('/pricing/budgets', budget)).body.data.id as string;
  const targets = [{ urn: `urn:v1:${companyId}:events:event/*` }];
  /** Every possible condition, so that a patch removes those that `given` lacks. */
  const conditionsOf = ({ isBudgeted = false, ...given }: Month['after']['conditions'], code: string | null) => ({
    minQuantity: null,
    maxRedemptions: null,
    maxRedemptionsPerCustomer: null,
    maxTickets: null,
    ...given,
    code,
    budgetId: isBudgeted ? budgetId : null,
  });
  const create = async (body: object) => {
    const made = await pricing.post('/pricing/adjustments', { targets, ...body });
    expect([made.status, made.body.error]).toEqual([201, undefined]);
    return made.body.data.id as string;
  };
  for (const [n, other] of month.others.entries()) await create({ ...other, name: `Other ${n}` });
  const { before, after } = month;
  const code = before.hasCode ? 'PLAY' : null;
  const type = before.hasCode ? 'coupon' : 'promotion';
  const id = await create({ ...before.definition, type, conditions: conditionsOf(before.conditions, code) });
  const changes = {
    patch: { id, ...after.definition, conditions: conditionsOf(after.conditions, code) },
    archive: { id },
    create: { targets, name: 'New', ...after.definition, conditions: conditionsOf(after.conditions, null) },
  };

  /** Undefined if it is refused. Waits until earlier orders are settled. */
  const buy = async ({ first, second: more, customer, entersCode }: Month['orders'][number]) => {
    const items = [
      { offeringId: ticket, quantity: first },
      ...(more === 0 ? [] : [{ offeringId: second, quantity: more }]),
    ];
    const coupons = entersCode && before.hasCode ? ['PLAY'] : [];
    const buyer = { customer: { id: `cus_${customer}`, email: `${customer}@example.com` } };
    let placed = await order({ items, coupons, ...buyer });
    // Earlier orders are being settled.
    const waits = () => placed.body.error?.message.endsWith('Try again in a moment.') === true;
    for (const endMs = Date.now() + PATIENT.timeout; waits() && Date.now() < endMs;) {
      placed = await order({ items, coupons, ...buyer });
    }
    expect([placed.status, waits()]).toEqual([expect.toBeOneOf([201, 400, 409]), false]);
    return placed.body.data?.order as { id: string; costs: { total: number } } | undefined;
  };

  /** Plays the orders of `accepted`, or all; each with what it was charged. */
  const play = async (accepted?: ReadonlySet<number>) => {
    const placed = new Map<number, { id: string; costs: { total: number } }>();
    for (const [index, asked] of month.orders.entries()) {
      for (const [earlier, { cancelled }] of month.orders.entries()) {
        const standing = placed.get(earlier);
        if (cancelled === null || standing === undefined || earlier + cancelled + 1 !== index) continue;
        expect((await commerce.post(`/orders/${standing.id}/cancel`)).status).toBe(200);
      }
      if (accepted?.has(index) === false) continue;
      const bought = await buy(asked);
      if (bought !== undefined) placed.set(index, bought);
    }
    const stands = ({ cancelled }: Month['orders'][number], index: number) =>
      cancelled === null || index + cancelled + 1 >= month.orders.length;
    const standing = [...placed].filter(([index]) => {
      const asked = month.orders[index];
      return asked !== undefined && stands(asked, index);
    });
    return { placed, standing: new Map(standing) };
  };

  return {
    change: { [month.kind]: changes[month.kind] },
    play,
    make: async () => {
      if (month.kind === 'create') {
        await create(changes.create);
        return;
      }
      const body = month.kind === 'archive' ? { status: 'archived' } : changes.patch;
      const made = await pricing.patch(`/pricing/adjustments/${id}`, { ...body, id: undefined });
      expect([made.status, made.body.error]).toEqual([200, undefined]);
    },
    rehearse: async (changed: object[]) => {
      const started = await pricing.post('/pricing/rehearsals', { ...PERIOD, changes: changed });
      expect([started.status, started.body.error]).toEqual([expect.toBeOneOf([201, 202]), undefined]);
      const read = async () => (await pricing.get(`/pricing/rehearsals/${started.body.data.id}`)).body.data;
      await expect.poll(async () => (await read()).status, PATIENT).toBe('done');
      return (await read()).report;
    },
  };
}

const totalOf = (all: Iterable<{ costs: { total: number } }>) =>
  [...all].reduce((sum, { costs }) => sum + costs.total, 0);

test(
  'a rehearsal without changes gives the month as it was, and one with changes gives the month as played under them',
  { timeout: 60_000 + MONTHS * 20_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(months, async (month) => {
        const played = await newCompany(month);
        const { placed, standing } = await played.play();
        const was = totalOf(standing.values());
        const unchanged = await played.rehearse([]);
        expect([unchanged.orders, unchanged.touched, unchanged.kept]).toEqual([
          standing.size,
          0,
          { amended: 0, stated: 0, unexplained: 0 },
        ]);
        for (const { before, after } of unchanged.currencies) expect([before.revenue, after]).toEqual([was, before]);

        const again = await newCompany(month);
        await again.make();
        const then = await again.play(new Set(placed.keys()));
        const report = await played.rehearse([played.change]);
        const refused = [...standing.keys()].filter((index) => !then.standing.has(index));
        const [counted] = report.currencies;
        expect([counted?.before.revenue ?? 0, counted?.after.revenue ?? 0, counted?.refused.orders ?? 0]).toEqual([
          was,
          totalOf(then.standing.values()),
          refused.length,
        ]);
      }),
      { numRuns: MONTHS, endOnFailure: true },
    );
  },
);
