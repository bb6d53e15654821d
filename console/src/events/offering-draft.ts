import type { components } from '@event-commerce/client';
import { changedMembers } from '../data/changed-members.ts';
import { listedIn } from '../data/listed-in.ts';
import { isCurrency, minorUnitsOf, number, time, typedAmount } from '../format/format.ts';
import { localOf } from '../format/zoned-time.ts';

type Schemas = components['schemas'];
type Offering = Schemas['Offering'];

/** An offering as the form holds it: everything as typed, empty where there is nothing. */
export interface OfferingDraft {
  name: string;
  amount: string;
  currency: string;
  status: Offering['status'];
  capacity: string;
  maxPerOrder: string;
  maxPerCustomer: string;
  /** Local time in the zone of the event. */
  onSaleFrom: string;
  onSaleUntil: string;
  tags: string;
}

/** Where the value of each field is in the body. */
export const OFFERING_PATHS: Readonly<Record<keyof OfferingDraft, string>> = {
  name: 'name',
  amount: 'price.amount',
  currency: 'price.currency',
  status: 'status',
  capacity: 'capacity',
  maxPerOrder: 'maxPerOrder',
  maxPerCustomer: 'maxPerCustomer',
  onSaleFrom: 'onSaleFrom',
  onSaleUntil: 'onSaleUntil',
  tags: 'tags',
};

export function newOfferingDraft(currency = 'EUR'): OfferingDraft {
  return {
    name: '',
    amount: '',
    currency,
    status: 'active',
    capacity: '',
    maxPerOrder: '',
    maxPerCustomer: '',
    onSaleFrom: '',
    onSaleUntil: '',
    tags: '',
  };
}

export function offeringDraftOf(offering: Offering, zone: string): OfferingDraft {
  const { name, price, status, capacity, maxPerOrder, maxPerCustomer, onSaleFrom, onSaleUntil, tags } = offering;
  const local = (instant: string | undefined) => (instant === undefined ? '' : localOf(instant, zone));
  const whole = (value: number | undefined) => (value === undefined ? '' : String(value));
  return {
    name,
    amount: typedAmount(price.amount, price.currency),
    currency: price.currency,
    status,
    capacity: whole(capacity),
    maxPerOrder: whole(maxPerOrder),
    maxPerCustomer: whole(maxPerCustomer),
    onSaleFrom: local(onSaleFrom),
    onSaleUntil: local(onSaleUntil),
    tags: tags.join(', '),
  };
}

export type OfferingProblems = Partial<Record<keyof OfferingDraft, string>>;

/** What cannot be sent, and what to write instead. The platform's own rules are left to the platform. */
export function offeringProblems(draft: OfferingDraft): OfferingProblems {
  const { name, amount, currency } = draft;
  const problems: OfferingProblems = {};
  if (name.trim() === '') problems.name = 'Enter a name, such as Standing.';
  if (!isCurrency(currency)) problems.currency = 'Three letters, such as EUR.';
  else if (minorUnitsOf(amount, currency) === undefined)
    problems.amount = `Enter an amount in ${currency}, such as 50.`;
  if (!/^\d*$/.test(draft.capacity)) problems.capacity = 'Enter a whole number, 0 or more.';
  for (const limit of ['maxPerOrder', 'maxPerCustomer'] as const) {
    if (!/^([1-9]\d*)?$/.test(draft[limit])) problems[limit] = 'Enter a whole number, 1 or more.';
  }
  return problems;
}

/** The body that creates a draft without problems. */
export function offeringCreationOf(draft: OfferingDraft): Schemas['OfferingInput'] {
  const given = Object.entries(membersOf(draft)).filter(([, value]) => value !== null);
  return Object.fromEntries(given) as Schemas['OfferingInput'];
}

/** The body that changes `saved` to a draft without problems, and nothing else. What is emptied is removed. */
export function offeringChangeOf(draft: OfferingDraft, saved: OfferingDraft): Schemas['OfferingPatch'] {
  return changedMembers(membersOf(draft), membersOf(saved)) as Schemas['OfferingPatch'];
}

function membersOf(draft: OfferingDraft) {
  const { name, currency, status, capacity, maxPerOrder, maxPerCustomer, onSaleFrom, onSaleUntil } = draft;
  return {
    name: name.trim(),
    price: { amount: minorUnitsOf(draft.amount, currency), currency },
    status,
    capacity: capacity === '' ? null : Number(capacity),
    maxPerOrder: maxPerOrder === '' ? null : Number(maxPerOrder),
    maxPerCustomer: maxPerCustomer === '' ? null : Number(maxPerCustomer),
    // Times without a zone: the platform reads them in that of the event.
    onSaleFrom: onSaleFrom || null,
    onSaleUntil: onSaleUntil || null,
    tags: listedIn(draft.tags),
  };
}

/** When an offering is sold, and how many to an order: `On sale from Dec 1, 2026, 10:00 AM, at most 6 per order`. */
export function saleText({ onSaleFrom, onSaleUntil, maxPerOrder }: Offering, zone: string | undefined): string {
  const window = [
    ...(onSaleFrom === undefined ? [] : [`from ${time(onSaleFrom, zone)}`]),
    ...(onSaleUntil === undefined ? [] : [`until ${time(onSaleUntil, zone)}`]),
  ].join(' ');
  return [
    ...(window === '' ? [] : [`On sale ${window}`]),
    ...(maxPerOrder === undefined ? [] : [`${window === '' ? 'At' : 'at'} most ${number(maxPerOrder)} per order`]),
  ].join(', ');
}
