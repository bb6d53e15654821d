import { type EvaluateCartRequest, keyOfTenant } from '@event-commerce/contracts';
import type { Caller, FairTurns } from '@event-commerce/service-kit';
import type { CountedBuyer } from '../adjustments/domain/adjustment.ts';
import { type CapsToRead, capsToRead } from './domain/caps-to-read.ts';
import type { PriceOptions } from './domain/price.ts';
import type { LiveAdjustments } from '../snapshot/domain/snapshot.ts';
import type { EventDirectory, FoundEvents } from './event-contexts.ts';
import type { RedemptionPools } from '../redemptions/redemption-pools.ts';
import type { CodeRepository } from '../codes/code.repository.ts';
import type { SnapshotCache } from '../snapshot/snapshot-cache.ts';
import { refuseUnreachable, refusingTooLarge } from './price-refusals.ts';

/** What evaluations and purchases need to compute a price. */
export interface PricingDeps {
  events: EventDirectory;
  snapshots: Pick<SnapshotCache, 'get'>;
  pools: Pick<RedemptionPools, 'countsOf' | 'claimedBy'>;
  codes: Pick<CodeRepository, 'find'>;
  /** Where long evaluations queue, so that no company waits for many of another. */
  inFairTurn: FairTurns;
  clock: () => Date;
  defaultCurrency: string;
}

/** What a price depends on, besides the cart and the adjustments. */
export interface PriceFacts extends Pick<PriceOptions, 'events' | 'claimed' | 'customerUsage'> {
  /** The digest of the adjustments that they were read for. */
  digest: string;
  caps: CapsToRead;
}

export type Counts = Pick<PriceOptions, 'claimed' | 'customerUsage'>;

/** Reads the counters of caps; the result has them as a customer sees them. */
type CountsReader = (deps: PricingDeps, caps: readonly CapsToRead[]) => Promise<(buyer: CountedBuyer) => Counts>;

const NO_CAPS: CapsToRead = { inAll: [], perCustomer: [], perEmail: [], buyer: {} };

/** A cart, and the adjustments as it sees them. */
export interface AskedPrice {
  snapshot: LiveAdjustments;
  cart: EvaluateCartRequest;
}

/**
 * Reads what the prices of carts depend on under the present adjustments, all at once. `path`: where the request has
 * what is priced. `counts`: the counters of caps to use, if they need not be read. The result has for each cart its
 * facts, or a {PlatformError}: VALIDATION_FAILED if too many adjustments apply to it, SERVICE_UNAVAILABLE if its events
 * cannot be read.
 */
export async function readFacts(
  deps: PricingDeps,
  caller: Caller,
  asked: readonly AskedPrice[],
  path: string,
  counts: CountsReader | Counts = claimCountsFor,
): Promise<(PriceFacts | Error)[]> {
  const events = await eventsOf(
    deps,
    caller,
    asked.flatMap(({ snapshot, cart }) => (snapshot.asksForEvents ? eventIdsOf(cart) : [])),
  );
  const digests = asked.map(({ snapshot }) => snapshot.digest.toString());
  const capsOf = ({ snapshot, cart }: AskedPrice): CapsToRead | Error => {
    try {
      refuseUnreachable(snapshot, cart, events);
      if (typeof counts !== 'function') return NO_CAPS;
      const nowMs = new Date(cart.cartContext.now ?? deps.clock()).getTime();
      return refusingTooLarge(path, () => capsToRead(snapshot, cart, events.contexts, nowMs));
    } catch (error) {
      return error instanceof Error ? error : new Error('a cart could not be priced', { cause: error });
    }
  };
  const limits = asked.map(capsOf);
  const toRead = limits.flatMap((caps) => (caps instanceof Error ? [] : [caps]));
  const read = typeof counts === 'function' ? await counts(deps, toRead) : () => counts;
  return limits.map((caps, index) =>
    caps instanceof Error ? caps : { digest: digests[index] ?? '', caps, events: events.contexts, ...read(caps.buyer) },
  );
}

/** How often facts are read if adjustments change each time; then the price is calculated anyway. */
const READ_MAX = 3;

/** Up to this product of lines and adjustments a price takes a few milliseconds at most. */
const QUICK_PRICES_MAX = 20_000;

/**
 * The result of `price` for the facts that `read` finds for a cart. If adjustments changed meanwhile, the facts they
 * need may be missing, so they are read again, a few times at most. The price is calculated at once if that is fast,
 * otherwise when it is the company's turn.
 *
 * @throws the error that `read` returns, and what `price` throws
 */
export async function pricedFrom<T>(
  deps: PricingDeps,
  { tenant }: Caller,
  snapshot: LiveAdjustments,
  { lines }: EvaluateCartRequest,
  read: () => Promise<PriceFacts | Error | undefined>,
  price: (facts: PriceFacts & Pick<PriceOptions, 'defaultCurrency'> & { now: number }, isCurrent: boolean) => T,
): Promise<T> {
  const isQuick = lines.length * snapshot.size <= QUICK_PRICES_MAX;
  for (let times = 1; ; times++) {
    const facts = await read();
    if (facts === undefined || facts instanceof Error)
      throw facts ?? new TypeError('the facts of a cart were not read');
    const calculate = () => {
      const isCurrent = facts.digest === snapshot.digest.toString();
      if (!isCurrent && times < READ_MAX) return undefined;
      const { defaultCurrency, clock } = deps;
      return { price: price({ ...facts, defaultCurrency, now: clock().getTime() }, isCurrent) };
    };
    const calculated = isQuick ? calculate() : await deps.inFairTurn(keyOfTenant(tenant), calculate);
    if (calculated !== undefined) return calculated.price;
  }
}

const NO_EVENTS: FoundEvents = { contexts: new Map(), unreachable: new Set() };

/** The contexts of the company's events `ids`. */
export async function eventsOf(deps: PricingDeps, caller: Caller, ids: readonly string[]): Promise<FoundEvents> {
  return ids.length > 0 ? await deps.events.find(caller, new Set(ids)) : NO_EVENTS;
}

export function eventIdsOf({ lines }: Pick<EvaluateCartRequest, 'lines'>): string[] {
  return lines.flatMap(({ offering }) => offering.eventId ?? []);
}

/** The claim counts of `caps`, as each customer sees them. */
export async function claimCountsFor(
  deps: Pick<PricingDeps, 'pools'>,
  caps: readonly CapsToRead[],
): Promise<(buyer: CountedBuyer) => Counts> {
  const inAll = new Set(caps.flatMap((one) => one.inAll));
  const shares = caps.flatMap(({ perCustomer, perEmail, buyer: { customerId = '', customerEmail = '' } }) => [
    { share: customerId, ids: perCustomer },
    { share: customerEmail, ids: perEmail },
  ]);
  const asking = Map.groupBy(
    shares.filter(({ ids }) => ids.length > 0),
    ({ share }) => share,
  );
  const [counts, byShare] = await Promise.all([
    inAll.size === 0 ? undefined : deps.pools.countsOf([...inAll]),
    Promise.all(
      [...asking].map(async ([share, theirs]) => {
        const ids = new Set(theirs.flatMap((one) => one.ids));
        return [share, await deps.pools.claimedBy(share, [...ids])] as const;
      }),
    ),
  ]);
  const taken = new Map(byShare);
  return ({ customerId = '', customerEmail = '' }) => {
    const [byId, byEmail] = [taken.get(customerId), taken.get(customerEmail)];
    return {
      claimed: (poolId) => counts?.get(poolId)?.claimed ?? 0,
      customerUsage: (poolId) => Math.max(byId?.get(poolId) ?? 0, byEmail?.get(poolId) ?? 0),
    };
  };
}
