import type { CartEvaluation, Modifier, PurchaseReply, PurchaseRequest } from '@event-commerce/contracts';
import { adjustmentBody, newCode } from '@event-commerce/test-kit';
import { expect } from 'vitest';
import type { Company, PricingReplicas } from './harness.ts';

/** Ten percent off for everybody, unless `changes` say otherwise. */
export async function create(company: Company, changes: Record<string, unknown> = {}): Promise<string> {
  const automatic = {
    name: 'Spring',
    type: 'promotion',
    category: 'promotion',
    origin: 'manual',
    stacking: 'stackable',
    conditions: {},
    effect: { kind: 'percentage_off', percent: 10 },
  };
  const { status, body } = await company
    .api()
    .post('/pricing/adjustments', adjustmentBody('', { ...automatic, ...changes }));
  expect([status, body.error]).toEqual([201, undefined]);
  return body.data.id;
}

/** 20 % off for a code. */
export async function createCoupon(company: Company, conditions: Record<string, unknown> = {}, changes = {}) {
  const code = newCode();
  const { status, body } = await company
    .api()
    .post('/pricing/adjustments', adjustmentBody(code, { conditions: { code, ...conditions }, ...changes }));
  expect([status, body.error]).toEqual([201, undefined]);
  return { code, id: body.data.id as string };
}

export const buy = async (pricing: PricingReplicas, company: Company, request: Partial<PurchaseRequest> = {}) =>
  await pricing.purchase(company.companyId, request);

export const refusalOf = async (pricing: PricingReplicas, company: Company, request: Partial<PurchaseRequest> = {}) =>
  await buy(pricing, company, request).then(
    (reply) => expect.fail(`was not refused: ${JSON.stringify(reply)}`),
    (error: unknown) => error,
  );

export const NOTHING = { confirmed: 0, claimed: 0, pending: 0 };
export const ONE = { confirmed: 0, claimed: 1, pending: 1 };

export const redeemed = ({ claims }: PurchaseReply) => claims.map(({ adjustmentId }) => adjustmentId).toSorted();

export function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0);
}

function modifiersOf({ lines, perOrderModifiers }: Pick<CartEvaluation, 'lines' | 'perOrderModifiers'>): Modifier[] {
  return [...lines.flatMap(({ perUnitModifiers }) => perUnitModifiers), ...perOrderModifiers];
}

/** Expects that the parts of a purchase's price make the whole, and that it claims what makes its price. */
export function expectToAddUp({ claims, price }: PurchaseReply): void {
  if (price === undefined) throw new Error('the purchase has no price');
  const { lines, perOrderModifiers, summary } = price;
  const modifiers = modifiersOf(price);
  expect(summary.subtotal).toBe(sum(lines.map(({ basePrice, quantity }) => basePrice.amount * quantity)));
  expect(summary.modifiers).toBe(sum(modifiers.map(({ total }) => total)));
  expect(summary.total).toBe(summary.subtotal + summary.modifiers);
  expect(summary.total).toBe(sum(lines.map(({ total }) => total)) + sum(perOrderModifiers.map(({ total }) => total)));
  const made = new Set(modifiers.map(({ adjustmentId }) => adjustmentId));
  expect(claims.map(({ adjustmentId }) => adjustmentId).toSorted()).toEqual([...made].toSorted());
}
