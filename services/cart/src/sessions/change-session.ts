import { alreadyExists, type CartSession, hasCode, PlatformError, sessionNotFound } from '@event-commerce/contracts';
import {
  batched,
  type Caller,
  type IfMatch,
  refuseOtherVersion,
  retryOnConflict,
  versionConflict,
  wasChangedBy,
} from '@event-commerce/service-kit';
import type { Catalogue } from './domain/cart.ts';
import { type CartChange, changeCart, changesNothing, EMPTY_CART, offeringsNamedBy } from './domain/change-cart.ts';
import { whyOrdered } from './domain/why-ordered.ts';
import { keyOf } from '../models.ts';
import { isAlive, type SessionRecord, toCart } from './session-record.ts';
import { priceSession } from './price-session.ts';
import { type ReadDeps, showSession, withSeats } from './read-session.ts';
import { lapseSeat } from '../tables/lapse-seats.ts';

/** How many changes of one session are applied together, and how many may wait. */
const TOGETHER_MAX = 200;
const WAITING_MAX = 2_000;
/** Longer than any batch in which all parts respond in time. */
const BATCH_TIMEOUT_MS = 30_000;

export interface ChangeRequest {
  caller: Caller;
  id: string;
  change: CartChange;
  /** For a new session: see `SessionDocument`. */
  madeAs?: string;
  ifMatch: IfMatch;
}

export type ChangeSession = (request: ChangeRequest) => Promise<CartSession>;

/**
 * Changes sessions, prices each result with one pricing request, and writes it with its event. Every change takes
 * effect: waiting changes of one session are applied one after another, priced once and written once. A write succeeds
 * only if no other replica wrote since the read; otherwise everything is repeated. A request with an Idempotency-Key
 * that changed the session before changes nothing.
 *
 * The returned function throws {PlatformError} CART_SESSION_NOT_FOUND, ALREADY_EXISTS, VALIDATION_FAILED,
 * VERSION_CONFLICT, CART_ALREADY_ORDERED, SERVICE_UNAVAILABLE if the cart cannot be priced: then nothing was changed
 */
export function createChangeSession(deps: ReadDeps): ChangeSession {
  const conflict = versionConflict('The cart session');
  return batched<ChangeRequest, CartSession>(
    async (batch) =>
      await retryOnConflict(async () => changeTogether(deps, batch), conflict).catch((error: unknown) => {
        // No single change is to blame: run separately, each would meet the same writers again.
        if (hasCode(error, 'VERSION_CONFLICT')) return batch.map(() => error);
        throw error;
      }),
    {
      key: ({ caller, id }) => keyOf(caller.tenant, id),
      itemsMax: TOGETHER_MAX,
      waitingMax: WAITING_MAX,
      timeoutMs: BATCH_TIMEOUT_MS,
    },
  );
}

/** The outcome of each change; undefined if another process wrote the session since it was read. */
async function changeTogether(
  deps: ReadDeps,
  batch: readonly ChangeRequest[],
): Promise<(CartSession | PlatformError)[] | undefined> {
  // All belong to one company and one session. The newest token expires last.
  const { caller, id } = batch.at(-1) as ChangeRequest;
  const now = deps.clock();
  const base = await deps.sessions.load(caller.tenant, id);
  const alive = isAlive(base, now) ? base : undefined;
  // The seat of an ordered session belongs to the order.
  if (alive === undefined && base?.tableCommitmentId !== undefined && base.ordered === undefined) {
    await lapseSeat(deps, base);
    return undefined;
  }
  if (alive === undefined && batch.every(({ change }) => change.kind === 'patch')) {
    return batch.map(() => sessionNotFound(id));
  }
  const catalogue = await deps.catalogue.find(caller, offeringsOf(alive, batch));
  const { cart, version, made, errors } = applyAll(base?.version ?? 0, alive, batch, catalogue, deps.defaultCurrency);
  const last = made.at(-1);
  if (cart === undefined || last === undefined) {
    const refused = errors.filter((error) => error !== undefined);
    if (alive === undefined || refused.length === batch.length) return refused;
    const standing = await showSession(deps, caller, alive);
    return errors.map((error) => error ?? standing);
  }
  const createdAt = alive?.createdAt ?? now;
  const created = made.find(({ change }) => change.kind === 'create');
  const attempts = made.flatMap((one) => one.caller.attempt?.idSuffix ?? []);
  const unpriced = { cart, version, createdAt, now, madeAs: created?.madeAs, attempts };
  const priced = await priceSession(deps, caller, { cart, sessionId: id }, catalogue);
  // The event names the callers who changed the session, not those who were refused.
  const written = await deps.sessions.save(last.caller, id, base, { ...unpriced, priced });
  if (written === undefined) return undefined;
  const result = await withSeats(deps, written, { priced, pricedAt: now, status: 'current' });
  return errors.map((error) => error ?? result);
}

function offeringsOf(alive: SessionRecord | undefined, batch: readonly ChangeRequest[]): string[] {
  const held = alive?.lines.map(({ offeringId }) => offeringId) ?? [];
  return [...held, ...batch.flatMap(({ change }) => [...offeringsNamedBy(change).keys()])];
}

/**
 * The cart after the changes that are possible and were not made before, its version, these changes, and an error for
 * each change of the batch that is not possible.
 */
function applyAll(
  versionBefore: number,
  alive: SessionRecord | undefined,
  batch: readonly ChangeRequest[],
  catalogue: Catalogue,
  defaultCurrency: string,
) {
  let cart = alive === undefined ? undefined : toCart(alive);
  let version = versionBefore;
  const attempts = [...(alive?.attempts ?? [])];
  const made: ChangeRequest[] = [];
  const errors = batch.map((request) => {
    const { id, change, ifMatch, caller } = request;
    if (wasChangedBy(caller, { attempts })) return undefined;
    try {
      if (change.kind === 'patch' && cart === undefined) throw sessionNotFound(id);
      if (change.kind === 'create' && cart !== undefined) {
        throw alreadyExists('cart session', id);
      }
      const refusal = alive && whyOrdered(alive, 'id');
      const isSentBack = cart !== undefined && changesNothing(cart, change, catalogue, defaultCurrency);
      if (refusal !== undefined && !isSentBack) throw refusal;
      refuseOtherVersion(ifMatch, 'cart session', cart === undefined ? undefined : version);
      if (isSentBack) return undefined;
      cart = changeCart(cart ?? EMPTY_CART, change, catalogue, defaultCurrency);
      version += 1;
      made.push(request);
      if (caller.attempt !== undefined) attempts.push(caller.attempt.idSuffix);
      return undefined;
    } catch (error) {
      if (error instanceof PlatformError) return error;
      throw error;
    }
  });
  return { cart, version, made, errors };
}
