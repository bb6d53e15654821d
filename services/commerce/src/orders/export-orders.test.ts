import { type Page, type Tenant, tenantOf } from '@event-commerce/contracts';
import { createExports } from '@event-commerce/service-kit';
import { expect, test } from 'vitest';
import type { OrderRecord } from './order-record.ts';
import type { OrderRepository } from './order.repository.ts';
import { createExport } from './export-orders.ts';

interface Asked {
  tenant: Tenant;
  cursor: string | undefined;
  answer: (ids: string[], next: string | null) => void;
}

/** An export of orders whose pages the test returns one by one. */
function startExports() {
  const asked: Asked[] = [];
  const page = async (tenant: Tenant, { cursor, limit }: { cursor?: string; limit: number }) =>
    await new Promise<Page<OrderRecord>>((resolve) => {
      const answer = (ids: string[], next: string | null) =>
        resolve({ data: ids.map((id) => ({ order: { id } }) as OrderRecord), page: { next, limit } });
      asked.push({ tenant, cursor, answer });
    });
  return { asked, exportOrders: createExport({ orders: { page } as unknown as OrderRepository }, createExports()) };
}

const company = tenantOf({ companyId: 'company', environment: 'live' });
const other = tenantOf({ companyId: 'other', environment: 'live' });
const settled = async () => new Promise((resolve) => setImmediate(resolve));

test('an export sends the orders of a page before it reads the next page', async () => {
  const { asked, exportOrders } = startExports();
  const begun = exportOrders(company, {}, 'ndjson');
  await settled();
  asked[0]?.answer(['ord_2'], 'more');
  const body = (await begun).body[Symbol.asyncIterator]();
  expect(await body.next()).toEqual({ done: false, value: '{"id":"ord_2"}\n' });
  const next = body.next();
  await settled();
  expect(asked.map(({ cursor }) => cursor)).toEqual([undefined, 'more']);
  asked[1]?.answer(['ord_1'], null);
  expect(await next).toEqual({ done: false, value: '{"id":"ord_1"}\n' });
  expect((await body.next()).done).toBe(true);
});

test('all exports of a company together read one page at a time; other companies do not wait', async () => {
  const { asked, exportOrders } = startExports();
  const all = [company, company, other].map((tenant) => exportOrders(tenant, {}, 'csv'));
  await settled();
  expect(asked.map(({ tenant }) => tenant)).toEqual([company, other]);
  for (const { answer } of asked) answer([], null);
  await settled();
  expect(asked.map(({ tenant }) => tenant)).toEqual([company, other, company]);
  asked[2]?.answer([], null);
  for (const { body } of await Promise.all(all)) expect(await Array.fromAsync(body)).toHaveLength(1);
});
