import { isDeepStrictEqual } from 'node:util';
import {
  ARRAY_LENGTH_MAX,
  type CartItemInput,
  type CartSessionInput,
  type CartSessionPatch,
  type ErrorDetail,
  invalidInput,
  PlatformError,
} from '@event-commerce/contracts';
import type { Cart, CartLine, Catalogue } from './cart.ts';
import { currencyOf, listPrices } from './list-prices.ts';

/** A requested change of a cart. */
export type CartChange =
  | { kind: 'create'; input: Omit<CartSessionInput, 'id'> }
  | { kind: 'set-item'; input: CartItemInput }
  | { kind: 'patch'; input: CartSessionPatch };

export const EMPTY_CART: Cart = { lines: [], coupons: [] };

/**
 * The cart after `change`. A cart without a context gets the event of its first offering that the catalogue has.
 *
 * @throws {PlatformError} VALIDATION_FAILED if the change would mix currencies, exceed a cart's limits, or move a cart
 * that joined a table to another context
 */
export function changeCart(cart: Cart, change: CartChange, catalogue: Catalogue, defaultCurrency: string): Cart {
  const table = change.kind === 'patch' ? change.input.tableCommitmentId : undefined;
  if (table !== undefined && (table ?? undefined) !== cart.tableCommitmentId) {
    throw invalidInput('tableCommitmentId', 'cannot be changed here; use join-table or leave-table');
  }
  const fields = changedFields(cart, change);
  const drafts = draftLines(cart, change, catalogue);
  if (drafts.length > ARRAY_LENGTH_MAX) {
    throw invalidInput('items', `must have at most ${ARRAY_LENGTH_MAX} offerings`);
  }
  const lines = inCurrency(drafts, { ...fields, lines: cart.lines }, catalogue, defaultCurrency);
  const changed = withContext({ ...fields, lines }, catalogue);
  if (cart.tableCommitmentId !== undefined && changed.contextId !== cart.contextId) {
    throw invalidInput(
      'contextId',
      'cannot be changed while the session has a seat at a table for that context; leave the table first',
    );
  }
  refuseNewlyUnpriced(cart, changed, change, catalogue, defaultCurrency);
  return changed;
}

/** Whether `change` is a patch with the cart's present values. */
export function changesNothing(cart: Cart, change: CartChange, catalogue: Catalogue, defaultCurrency: string): boolean {
  if (change.kind !== 'patch') return false;
  const { items: _items, coupons, ...fields } = change.input;
  const currency = currencyOf(cart, catalogue) ?? defaultCurrency;
  const shown: CartSessionPatch = { ...cart, currency };
  const asShown = Object.entries(fields).every(
    ([name, value]) => value === undefined || (value ?? undefined) === shown[name as keyof typeof fields],
  );
  if (!asShown || (coupons !== undefined && !isDeepStrictEqual(coupons ?? [], cart.coupons))) return false;
  const lines = inCurrency(draftLines(cart, change, catalogue), cart, catalogue, defaultCurrency);
  return isDeepStrictEqual(lines, cart.lines);
}

/** The offerings in `change`, with their positions in the request. */
export function offeringsNamedBy(change: CartChange): Map<string, string> {
  if (change.kind === 'set-item') return new Map([[change.input.offeringId, '']]);
  return new Map((change.input.items ?? []).map(({ offeringId }, index) => [offeringId, `items[${index}].`]));
}

function changedFields(cart: Cart, change: CartChange): Omit<Cart, 'lines'> {
  const { lines: _lines, ...fields } = cart;
  if (change.kind === 'set-item') return fields;
  const { items: _items, coupons = fields.coupons, ...given } = change.input;
  const changed = Object.entries({ ...fields, ...given, coupons: coupons ?? [] }).filter(
    ([, value]) => value !== undefined && value !== null,
  );
  return Object.fromEntries(changed) as Omit<Cart, 'lines'>;
}

/** A line whose price may still lack a currency. */
type DraftLine = Omit<CartLine, 'price'> & { price?: CartItemInput['price'] };

function draftLines(cart: Cart, change: CartChange, catalogue: Catalogue): DraftLine[] {
  const before = new Map(cart.lines.map((line) => [line.offeringId, line]));
  const draft = ({ offeringId, quantity, price, name }: CartItemInput): DraftLine => {
    const known = before.get(offeringId);
    const own = catalogue.has(offeringId) ? undefined : (price ?? known?.price);
    const called = catalogue.has(offeringId) ? known?.name : (name ?? known?.name);
    return {
      offeringId,
      quantity,
      ...(own === undefined ? {} : { price: own }),
      ...(called === undefined ? {} : { name: called }),
    };
  };
  if (change.kind !== 'set-item') {
    const { items } = change.input;
    if (items === undefined) return cart.lines;
    return (items ?? []).filter(({ quantity }) => quantity > 0).map(draft);
  }
  const { offeringId, quantity } = change.input;
  const set = quantity === 0 ? [] : [draft(change.input)];
  if (!before.has(offeringId)) return [...cart.lines, ...set];
  return cart.lines.flatMap((line) => (line.offeringId === offeringId ? set : [line]));
}

/** A price without a currency has the currency of the cart's other prices. */
function inCurrency(drafts: DraftLine[], cart: Cart, catalogue: Catalogue, defaultCurrency: string): CartLine[] {
  const known = drafts.map(({ price, ...line }): CartLine => (typeof price === 'object' ? { ...line, price } : line));
  const currency = currencyOf({ ...cart, lines: known }, catalogue) ?? currencyOf(cart, catalogue) ?? defaultCurrency;
  return drafts.map(({ price, ...line }): CartLine => {
    if (price === undefined) return line;
    return { ...line, price: typeof price === 'number' ? { amount: price, currency } : price };
  });
}

function withContext(cart: Cart, catalogue: Catalogue): Cart {
  if (cart.contextId !== undefined) return cart;
  for (const { offeringId } of cart.lines) {
    const eventId = catalogue.get(offeringId)?.eventId;
    if (eventId !== undefined) return { ...cart, contextId: eventId };
  }
  return cart;
}

/** A line that the change sets must fit the cart, and must not leave another line without a price. */
function refuseNewlyUnpriced(
  before: Cart,
  after: Cart,
  change: CartChange,
  catalogue: Catalogue,
  defaultCurrency: string,
): void {
  const listed = listPrices(after, catalogue, defaultCurrency);
  const unfit = listed.lines.filter(
    ({ unpricedReason }) => unpricedReason === 'currency-mismatch' || unpricedReason === 'amount-too-large',
  );
  if (unfit.length === 0) return;
  const paths = offeringsNamedBy(change);
  const elsewhere = change.kind === 'patch' && change.input.currency !== undefined ? 'currency' : 'items';
  const unfitBefore = new Set(
    listPrices(before, catalogue, defaultCurrency).lines.flatMap(({ line, unpricedReason }) =>
      unpricedReason === undefined ? [] : [line.offeringId],
    ),
  );
  const details = unfit
    .filter(({ line }) => paths.has(line.offeringId) || !unfitBefore.has(line.offeringId))
    .map(({ line, offering, unpricedReason }): ErrorDetail => {
      const path = paths.get(line.offeringId);
      const ofOtherCurrency = unpricedReason === 'currency-mismatch';
      if (path !== undefined && ofOtherCurrency && offering === undefined) {
        return { path: `${path}price.currency`, message: `must be ${listed.currency}, the currency of this cart` };
      }
      const problem = ofOtherCurrency
        ? `is not priced in ${listed.currency}, the currency of this cart`
        : 'makes the cart cost more than can be priced';
      if (path !== undefined) return { path: `${path}offeringId`, message: problem };
      return { path: elsewhere, message: `cannot be changed like this: ${line.offeringId} ${problem}` };
    });
  const [first] = details;
  if (first !== undefined) throw new PlatformError('VALIDATION_FAILED', `${first.path} ${first.message}.`, { details });
}
