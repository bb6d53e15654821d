import { orderBody } from '@event-commerce/test-kit';
import { expect } from 'vitest';
import type { Company } from './harness.ts';

export const plain = (company: Company, changes: Record<string, unknown> = {}) =>
  orderBody(company.companyId, { items: [{ name: 'Poster', quantity: 1, unitPrice: 900 }], ...changes });
export const replica = ({ replicas }: Company, n: number) => replicas[n % 2] as Company['commerce'];

export async function place(company: Company, changes: Record<string, unknown> = {}) {
  const { status, body } = await company.commerce.post('/orders', plain(company, changes));
  expect(status).toBe(201);
  return body.data.order;
}

export const read = async (company: Company, id: string) => (await company.commerce.get(`/orders/${id}`)).body.data;
