import { adjustmentBody } from '@event-commerce/test-kit';
import { expect } from 'vitest';
import type { Company } from './harness.ts';

export async function createAdjustment(
  { pricing }: Company,
  code: string,
  conditions: Record<string, unknown> = {},
): Promise<string> {
  const { status, body } = await pricing.post(
    '/pricing/adjustments',
    adjustmentBody(code, { conditions: { code, ...conditions } }),
  );
  expect(status).toBe(201);
  return body.data.id;
}
export const redemptionsOf = async ({ pricing }: Company, id: string) =>
  (await pricing.get(`/pricing/adjustments/${id}/redemptions`)).body.data.map((entry: any) => [
    entry.orderId,
    entry.status,
  ]);
