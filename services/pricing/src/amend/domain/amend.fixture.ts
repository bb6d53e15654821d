import {
  type Adjustment,
  type AmendRequest,
  type EvaluateCartRequest,
  type PricedAmendment,
  type StandingLine,
  ticketsIn,
} from '@event-commerce/contracts';
import { OPTIONS } from '../../evaluate/domain/adjustments.fixture.ts';
import { priceForOrder } from '../../evaluate/domain/price.ts';
import { hasTicketCap, poolNamed } from '../../adjustments/domain/pools-of.ts';
import { sum, unitsIn } from '../../evaluate/domain/priced-order.ts';
import { CompanySnapshot } from '../../snapshot/domain/snapshot.ts';
import { amendKeeping, amendRepricing } from './amendment.ts';
import { frozenAdjustments } from './frozen-adjustments.ts';

export type CartLines = EvaluateCartRequest['lines'];
export type StandingOrder = AmendRequest['order'];

export interface Change {
  /** Tickets after the amendment; lines that are not named stay. */
  quantities?: Record<string, number>;
  added?: CartLines;
  codes?: string[];
  costs?: AmendRequest['costs'];
  chargeDifference?: boolean;
}

interface Context {
  charges?: { fees?: number; tax?: number };
  cartContext?: AmendRequest['cartContext'];
  codes?: string[];
}

/** An order of `lines` as commerce stores it, when `adjustments` were live. */
export function placed(
  adjustments: readonly Adjustment[],
  lines: CartLines,
  { charges: { fees = 0, tax = 0 } = {}, cartContext = {}, codes = [] }: Context = {},
): StandingOrder {
  const orderTotal = { amount: sum(lines.map(({ offering, quantity }) => offering.price.amount * quantity)) };
  const cart = { lines, cartContext: { ...cartContext, codes, orderTotal } };
  const price = priceForOrder(new CompanySnapshot(adjustments), cart, OPTIONS);
  const idOf = (index: number) => `ln_${index + 1}`;
  const { basis } = price;
  return {
    lines: lines.map(({ offering, quantity }, index): StandingLine => {
      const { effectivePrice, perUnitModifiers, total } = price.lines[index] as (typeof price.lines)[number];
      const shares = price.perOrderModifiers.flatMap(({ adjustmentId, name, code }, n) => {
        const share = price.shares[n]?.[index] ?? 0;
        const units = price.units?.[adjustmentId]?.[index];
        const said = { ...(code === undefined ? {} : { code }), ...(units === undefined ? {} : { units }) };
        return share === 0 ? [] : [{ adjustmentId, name, ...said, total: share }];
      });
      const charged = total + sum(shares.map((share) => share.total));
      return {
        lineId: idOf(index),
        offering,
        quantity,
        remaining: quantity,
        effectiveUnitPrice: effectivePrice.amount,
        modifiers: perUnitModifiers,
        bought: { quantity, charged, shares, withheld: 0 },
      };
    }),
    modifiers: price.perOrderModifiers,
    fees,
    tax,
    taxed: { tax, goods: price.summary.total },
    codes,
    claims: claimsFor(
      [...unitsIn(price).keys()],
      [...unitsIn(price)].filter(([id]) => hasTicketCap(adjustments.find((one) => one.id === id)?.conditions ?? {})),
    ),
    isStated: false,
    ...(basis && {
      basis: {
        at: '2027-05-01T12:00:00.000Z',
        lines: basis.lines.map(idOf),
        adjustments: basis.adjustments.map((one) => ({ ...one, lines: one.lines.map(idOf) })),
      },
    }),
  };
}

export function requestOf(
  order: StandingOrder,
  { quantities = {}, added = [], codes, costs = {}, chargeDifference = false }: Change,
  cartContext: AmendRequest['cartContext'] = {},
): AmendRequest {
  const numbers = order.lines.map(({ lineId }) => Number(lineId.slice('ln_'.length)));
  const next = Math.max(0, ...numbers) + 1;
  return {
    orderId: 'ord_1',
    currency: 'EUR',
    cartContext,
    order: {
      ...order,
      lines: order.lines.map((line) => ({ ...line, remaining: quantities[line.lineId] ?? line.quantity })),
    },
    added: added.map((line, index) => ({ ...line, lineId: `ln_${next + index}` })),
    ...(codes === undefined ? {} : { codes }),
    costs,
    chargeDifference,
  };
}

/** `frozen`: the adjustments when the order was placed; `live`: the present ones. */
export function amend(
  mode: 'keep' | 'reprice',
  request: AmendRequest,
  frozen: readonly Adjustment[],
  live: readonly Adjustment[] = frozen,
): PricedAmendment {
  const { basis } = request.order;
  const definitions = new Map(frozen.map((one) => [one.id, { frozen: one, present: one }]));
  const tickets = ticketsIn(request.order.claims);
  const own = (poolId: string): number => {
    const { adjustmentId, pool } = poolNamed(poolId);
    return pool === 'tickets' ? (tickets.get(adjustmentId) ?? 0) : 0;
  };
  return (mode === 'keep' ? amendKeeping : amendRepricing)({
    request,
    live: new CompanySnapshot(live),
    frozen: basis === undefined ? [] : frozenAdjustments(basis, definitions, new Map()),
    facts: { ...OPTIONS, claimed: own, customerUsage: own, now: Date.parse(String(OPTIONS.now)) },
  });
}

/** What an order holds: redemptions, and tickets of adjustments. */
function claimsFor(
  redeemed: readonly string[],
  tickets: readonly (readonly [string, number])[],
): StandingOrder['claims'] {
  return [
    ...redeemed.map((adjustmentId) => ({ redemptionId: `rdm_${adjustmentId}`, adjustmentId, quantity: 1 })),
    ...tickets.flatMap(([adjustmentId, quantity]) =>
      quantity === 0
        ? []
        : [{ redemptionId: `rdm_t_${adjustmentId}`, adjustmentId, pool: 'tickets' as const, quantity }],
    ),
  ];
}

/** The order after `amendment`, as commerce stores it. */
export function amended(
  { order, added, codes = order.codes }: AmendRequest,
  amendment: PricedAmendment,
): StandingOrder {
  const offerings = new Map([...order.lines, ...added].map(({ lineId, offering }) => [lineId, offering]));
  const { kept, claimed, tickets } = amendment.redemptions;
  const { lines, modifiers, taxed, basis } = amendment.order;
  return {
    lines: lines.map(({ lineId, quantity, effectiveUnitPrice, modifiers: perUnit, bought }): StandingLine => ({
      lineId,
      offering: offerings.get(lineId) as StandingLine['offering'],
      quantity,
      remaining: quantity,
      effectiveUnitPrice,
      modifiers: perUnit,
      bought,
    })),
    modifiers,
    fees: amendment.costs.after.fees,
    tax: amendment.costs.after.tax,
    taxed,
    codes,
    claims: claimsFor([...kept, ...claimed], Object.entries(tickets)),
    isStated: amendment.order.isStated,
    ...(basis && { basis }),
  };
}
