import type { Reply } from '@event-commerce/test-kit';
import { expect } from 'vitest';
import type { Company, Services } from '../../../tests/harness/services.ts';
import { claimsOf, createAdjustment, PATIENT, usageOf } from './shop.ts';

/**
 * Creates an adjustment that an order redeems together with others: of several that replace each other, it redeems one.
 */
export const create = async (company: Company, code: string, conditions: object): Promise<string> =>
  await createAdjustment(company, code, { stacking: 'stackable', conditions });

/** Sends `body` to the replicas in turn. */
export const send = async ({ commerce }: Company, body: unknown, n: number): Promise<Reply> =>
  await commerce.replica(n % 2).post('/orders', body);

/** The orders with a confirmed redemption of the adjustment. */
export async function ledger({ databases }: Services, adjustmentId: string): Promise<string[]> {
  const found = await databases.pricing.collection('redemptions').find({ adjustmentId, status: 'confirmed' }).toArray();
  return found.map((entry) => String(entry['orderId']));
}

/** The adjustment's counters once nothing is pending. */
export async function settled(
  services: Services,
  adjustmentId: string,
): Promise<{ confirmed: number; claimed: number }> {
  await expect.poll(async () => claimsOf(services, adjustmentId), PATIENT).toEqual([]);
  const usage = await usageOf(services, adjustmentId);
  return { confirmed: usage?.['confirmed'], claimed: usage?.['claimed'] };
}

/** The statuses in order, with the message of each failure. */
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
