import { type Client, createClient } from '@event-commerce/client';
import { adjustmentBody, type ApiClient } from '@event-commerce/test-kit';
import { expect } from 'vitest';
import type { Company } from '../harness/companies.ts';
import type { SharedPlatform } from '../harness/platform.ts';

export async function newCompany(
  platform: Pick<SharedPlatform, 'url' | 'newCompany'>,
  key?: Record<string, unknown>,
): Promise<Company & { client: Client }> {
  const company = await platform.newCompany(key);
  return { ...company, client: createClient({ baseUrl: platform.url, apiKey: company.key, retries: 8 }) };
}

export async function createAdjustment(
  api: ApiClient,
  code: string,
  conditions: Record<string, unknown> = {},
): Promise<string> {
  const { status, body } = await api.post(
    '/v1/pricing/adjustments',
    adjustmentBody(code, { conditions: { code, ...conditions } }),
  );
  expect(status).toBe(201);
  return body.data.id;
}

/** How many redemptions the ledger contains, over all pages. */
export async function ledger(api: ApiClient, adjustmentId: string, status = 'confirmed') {
  const found = [];
  let next = '';
  do {
    const { body } = await api.get(
      `/v1/pricing/adjustments/${adjustmentId}/redemptions?limit=200${next && `&cursor=${next}`}`,
    );
    found.push(...body.data);
    next = body.page.next ?? '';
  } while (next !== '');
  return found.filter((redemption) => redemption.status === status);
}
