import { drawnBy, type EvaluateCartRequest, modifiersOf, VALIDATOR_LENGTH_MAX } from '@event-commerce/contracts';
import type { Caller } from '@event-commerce/service-kit';
import { z } from 'zod';
import { poolNamed } from '../adjustments/domain/pools-of.ts';
import { ticketsOf } from './domain/candidate.ts';
import { codesOf, type EventContexts, linesOf } from './domain/cart-lines.ts';
import type { priceAndBudgets, PriceOptions } from './domain/price.ts';
import { sameUntilMs } from './domain/same-until.ts';
import type { CompanyAdjustments } from '../snapshot/domain/snapshot.ts';
import type { CapsToRead } from './domain/caps-to-read.ts';
import { unknownCodes } from '../codes/with-issued-codes.ts';
import { claimCountsFor, eventIdsOf, eventsOf, type PricingDeps } from './price-facts.ts';

/** The longest time that a price may be reused, whatever it depends on. */
const VALID_FOR_MAX_MS = 60_000;
/** The state of a cap with room for the cart; the state of any other is how much was claimed, as its reason says. */
const HAS_ROOM = -1;

const caps = z.array(z.tuple([z.string(), z.int()]));

/** Everything that a price depends on, besides the cart itself. */
const grounds = z.object({
  /** The company's adjustments. */
  adjustments: z.string(),
  /** Epoch milliseconds. */
  fromMs: z.number(),
  untilMs: z.number(),
  /** The contexts of the cart's events, if adjustments ask for them. */
  events: z.array(z.tuple([z.string(), z.string()])),
  /** How many tickets the cart has. */
  tickets: z.int(),
  /** The pools of the relevant caps, and how much is claimed of those without room for the cart. */
  inAll: caps,
  perCustomer: caps,
  /** How much the cart takes of budgets, by their pools, where there is that much left. */
  drawn: z.record(z.string(), z.int()).exactOptional(),
  customerId: z.string(),
});
type Grounds = z.output<typeof grounds>;

/**
 * What must hold for `cart` to cost what it costs now; undefined if it should be priced every time, such as one with
 * issued codes, or with limits that count by e-mail address.
 */
export function validatorOf(
  snapshot: CompanyAdjustments,
  cart: EvaluateCartRequest,
  { inAll, perCustomer, perEmail, buyer: { customerId = '' } }: CapsToRead,
  { now, events, claimed, customerUsage }: Pick<PriceOptions, 'events' | 'claimed' | 'customerUsage'> & { now: number },
  { price, shortBudgets }: ReturnType<typeof priceAndBudgets>,
): string | undefined {
  const { now: at, codes } = cart.cartContext;
  if (at !== undefined || perEmail.length > 0 || unknownCodes(snapshot, codes).length > 0) return undefined;
  const lines = linesOf(cart, events);
  const untilMs = sameUntilMs(snapshot, lines, codesOf(cart.cartContext), now);
  if (untilMs <= now) return undefined;
  const tickets = ticketsOf(lines);
  const drawn = drawnBy(modifiersOf(price));
  const wanted = Object.fromEntries(
    [...inAll, ...perCustomer].flatMap((id): [string, number][] => {
      const { budgetId } = poolNamed(id);
      return budgetId === undefined || shortBudgets.has(budgetId) ? [] : [[id, drawn.get(budgetId) ?? 0]];
    }),
  );
  const cartTakes = { tickets, drawn: wanted };
  const ids = snapshot.asksForEvents ? new Set(eventIdsOf(cart)) : [];
  const validator = JSON.stringify({
    adjustments: snapshot.digest.toString(),
    fromMs: now,
    untilMs: Math.min(untilMs, now + VALID_FOR_MAX_MS),
    events: Array.from(ids, (id): [string, string] => [id, textOf(events.get(id))]),
    tickets,
    inAll: inAll.map((id): [string, number] => [id, stateInAll(snapshot, id, claimed(id), cartTakes)]),
    perCustomer: perCustomer.map((id): [string, number] => [
      id,
      stateOfCustomer(snapshot, id, customerUsage(id), cartTakes),
    ]),
    ...(Object.keys(wanted).length === 0 ? {} : { drawn: wanted }),
    customerId,
  } satisfies Grounds);
  return validator.length <= VALIDATOR_LENGTH_MAX ? validator : undefined;
}

/** Whether each of `validators` still holds: a cart that was priced under it still costs the same. Changes nothing. */
export async function validOf(deps: PricingDeps, caller: Caller, validators: readonly string[]): Promise<boolean[]> {
  const snapshot = await deps.snapshots.get(caller.tenant);
  const nowMs = deps.clock().getTime();
  const digest = snapshot.digest.toString();
  const current = validators.map((validator) => {
    const read = parse(validator);
    if (read === undefined || read.adjustments !== digest) return undefined;
    return read.fromMs <= nowMs && nowMs < read.untilMs ? read : undefined;
  });
  const asked = current.filter((each) => each !== undefined);
  const eventIds = asked.flatMap(({ events }) => events.map(([id]) => id));
  const [{ contexts, unreachable }, usage] = await Promise.all([
    eventsOf(deps, caller, snapshot.asksForEvents ? eventIds : []),
    claimCountsFor(
      deps,
      asked.map(({ inAll, perCustomer, customerId }) => ({
        buyer: { customerId },
        perEmail: [],
        inAll: inAll.map(([id]) => id),
        perCustomer: perCustomer.map(([id]) => id),
      })),
    ),
  ]);
  return current.map((each) => {
    if (each === undefined) return false;
    const { claimed, customerUsage } = usage(each);
    return (
      each.events.every(([id, text]) => !unreachable.has(id) && textOf(contexts.get(id)) === text) &&
      each.inAll.every(([id, state]) => stateInAll(snapshot, id, claimed(id), each) === state) &&
      each.perCustomer.every(([id, state]) => stateOfCustomer(snapshot, id, customerUsage(id), each) === state)
    );
  });
}

function parse(validator: string): Grounds | undefined {
  try {
    return grounds.safeParse(JSON.parse(validator)).data;
  } catch {
    return undefined;
  }
}

function textOf({ seriesId, venueId, organizerId }: EventContexts = {}): string {
  return JSON.stringify([seriesId, venueId, organizerId]);
}

type CartTakes = Pick<Grounds, 'tickets' | 'drawn'>;

function stateInAll(snapshot: CompanyAdjustments, poolId: string, claimed: number, takes: CartTakes): number {
  const { adjustmentId = '', pool } = poolNamed(poolId);
  if (pool === 'budget') return stateOfBudget(snapshot, poolId, claimed, takes);
  const { maxRedemptions, maxTickets } = snapshot.get(adjustmentId)?.conditions ?? {};
  return pool === 'tickets' ? stateOf(maxTickets, claimed, takes.tickets) : stateOf(maxRedemptions, claimed, 1);
}

function stateOfCustomer(snapshot: CompanyAdjustments, poolId: string, claimed: number, takes: CartTakes): number {
  const { adjustmentId = '', pool } = poolNamed(poolId);
  if (pool === 'budget') return stateOfBudget(snapshot, poolId, claimed, takes);
  const { maxRedemptionsPerCustomer, maxTicketsPerCustomer } = snapshot.get(adjustmentId)?.conditions ?? {};
  return pool === 'tickets'
    ? stateOf(maxTicketsPerCustomer, claimed, takes.tickets)
    : stateOf(maxRedemptionsPerCustomer, claimed, 1);
}

/**
 * If a budget has less left than the cart would take, the price depends on exactly how much. With nothing left, not
 * even an adjustment that takes nothing off counts.
 */
function stateOfBudget(snapshot: CompanyAdjustments, poolId: string, claimed: number, { drawn }: CartTakes): number {
  const { budgetId = '' } = poolNamed(poolId);
  return stateOf(snapshot.budget(budgetId)?.limit.amount, claimed, Math.max(1, drawn?.[poolId] ?? Infinity));
}

/** `wanted`: the most that the cart takes. */
function stateOf(limit = 0, claimed: number, wanted: number): number {
  return claimed + wanted <= limit ? HAS_ROOM : claimed;
}
