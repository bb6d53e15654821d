import type { components, paths } from '@event-commerce/client';
import { instantOf } from '../format/zoned-time.ts';

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
/** Which orders are searched. The event that an order names need not be that of its items. */
export const AMONG = [
  ['', 'Of this event’s offerings'],
  ['named', 'That name this event'],
  ['all', 'Of every event'],
] as const;
const ADDRESS_FIELDS = [...SEARCH_FIELDS, 'among'] as const;
export type Search = Record<(typeof ADDRESS_FIELDS)[number], string>;

export function searchFrom(query: Readonly<Record<string, string>>): Search {
  return Object.fromEntries(ADDRESS_FIELDS.map((field) => [field, query[field] ?? ''])) as Search;
}

/** The search in the view's address. */
export function addSearch(address: URLSearchParams, search: Search): void {
  for (const field of ADDRESS_FIELDS) if (search[field] !== '') address.set(field, search[field]);
}

/** The query of the address where the orders of an event are listed. */
export function ordersOf(eventId: string, among = ''): string {
  const address = new URLSearchParams({ event: eventId });
  addSearch(address, searchFrom({ among }));
  return `?${address.toString()}`;
}

/** What the platform is asked for. Times are those of the event's zone. */
export function orderQuery(search: Search, { id, timezone = 'UTC' }: Event): Query {
  const { among, from, to, ...fields } = search;
  const typed = Object.entries(fields).map(([name, value]) => [name, value.trim()] as const);
  const times = { from: instantOf(from, timezone), to: instantOf(to, timezone) };
  return Object.fromEntries([
    ...typed.filter(([, value]) => value !== ''),
    ...Object.entries(times).filter(([, value]) => value !== undefined),
    ...(among === 'all' ? [] : [[among === 'named' ? 'contextId' : 'eventId', id] as const]),
  ]) as Query;
}
