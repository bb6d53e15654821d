import type { components, paths } from '@event-commerce/client';
import { instantOf } from '../shell/zoned-time.ts';

type Query = NonNullable<paths['/v1/orders']['get']['parameters']['query']>;
type Event = components['schemas']['Event'];

/** What is looked for, as typed: it is part of the view's address. */
export const SEARCH_FIELDS = [
  'q',
  'state',
  'orderNumber',
  'email',
  'customerId',
  'offeringId',
  'code',
  'from',
  'to',
] as const;
export type Search = Record<(typeof SEARCH_FIELDS)[number], string> & {
  /** Orders of every event, not only of the chosen one. */
  everywhere: boolean;
};

export function searchFrom(query: Readonly<Record<string, string>>): Search {
  const fields = Object.fromEntries(SEARCH_FIELDS.map((field) => [field, query[field] ?? '']));
  return { ...(fields as Omit<Search, 'everywhere'>), everywhere: 'everywhere' in query };
}

/** The search in the view's address. */
export function addSearch(address: URLSearchParams, search: Search): void {
  for (const field of SEARCH_FIELDS) if (search[field] !== '') address.set(field, search[field]);
  if (search.everywhere) address.set('everywhere', '');
}

/**
 * What the platform is asked for. Times are those of the event's zone. The orders of an event without offerings are
 * those that say that they are for it.
 */
export function orderQuery(search: Search, { id, timezone = 'UTC' }: Event, hasOfferings: boolean): Query {
  const { everywhere, from, to, ...fields } = search;
  const typed = Object.entries(fields).map(([name, value]) => [name, value.trim()] as const);
  const times = { from: instantOf(from, timezone), to: instantOf(to, timezone) };
  return Object.fromEntries([
    ...typed.filter(([, value]) => value !== ''),
    ...Object.entries(times).filter(([, value]) => value !== undefined),
    ...(everywhere ? [] : [[hasOfferings ? 'eventId' : 'contextId', id] as const]),
  ]) as Query;
}
