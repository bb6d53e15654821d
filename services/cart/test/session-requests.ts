import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { Company } from './cart-fixture.ts';

export const item = (offeringId: string, quantity: number, more: object = {}) => ({ offeringId, quantity, ...more });
export const newSession = () => `session-${randomUUID()}`;

export const setItem = (
  company: Company,
  id: string,
  body: object,
  headers: Record<string, string> = {},
  replica = 0,
) => company.api(replica).post(`/cart/sessions/${id}/item`, body, headers);

export async function createAdjustment(company: Company, body: Record<string, unknown>) {
  const { status } = await company.pricing.post('/pricing/adjustments', body);
  expect(status).toBe(201);
}
