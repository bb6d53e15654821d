import { createClient } from '@event-commerce/client';
import { expect, it } from 'vitest';
import { explainOrder, stepsOfOrder } from './explanation.ts';

const modifier = (adjustmentId: string, total: number) => ({
  adjustmentId,
  name: adjustmentId,
  type: 'promotion',
  category: 'promotion',
  origin: 'manual',
  effect: { kind: 'amount_off' as const, amount: 100, currency: 'EUR', per: 'unit' as const },
  base: 1_000,
  amount: -100,
  units: 1,
  total,
});

const order: Parameters<typeof stepsOfOrder>[0] = {
  items: [
    { offeringId: 'a', modifiers: [modifier('sale', -200)] },
    { offeringId: 'b', modifiers: [modifier('sale', -100), modifier('members', -50)] },
  ],
  pricing: { modifiers: [modifier('voucher', -150)] },
  costs: { subtotal: 3_000, fees: 200, tax: 200, total: 2_900 },
};

it('the steps of an order lead from its subtotal to its total', () => {
  expect(stepsOfOrder(order).map(({ label, amount }) => [label, amount])).toEqual([
    ['sale', -300],
    ['members', -50],
    ['voucher', -150],
    ['Fees', 200],
    ['Tax', 200],
  ]);
});

it('a price that another system stated is a step of its own', () => {
  const stated = { ...order, costs: { ...order.costs, total: 3_100 } };
  expect(stepsOfOrder(stated).map(({ label, amount }) => [label, amount])).toContainEqual(['Price as stated', 200]);
});

it('what an order keeps of returned tickets is a step of its own', () => {
  const amended = {
    ...order,
    pricing: { ...order.pricing, withheld: 200 },
    costs: { ...order.costs, total: 3_100 },
  };
  expect(stepsOfOrder(amended).map(({ label, amount }) => [label, amount])).toEqual([
    ['sale', -300],
    ['members', -50],
    ['voucher', -150],
    ['Withheld', 200],
    ['Fees', 200],
    ['Tax', 200],
  ]);
});

it.each([
  ['2026/0042', '/v1/orders?orderNumber=2026%2F0042'],
  ['50%2Foff', '/v1/orders?orderNumber=50%252Foff'],
  ['.', '/v1/orders?orderNumber=.'],
  ['..', '/v1/orders?orderNumber=..'],
  ['..A', '/v1/orders?orderNumber=..A'],
  ['No. 7..', '/v1/orders?orderNumber=No.%207..'],
  ['No. 7', '/v1/orders/No.%207'],
  ['WEB-1', '/v1/orders/WEB-1'],
])('an order is found by its number, even if that cannot be used in a path: %s', async (number, expected) => {
  const asked: string[] = [];
  const fetch = async ({ url }: Request) => {
    asked.push(url.replace('http://platform.test', ''));
    const found = { ...order, items: [], customer: {}, coupons: [], status: 'placed' };
    return Response.json({ status: 'ok', data: url.includes('?') ? [found] : found });
  };
  const client = createClient({ baseUrl: 'http://platform.test', fetch });
  const explanation = await explainOrder(client, number, new AbortController().signal);
  expect([explanation.total, asked]).toEqual([2_900, [expected]]);
});
