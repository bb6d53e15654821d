import { call } from '@event-commerce/bus';
import { RPC } from '@event-commerce/contracts';
import { liveTenant, triesOfOne } from '@event-commerce/test-kit';
import { describe, expect, test } from 'vitest';
import { type Company, sharedServices } from '../../../tests/harness/services.ts';
import { customerRedemptions } from '../src/redemptions/erase-customer.ts';
import { createAutomatic, redeem } from './purchases.ts';

const services = await sharedServices();

const LIMIT = { amount: 1_500, currency: 'EUR' };

async function newBudget({ pricing }: Company, changes: Record<string, unknown> = {}): Promise<any> {
  const { status, body } = await pricing.post('/pricing/budgets', { name: 'Summer', limit: LIMIT, ...changes });
  expect([status, body.error]).toEqual([201, undefined]);
  return body.data;
}

const problemOf = ({ status, body }: { status: number; body: any }) => [status, body.error?.details?.[0]?.path];

describe('a budget', () => {
  test('is created once for a key, read, found by words and listed newest first', async () => {
    const company = services.newCompany();
    const { pricing } = company;
    const [first, again] = triesOfOne();
    const body = { name: 'Winter sale', limit: LIMIT };
    const made = await pricing.post('/pricing/budgets', body, first);
    expect(made.body.data).toMatchObject({
      ...body,
      per: 'total',
      timezone: 'UTC',
      onExhausted: 'drop',
      version: 1,
      usage: { spent: 0, held: 0, left: 1_500 },
    });
    expect((await pricing.post('/pricing/budgets', body, again)).body.data.id).toBe(made.body.data.id);
    const others = [await newBudget(company), await newBudget(company, { per: 'customer' })];
    const list = async (query = '') => (await pricing.get(`/pricing/budgets${query}`)).body;
    const newestFirst = [...others.toReversed(), made.body.data].map(({ id }) => id);
    expect((await list()).data.map(({ id }: any) => id)).toEqual(newestFirst);
    expect((await list('?q=wint')).data).toMatchObject([{ id: made.body.data.id }]);
    const page = await list('?limit=2');
    const rest = await list(`?limit=2&cursor=${page.page.next}`);
    expect([...page.data, ...rest.data].map(({ id }: any) => id)).toEqual(newestFirst);
    expect((await list()).data[0].usage).toEqual({ spent: 0, held: 0, left: null });
    const events = () => company.published().filter(({ type }) => type === 'budget.created');
    await expect.poll(events).toHaveLength(3);
  });

  test('is changed under its version, but not in what its counters mean', async () => {
    const company = services.newCompany();
    const { pricing } = company;
    const { id, usage: _usage, ...shown } = await newBudget(company, { per: 'day' });
    const change = async (body: object, headers = {}) => await pricing.patch(`/pricing/budgets/${id}`, body, headers);
    expect((await change({ ...shown, limit: { amount: 2_000 } })).body.data).toMatchObject({
      version: 2,
      limit: { amount: 2_000, currency: 'EUR' },
    });
    expect((await change({ limit: { amount: 2_000 } })).body.data.version).toBe(2);
    expect((await change({ name: 'x' }, { 'if-match': '"1"' })).status).toBe(409);
    expect(problemOf(await change({ per: 'total' }))).toEqual([400, 'per']);
    expect(problemOf(await change({ limit: { currency: 'USD' } }))).toEqual([400, 'limit.currency']);
    expect(problemOf(await change({ limit: { amount: -1 } }))).toEqual([400, 'limit.amount']);
    const updated = () => company.published().filter(({ type }) => type === 'budget.updated');
    await expect.poll(updated).toHaveLength(1);
  });

  test('belongs to one company, and has only the parts that it counts', async () => {
    const company = services.newCompany();
    const { id } = await newBudget(company);
    const stranger = services.newCompany();
    const missing = await stranger.pricing.get(`/pricing/budgets/${id}`);
    expect([missing.status, missing.body.error.code]).toEqual([404, 'BUDGET_NOT_FOUND']);
    expect((await stranger.pricing.patch(`/pricing/budgets/${id}`, { name: 'x' })).status).toBe(404);
    const read = async (query: string) => problemOf(await company.pricing.get(`/pricing/budgets/${id}?${query}`));
    expect(await read('customerId=cus_1')).toEqual([400, 'customerId']);
    expect(await read('day=2027-01-01')).toEqual([400, 'day']);
    expect(await read('day=tomorrow')).toEqual([400, 'day']);
  });

  test('is known to every replica once it is created or changed', async () => {
    const company = services.newCompany();
    const { id: budgetId } = await newBudget(company);
    await createAutomatic(company, { conditions: { budgetId } });
    const offering = { id: 'off_1', price: { amount: 20_000, currency: 'EUR' } };
    const body = { offering, cartContext: { quantity: 1 } };
    const totals = async () => {
      const priced = await Promise.all(
        [0, 1, 2, 3].map(async () => call(services.bus, RPC.evaluate, body, company.context())),
      );
      return new Set(priced.map(({ summary }) => summary.total));
    };
    expect(await totals()).toEqual(new Set([20_000]));
    await company.pricing.patch(`/pricing/budgets/${budgetId}`, { limit: { amount: 2_000 } });
    expect(await totals()).toEqual(new Set([18_000]));
  });
});

describe('an adjustment', () => {
  test('draws on a budget that exists, and on none if it is a surcharge', async () => {
    const company = services.newCompany();
    const { pricing } = company;
    const { id: budgetId } = await newBudget(company);
    const { id: other } = await newBudget(services.newCompany());
    const adjustment = (changes: object) => ({
      targets: [{ eventId: 'evt_1' }],
      effect: { kind: 'percentage_off', percent: 10 },
      ...changes,
    });
    const create = async (changes: object) =>
      problemOf(await pricing.post('/pricing/adjustments', adjustment(changes)));
    const path = 'conditions.budgetId';
    expect(await create({ conditions: { budgetId: 'bud_x' } })).toEqual([400, path]);
    expect(await create({ conditions: { budgetId: other } })).toEqual([400, path]);
    const effect = { kind: 'amount_surcharge', amount: 100, currency: 'EUR' };
    expect(await create({ conditions: { budgetId }, effect })).toEqual([400, path]);
    const { id } = (await pricing.post('/pricing/adjustments', adjustment({}))).body.data;
    const change = async (body: object) => await pricing.patch(`/pricing/adjustments/${id}`, body);
    expect(problemOf(await change({ conditions: { budgetId: 'bud_x' } }))).toEqual([400, path]);
    expect((await change({ conditions: { budgetId } })).body.data.conditions).toEqual({ budgetId });
    expect((await change({ conditions: { budgetId: null } })).body.data.conditions).toEqual({});
  });
});

test('what an erased customer drew counts on, under a pseudonym', async () => {
  const company = services.newCompany();
  const { id: budgetId } = await newBudget(company, { per: 'customer' });
  const id = await createAutomatic(company, { conditions: { budgetId } });
  expect((await redeem(company, id, { orderId: 'o1', customerId: 'cus_1', amount: 700 })).status).toBe(201);
  const usageOf = async (customerId: string) =>
    (await company.pricing.get(`/pricing/budgets/${budgetId}?customerId=${customerId}`)).body.data.usage;
  const customer = { ids: ['cus_1'], emails: [], keys: [] };
  const tenant = liveTenant(company.companyId);
  const ofCustomer = customerRedemptions(services.models.pricing, {
    ofEmail: () => expect.fail('no address is given'),
  });
  for (let place: string | undefined = ''; place !== undefined;) {
    place = (await ofCustomer.erase({ tenant, customer, pseudonym: 'erased-1', place } as never)).next;
  }
  expect([await usageOf('cus_1'), await usageOf('erased-1')]).toEqual([
    { spent: 0, held: 0, left: 1_500 },
    { spent: 700, held: 0, left: 800 },
  ]);
});

describe('a redemption by hand', () => {
  const usageOf = async ({ pricing }: Company, budgetId: string) =>
    (await pricing.get(`/pricing/budgets/${budgetId}`)).body.data.usage;

  test('takes the tickets and the amount that its adjustment counts, until it is released', async () => {
    const company = services.newCompany();
    const { id: budgetId } = await newBudget(company);
    const id = await createAutomatic(company, { conditions: { budgetId, maxTickets: 10 } });
    const tickets = async () => (await company.pricing.get(`/pricing/adjustments/${id}`)).body.data.usage.tickets;
    expect(problemOf(await redeem(company, id, { orderId: 'o1', amount: 1 }))).toEqual([400, 'tickets']);
    expect(problemOf(await redeem(company, id, { orderId: 'o1', tickets: 1 }))).toEqual([400, 'amount']);
    const body = { orderId: 'o1', tickets: 4, amount: 1_000 };
    const made = await redeem(company, id, body);
    expect(made.status).toBe(201);
    expect((await redeem(company, id, body)).status).toBe(200);
    expect([await usageOf(company, budgetId), await tickets()]).toEqual([
      { spent: 1_000, held: 0, left: 500 },
      { claimed: 4, remaining: 6 },
    ]);
    const refused = await redeem(company, id, { orderId: 'o2', tickets: 1, amount: 501 });
    expect([refused.status, refused.body.error.details[0]]).toMatchObject([
      409,
      {
        path: 'amount',
        reason: 'budget-exhausted',
        detail: 'its budget has 5.00 EUR left, this order would take 5.01 EUR',
      },
    ]);
    const many = await redeem(company, id, { orderId: 'o2', tickets: 7, amount: 1 });
    expect([many.status, many.body.error.details[0].reason]).toEqual([409, 'ticket-limit-reached']);
    expect([await usageOf(company, budgetId), await tickets()]).toMatchObject([{ held: 0, left: 500 }, { claimed: 4 }]);
    expect((await redeem(company, id, { orderId: 'o2', tickets: 6, amount: 500 })).status).toBe(201);
    const { id: redemptionId } = made.body.data.redemption;
    await company.pricing.delete(`/pricing/adjustments/${id}/redemptions/${redemptionId}`);
    expect([await usageOf(company, budgetId), await tickets()]).toEqual([
      { spent: 500, held: 0, left: 1_000 },
      { claimed: 6, remaining: 4 },
    ]);
  });

  test('takes no more than a budget has, even among 30 at once', async () => {
    const company = services.newCompany();
    const { id: budgetId } = await newBudget(company);
    const id = await createAutomatic(company, { conditions: { budgetId } });
    const replies = await Promise.all(
      Array.from({ length: 30 }, async (_, n) => redeem(company, id, { orderId: `o${n}`, amount: 100 }, n % 2)),
    );
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(15);
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([201, 409]));
    expect(await usageOf(company, budgetId)).toEqual({ spent: 1_500, held: 0, left: 0 });
    expect((await company.pricing.get(`/pricing/adjustments/${id}`)).body.data.usage.redeemed).toBe(15);
  });

  test('takes from one budget for each adjustment of an order', async () => {
    const company = services.newCompany();
    const { id: budgetId } = await newBudget(company, { per: 'customer' });
    const ids = [
      await createAutomatic(company, { conditions: { budgetId } }),
      await createAutomatic(company, { conditions: { budgetId } }),
    ];
    expect(problemOf(await redeem(company, ids[0] ?? '', { orderId: 'o1', amount: 1 }))).toEqual([400, 'customerId']);
    for (const id of ids) {
      const made = await redeem(company, id, { orderId: 'o1', customerId: 'cus_1', amount: 700 });
      expect(made.status).toBe(201);
    }
    const read = await company.pricing.get(`/pricing/budgets/${budgetId}?customerId=cus_1`);
    expect(read.body.data.usage).toEqual({ spent: 1_400, held: 0, left: 100 });
    expect(problemOf(await redeem(company, ids[0] ?? '', { orderId: 'o2', customerId: 'cus_1', amount: 101 }))).toEqual(
      [409, 'amount'],
    );
  });
});
