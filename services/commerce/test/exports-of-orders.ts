import { AUDIENCE, IDENTITY_HEADER } from '@event-commerce/contracts';
import { orderBody } from '@event-commerce/test-kit';
import { expect } from 'vitest';
import type { Company, Services } from '../../../tests/harness/services.ts';

export async function placeAny({ commerce, companyId }: Company, changes: Record<string, unknown> = {}) {
  const { status, body } = await commerce.post('/orders', orderBody(companyId, changes));
  expect([status, body.error?.message]).toEqual([201, undefined]);
  return body.data.order;
}

/** Starts an export, with a key that may only read orders. */
export async function exported(
  { identity, replicas }: Services,
  company: Company,
  query: string,
  signal?: AbortSignal,
) {
  const token = identity.token(company.companyId, AUDIENCE.commerce, 'live', ['orders:read']);
  const response = await fetch(`${replicas.commerce[0]?.url}/orders?${query}`, {
    headers: { [IDENTITY_HEADER]: token },
    ...(signal === undefined ? {} : { signal }),
  });
  return { status: response.status, type: response.headers.get('content-type'), response };
}

/** A company with `count` orders, each with `characters` of text: copies of one order, written to the database. */
export async function companyWithOrders(services: Services, count: number, characters = 1_000): Promise<Company> {
  const company = services.newCompany();
  const { id } = await placeAny(company, { meta: { text: 'x'.repeat(characters) } });
  const { collection } = services.models.commerce.orders;
  const order = await collection.findOne({ _id: id });
  const width = String(count).length;
  for (let from = 0; from < count - 1; from += 1_000) {
    const copies = Array.from({ length: Math.min(1_000, count - 1 - from) }, (_, n) => {
      const number = String(from + n).padStart(width, '0');
      return { ...order, _id: `ord_0_${company.companyId}_${number}`, orderNumber: `N-${number}`, outbox: [] };
    });
    await collection.insertMany(copies as never);
  }
  return company;
}
