import { adjustmentBody, type Reply } from '@event-commerce/test-kit';
import { expect } from 'vitest';
import type { CommerceAndPricing, Company } from './harness.ts';

/** Events are published, and claims lapse. */
export const PATIENT = { timeout: 20_000 };

export async function create({ pricing }: Company, code: string, conditions: Record<string, unknown>): Promise<string> {
  // Of several codes that replace each other, an order would redeem only one.
  const body = adjustmentBody(code, { stacking: 'stackable', conditions: { code, ...conditions } });
  return (await pricing.post('/pricing/adjustments', body)).body.data.id;
}

/** Sends `body` to the replicas in turn. */
export const send = (company: Company, body: unknown, n: number): Promise<Reply> =>
  (company.replicas[n % 2] as Company['commerce']).post('/orders', body);

export async function ledger(platform: CommerceAndPricing, adjustmentId: string): Promise<string[]> {
  const found = await platform.pricingDb
    .collection('redemptions')
    .find({ adjustmentId, status: 'confirmed' })
    .toArray();
  return found.map((entry) => String(entry['orderId']));
}

export async function claimed(platform: CommerceAndPricing, adjustmentId: string): Promise<number> {
  return (await platform.pricingDb.collection('usages').findOne({ _id: adjustmentId } as never))?.['claimed'];
}

/** The adjustment's counters once nothing is pending. */
export async function settled(
  platform: CommerceAndPricing,
  adjustmentId: string,
): Promise<{ confirmed: number; claimed: number }> {
  await expect.poll(() => platform.claimsOf(adjustmentId), PATIENT).toEqual([]);
  const usage = await platform.pricingDb.collection('usages').findOne({ _id: adjustmentId } as never);
  return { confirmed: usage?.['confirmed'], claimed: usage?.['claimed'] };
}

/** The statuses in order, and of a failure what it says. */
export const statuses = (replies: readonly Reply[]) =>
  replies
    .map(({ status, body }) => (status < 500 ? status : `${status} ${body.error?.message}`))
    .toSorted((a, b) => String(a).localeCompare(String(b)));

/** Shuffles without bias. */
export function shuffled<T>(all: readonly T[]): T[] {
  return all
    .map((one) => ({ one, at: Math.random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ one }) => one);
}
