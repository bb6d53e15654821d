import { randomUUID } from 'node:crypto';
import { call } from '@event-commerce/bus';
import {
  accepted,
  type CancelClaimsRequest,
  type CartEvaluation,
  type EvaluateCartsReply,
  type EvaluateCartsRequest,
  type Evaluation,
  type FollowCouponReply,
  type Modifier,
  type Purchased,
  type PurchaseRequest,
  redemptionsIn,
  RPC,
  type RpcEndpoint,
  type Scope,
  ticketsIn,
} from '@event-commerce/contracts';
import { adjustmentBody, liveTenant, newCode } from '@event-commerce/test-kit';
import { expect } from 'vitest';
import type { Company, Services } from '../../../tests/harness/services.ts';
import { couponStateOf } from '../src/adjustments/coupon-state.fixture.ts';

/** Creates an adjustment with this body. Returns its id. */
async function createAdjustment(company: Company, body: Record<string, unknown>): Promise<string> {
  const reply = await company.pricing.post('/pricing/adjustments', body);
  expect([reply.status, reply.body.error]).toEqual([201, undefined]);
  return reply.body.data.id;
}

/** Ten percent off for everybody, unless `changes` say otherwise. */
export async function createAutomatic(company: Company, changes: Record<string, unknown> = {}): Promise<string> {
  const automatic = {
    name: 'Spring',
    type: 'promotion',
    category: 'promotion',
    origin: 'manual',
    stacking: 'stackable',
    conditions: {},
    effect: { kind: 'percentage_off', percent: 10 },
  };
  return await createAdjustment(company, adjustmentBody('', { ...automatic, ...changes }));
}

/** 20 % off for a code, a new one unless `conditions` have it. */
export async function createCoupon(
  company: Company,
  conditions: { code?: string; [condition: string]: unknown } = {},
  changes: Record<string, unknown> = {},
) {
  const { code = newCode() } = conditions;
  const body = adjustmentBody(code, { conditions: { ...conditions, code }, ...changes });
  return { code, id: await createAdjustment(company, body) };
}

/** Sends pricing the current state of a coupon, as commerce does. */
export async function followCoupon(
  { bus }: Services,
  company: Company,
  coupon: Parameters<typeof couponStateOf>[0],
): Promise<FollowCouponReply> {
  return await call(bus, RPC.followCoupon, couponStateOf(coupon), company.context());
}

/** Redeems manually, at the first replica or another. */
export const redeem = async (company: Company, id: string, body: Record<string, unknown>, replica = 0) =>
  await company.pricing.replica(replica).post(`/pricing/adjustments/${id}/redemptions`, body);

/** Redeems manually for a new order of the customer. */
export const redeemFor = async (company: Company, id: string, customerId: string, replica = 0, quantity = 1) =>
  await redeem(company, id, { orderId: `o-${randomUUID()}`, customerId, quantity }, replica);

/** Sets how often each customer may redeem the adjustment. */
export async function setCustomerCap(company: Company, id: string, cap: number | null, replica = 0): Promise<void> {
  const patch = { conditions: { maxRedemptionsPerCustomer: cap } };
  expect((await company.pricing.replica(replica).patch(`/pricing/adjustments/${id}`, patch)).status).toBe(200);
}

/** Two tickets at 50.00 EUR, unless `changes` say otherwise. */
export function aLine(changes: Partial<PurchaseRequest['lines'][number]> = {}): PurchaseRequest['lines'][number] {
  const offering = { id: 'off_1', eventId: 'evt_1', price: { amount: 5_000, currency: 'EUR' } };
  return { offering, quantity: 2, ...changes };
}

/**
 * Buys two tickets at 50.00 EUR, unless `request` says otherwise, as commerce does for an order, which releases what it
 * does not need.
 */
export async function buy(
  { bus }: Services,
  company: Company,
  request: Partial<PurchaseRequest> = {},
  scopes?: Scope[],
): Promise<Purchased & { orderId: string }> {
  const whole = {
    orderId: `ord_${randomUUID()}`,
    lines: [aLine()],
    cartContext: {},
    codes: [],
    adjustmentIds: [],
    charges: 0,
    ...request,
  };
  const { orderId } = whole;
  const reply = await call(bus, RPC.purchase, whole, company.context(scopes));
  const { spare = [] } = reply;
  if (spare.length > 0) {
    await call(bus, RPC.cancelClaims, { orderId, claims: spare, unwritten: true }, company.context());
  }
  return { orderId, ...accepted(reply) };
}

/** Claims what an order names, without lines to price. */
export async function claim(
  services: Services,
  company: Company,
  { customerId, ...order }: Partial<PurchaseRequest> & { customerId?: string },
): Promise<Purchased & { orderId: string }> {
  return await buy(services, company, { ...order, lines: [], cartContext: { customerId } });
}

/** Releases what a purchase claimed, as commerce does for an order that was not written. */
export async function cancel({ bus }: Services, company: Company, request: CancelClaimsRequest): Promise<void> {
  await call(bus, RPC.cancelClaims, request, company.context());
}

export const refusalOf = async (services: Services, company: Company, request: Partial<PurchaseRequest> = {}) =>
  await buy(services, company, request).then(
    (reply) => expect.fail(`was not refused: ${JSON.stringify(reply)}`),
    (error: unknown) => error,
  );

export const redeemed = ({ claims }: Purchased) =>
  redemptionsIn(claims)
    .map(({ adjustmentId }) => adjustmentId)
    .toSorted();

export const NOTHING = { confirmed: 0, claimed: 0, pending: 0 };
export const ONE = { confirmed: 0, claimed: 1, pending: 1 };

/** The counters of an adjustment. */
export async function usageOf({ models }: Services, { companyId }: Company, id: string) {
  const document = await models.pricing.usages.findOne({ _id: id, companyId: liveTenant(companyId) }).lean();
  const { confirmed = 0, claimed = 0, pending = [] } = document ?? {};
  return { confirmed, claimed, pending: pending.length };
}

/** The counters of an adjustment for one customer; null if there are none. */
export async function usageOfCustomer({ models }: Services, id: string, customerId: string) {
  const own = await models.pricing.customerUsage.findById(`${id}\n${customerId}`).lean();
  return own && { claimed: own.claimed, pending: own.pending.length };
}

/** Requests the price of one offering, as a gateway does. */
export async function evaluate(
  { bus }: Services,
  company: Company,
  body: unknown,
  { scopes, ...options }: { dropped?: string; scopes?: Scope[] } = {},
): Promise<Evaluation> {
  const context = { ...company.context(scopes), options };
  return (await call(bus, RPC.evaluate as RpcEndpoint, body, context)) as Evaluation;
}

/** Requests the prices of carts, as the cart service does. */
export async function evaluateCarts(
  { bus }: Services,
  company: Company,
  carts: EvaluateCartsRequest['carts'],
): Promise<EvaluateCartsReply['carts']> {
  return (await call(bus, RPC.evaluateCarts, { carts }, company.context())).carts;
}

export function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0);
}

function modifiersOf({ lines, perOrderModifiers }: Pick<CartEvaluation, 'lines' | 'perOrderModifiers'>): Modifier[] {
  return [...lines.flatMap(({ perUnitModifiers }) => perUnitModifiers), ...perOrderModifiers];
}

/**
 * Expects that the parts of a purchase's price add up, and that it claims what makes its price: redemptions, and the
 * tickets of adjustments that count for some.
 */
export function expectToAddUp(bought: Purchased): void {
  const { claims, price } = bought;
  if (price === undefined) throw new Error('the purchase has no price');
  const { lines, perOrderModifiers, summary } = price;
  const modifiers = modifiersOf(price);
  expect(summary.subtotal).toBe(sum(lines.map(({ basePrice, quantity }) => basePrice.amount * quantity)));
  expect(summary.modifiers).toBe(sum(modifiers.map(({ total }) => total)));
  expect(summary.total).toBe(summary.subtotal + summary.modifiers);
  expect(summary.total).toBe(sum(lines.map(({ total }) => total)) + sum(perOrderModifiers.map(({ total }) => total)));
  const units = new Map<string, number>();
  for (const { adjustmentId, units: more } of modifiers) units.set(adjustmentId, (units.get(adjustmentId) ?? 0) + more);
  expect(redeemed(bought)).toEqual([...units.keys()].toSorted());
  for (const [adjustmentId, tickets] of ticketsIn(claims)) expect(tickets).toBe(units.get(adjustmentId));
}
