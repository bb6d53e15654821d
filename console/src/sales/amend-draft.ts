import { ApiError, type components } from '@event-commerce/client';
import { listedIn } from '../data/listed-in.ts';
import { minorUnitsOf, money } from '../format/format.ts';

type Schemas = components['schemas'];
type Order = Schemas['Order'];
type Previewed = Schemas['AmendmentPreview']['keep'];
/** What an amendment comes to, made or not. */
export type Priced = Exclude<Previewed, { code: string }>;

/** An amendment as the form holds it: everything as typed, empty where there is nothing. */
export interface AmendDraft {
  /** How many tickets each line keeps, by its id. A line that is not in here keeps all. */
  quantities: Readonly<Record<string, string>>;
  /** The offering to add; empty for none. */
  offeringId: string;
  quantity: string;
  /** All codes that the order should have. */
  codes: string;
  /** The tax of the whole order. Asked for only where the platform cannot know it: see `needsTax`. */
  tax: string;
  /** What happens to a discount that the remaining tickets lose. */
  difference: 'withhold' | 'charge';
  /** For how many seconds it waits to be confirmed; empty if it is applied at once. */
  waits: string;
  reason: string;
}

export function newAmendDraft(order: Pick<Order, 'coupons'>): AmendDraft {
  return {
    quantities: {},
    offeringId: '',
    quantity: '1',
    codes: codesOf(order).join(', '),
    tax: '',
    difference: 'withhold',
    waits: '',
    reason: '',
  };
}

/** Tickets that are added to an order with tax: only the seller knows how they are taxed. */
export function needsTax({ offeringId }: AmendDraft, { costs }: Pick<Order, 'costs'>): boolean {
  return offeringId !== '' && costs.tax > 0;
}

export interface AmendProblems {
  /** The problems of quantities, by the id of the line. */
  quantities: Readonly<Record<string, string>>;
  quantity?: string;
  codes?: string;
  tax?: string;
  /** The problem of the form as a whole. */
  form?: string;
}

/** What cannot be sent, and what to write instead. */
export function amendProblems(draft: AmendDraft, order: Order): AmendProblems {
  const quantities: Record<string, string> = {};
  for (const { lineId, quantity } of order.items) {
    const typed = keptOf(draft, lineId, quantity);
    if (!/^\d+$/.test(typed)) quantities[lineId] = 'Enter a whole number, 0 or more.';
    else if (Number(typed) > quantity) quantities[lineId] = `At most ${quantity}. Add more below.`;
  }
  const problems: AmendProblems = { quantities };
  const isAdding = draft.offeringId !== '';
  if (isAdding && !/^[1-9]\d*$/.test(draft.quantity)) problems.quantity = 'Enter a whole number, 1 or more.';
  const has = codeSet(listedIn(draft.codes));
  if (draft.difference === 'withhold' && !codeSet(codesOf(order)).isSubsetOf(has))
    problems.codes = 'To remove a code, choose “Charge their full price”.';
  if (needsTax(draft, order) && minorUnitsOf(draft.tax, order.currency) === undefined)
    problems.tax = 'Enter the tax of the whole order, such as 19.50.';
  if (!isAdding && order.items.every(({ lineId, quantity }) => Number(keptOf(draft, lineId, quantity)) === 0))
    problems.form = 'No ticket would be left: cancel the order instead.';
  return problems;
}

export function hasProblems({ quantities, ...others }: AmendProblems): boolean {
  return Object.keys(quantities).length > 0 || Object.keys(others).length > 0;
}

/** The body that previews a draft without problems. Undefined if the draft changes nothing. */
export function amendBodyOf(draft: AmendDraft, order: Order): Schemas['AmendmentPreviewInput'] | undefined {
  const { offeringId } = draft;
  const isAdded = (item: Order['items'][number]) => offeringId !== '' && item.offeringId === offeringId;
  const kept = ({ lineId, quantity }: Order['items'][number]) => Number(keptOf(draft, lineId, quantity));
  const items: NonNullable<Schemas['AmendmentPreviewInput']['items']> = order.items
    // The lines of an offering are named by their ids, or all together by the offering.
    .filter((item) => !isAdded(item) && kept(item) !== item.quantity)
    .map((item) => ({ lineId: item.lineId, quantity: kept(item) }));
  if (offeringId !== '') {
    const has = order.items.filter(isAdded).reduce((sum, item) => sum + kept(item), 0);
    items.push({ offeringId, quantity: has + Number(draft.quantity) });
  }
  const coupons = listedIn(draft.codes);
  const hasOtherCodes = codeSet(coupons).symmetricDifference(codeSet(codesOf(order))).size > 0;
  if (items.length === 0 && !hasOtherCodes) return undefined;
  return {
    ...(items.length === 0 ? {} : { items }),
    ...(hasOtherCodes ? { coupons } : {}),
    ...(needsTax(draft, order) ? { costs: { tax: minorUnitsOf(draft.tax, order.currency) ?? 0 } } : {}),
    chargeDifference: draft.difference === 'charge',
  };
}

function keptOf({ quantities }: AmendDraft, lineId: string, quantity: number): string {
  return quantities[lineId] ?? String(quantity);
}

function codesOf({ coupons }: Pick<Order, 'coupons'>): string[] {
  return coupons.map(({ code }) => code);
}

function codeSet(codes: readonly string[]): Set<string> {
  return new Set(codes.map((code) => code.toUpperCase()));
}

/** `To pay back €37.50`. `isPaid`: a pending order has nothing to pay back yet. */
export function dueText({ due, currency }: Pick<Priced, 'due' | 'currency'>, isPaid: boolean): string {
  if (due === 0) return isPaid ? 'Nothing to pay or to pay back' : 'The same to pay';
  if (due > 0) return `${money(due, currency)} more to pay`;
  return isPaid ? `To pay back ${money(-due, currency)}` : `${money(-due, currency)} less to pay`;
}

/** What became of an amendment that was asked for, and what to do next. `isPaid`: as for `dueText`. */
export function madeText({ amendment, order }: Schemas['AmendedOrder'], isPaid: boolean): string {
  const cost = `The order costs ${money(order.costs.total, order.currency)}.`;
  if (amendment === undefined) return `Nothing had to change. ${cost}`;
  const due = dueText(amendment, isPaid);
  if (amendment.state === 'pending') return `Held until the amendment is confirmed. ${due}. The order stays as it is.`;
  return `Amended. ${due}. ${cost}`;
}

/** Why not all of the price of the returned tickets is paid back. Undefined if it is. */
export function withheldText({ withheld, currency }: Pick<Priced, 'withheld' | 'currency'>): string | undefined {
  if (withheld === 0) return undefined;
  return `${money(withheld, currency)} is withheld: without the returned tickets, the remaining ones lose a discount that they were bought with.`;
}

/** Why a mode is not possible. */
export function refusalOf(previewed: Previewed): ApiError | undefined {
  return 'code' in previewed ? new ApiError(409, { error: previewed }) : undefined;
}

const OUTDATED: Readonly<Record<string, string>> = {
  VERSION_CONFLICT: 'The order was changed meanwhile, so nothing was amended. Preview again.',
  PRICE_CHANGED: 'It would no longer cost what the preview showed, so nothing was amended. Preview again.',
};

/** Why an amendment that was previewed was not made. */
export function amendFailure(error: unknown): unknown {
  const text = error instanceof ApiError ? OUTDATED[error.code] : undefined;
  return text === undefined ? error : new Error(text);
}
