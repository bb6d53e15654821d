import { adjustmentBody, type ApiClient, newCode } from '@event-commerce/test-kit';
import { expect } from 'vitest';
import type { Company } from './harness.ts';

export async function create(
  api: ApiClient,
  conditions: Record<string, unknown> = {},
  code = newCode(),
): Promise<string> {
  const { status, body } = await api.post(
    '/pricing/adjustments',
    adjustmentBody(code, { conditions: { code, ...conditions } }),
  );
  expect(status).toBe(201);
  return body.data.id;
}

export const redeem = (company: Company, id: string, body: Record<string, unknown>, replica = 0) =>
  company.api(replica).post(`/pricing/adjustments/${id}/redemptions`, body);
