import type { components } from '@event-commerce/client';
import { day, time } from './format.ts';

type Event = components['schemas']['Event'];

/** An event as it is called in a list: with its day, because many have one name. */
export function eventName({ id, name = id, kind, startsAt, timezone }: Event): string {
  if (kind === 'series') return `${name}, all dates`;
  return startsAt === undefined ? name : `${name}, ${day(startsAt, timezone)}`;
}

/** When and where an event is, and whether it sells tickets, beside its name. */
export function aboutEvent({ kind, startsAt, timezone, venueId, status }: Event): string {
  const when = kind === 'series' ? 'Series' : startsAt === undefined ? 'No start yet' : time(startsAt, timezone);
  return [when, ...(venueId === undefined ? [] : [venueId]), ...(status === 'published' ? [] : [status])].join(', ');
}
