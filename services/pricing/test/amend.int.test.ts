import { call } from '@event-commerce/bus';
import {
  accepted,
  type AmendReply,
  type AmendRequest,
  type PricedAmendment,
  type Purchased,
  RPC,
  type RpcRequest,
} from '@event-commerce/contracts';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Company, type Services, sharedServices } from '../../../tests/harness/services.ts';
import { aLine, buy, createAutomatic, createCoupon, redeemed, usageOf } from './purchases.ts';

let services: Services;
beforeAll(async () => {
  services = await sharedServices();
});

type Amended = Extract<AmendReply, { amendment: PricedAmendment }>;

/** An order of two tickets at 50.00 EUR, as commerce would name it to amend it. */
async function ordered(company: Company, codes: string[] = []) {
  const { orderId, ...bought } = await buy(services, company, { codes });
  const line = aLine();
  const request = {
    orderId,
    currency: 'EUR',
    cartContext: {},
    order: {
      lines: [{ lineId: 'ln_1', offering: line.offering, quantity: 2, remaining: 2, ...lineOf(bought) }],
      modifiers: bought.price?.perOrderModifiers ?? [],
      fees: 0,
      tax: 0,
      taxed: { tax: 0, goods: bought.price?.summary.total ?? 0 },
      codes,
      claims: bought.claims,
      isStated: false,
      basis: basisOf(bought),
    },
    added: [],
    costs: {},
    chargeDifference: false,
  } satisfies RpcRequest<typeof RPC.amend>;
  const leaving = (remaining: number): AmendRequest['order'] => ({
    ...request.order,
    lines: request.order.lines.map((one) => ({ ...one, remaining })),
  });
  return {
    standing: request.order,
    preview: async (remaining: number, more: Partial<AmendRequest> = {}) => {
      const reply = await ask(company, { ...request, order: leaving(remaining), ...more });
      if (!('keep' in reply)) return expect.fail(JSON.stringify(reply));
      return { keep: reply.keep, reprice: reply.reprice };
    },
    amend: async (remaining: number, more: Partial<AmendRequest> = {}) =>
      accepted((await ask(company, { ...request, mode: 'reprice', order: leaving(remaining), ...more })) as Amended),
  };
}

async function ask(company: Company, request: AmendRequest): Promise<AmendReply> {
  return await call(services.bus, RPC.amend, request, company.context());
}

function lineOf({ price, shares = [] }: Purchased) {
  const line = price?.lines[0];
  if (line === undefined) return expect.fail('the order has no price');
  const { effectivePrice, perUnitModifiers: modifiers, total } = line;
  const parts = (price?.perOrderModifiers ?? []).map(({ adjustmentId, name }, n) => ({
    adjustmentId,
    name,
    total: shares[n]?.[0] ?? 0,
  }));
  const charged = parts.reduce((sum, part) => sum + part.total, total);
  return {
    effectiveUnitPrice: effectivePrice.amount,
    modifiers,
    bought: { quantity: 2, charged, shares: parts, withheld: 0 },
  };
}

function basisOf({ basis }: Purchased) {
  const idsOf = (lines: readonly number[]) => lines.map((index) => `ln_${index + 1}`);
  return {
    at: basis?.at ?? '',
    lines: idsOf(basis?.lines ?? []),
    adjustments: (basis?.adjustments ?? []).map((one) => ({ ...one, lines: idsOf(one.lines) })),
  };
}

describe('amending an order', () => {
  test('prices it by the rules under which it was placed, whatever they are by now', async () => {
    const company = services.newCompany();
    const id = await createAutomatic(company, { effect: { kind: 'percentage_off', percent: 10, per: 'order' } });
    const order = await ordered(company);
    const expected = { keep: { due: -4_500 }, reprice: { due: -4_500, redemptions: { kept: [id] } } };
    expect(await order.preview(1)).toMatchObject(expected);
    const changed = { effect: { percent: 50 }, conditions: { channelIds: ['app'], endsAt: '2020-01-01T00:00:00Z' } };
    expect((await company.pricing.patch(`/pricing/adjustments/${id}`, changed)).status).toBe(200);
    expect(await order.preview(1)).toMatchObject(expected);
    await company.pricing.delete(`/pricing/adjustments/${id}`);
    expect(await order.preview(1)).toMatchObject(expected);
    const added = [{ ...aLine({ quantity: 1 }), lineId: 'ln_2' }];
    expect(await order.preview(2, { added })).toMatchObject({ keep: { due: 5_000 }, reprice: { due: 4_500 } });
  });

  test('says for each mode why it is refused', async () => {
    const order = await ordered(services.newCompany());
    expect(await order.preview(0)).toMatchObject({
      keep: { refusal: { code: 'VALIDATION_FAILED', message: 'items leave no ticket; cancel the order.' } },
      reprice: { refusal: { code: 'VALIDATION_FAILED' } },
    });
    const standing = { ...order.standing, isStated: true };
    expect(await order.preview(1, { order: standing })).toMatchObject({
      reprice: { refusal: { code: 'REPRICE_UNAVAILABLE' } },
    });
  });

  test('claims what it needs beyond what it has, and refuses a new code without room', async () => {
    const company = services.newCompany();
    await createAutomatic(company);
    const [one, two] = await Promise.all([ordered(company), ordered(company)]);
    const { code, id } = await createCoupon(company, { maxRedemptions: 1 });
    const amended = await one.amend(1, { codes: [code] });
    expect(redeemed(amended as never)).toEqual([id]);
    expect(amended.amendment).toMatchObject({ due: -5_500, redemptions: { claimed: [id], released: [] } });
    // A repeat finds the claim.
    expect((await one.amend(1, { codes: [code] })).claims).toEqual(amended.claims);
    await expect(two.amend(1, { codes: [code] })).rejects.toMatchObject({ code: 'REDEMPTION_LIMIT_REACHED' });
    expect(await usageOf(services, company, id)).toMatchObject({ claimed: 1, pending: 1 });
  });

  test('leaves out an automatic adjustment that has become due and has no room', async () => {
    const company = services.newCompany();
    const id = await createAutomatic(company, {
      conditions: { maxQuantity: 1, maxRedemptions: 1 },
      effect: { kind: 'percentage_off', percent: 50 },
    });
    const [one, two] = await Promise.all([ordered(company), ordered(company)]);
    const first = await one.amend(1);
    expect([first.amendment.due, redeemed(first as never)]).toEqual([-7_500, [id]]);
    const second = await two.amend(1);
    expect([second.amendment.due, second.claims]).toEqual([-5_000, []]);
  });
});
