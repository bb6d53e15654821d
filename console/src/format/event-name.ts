import type { components } from '@event-commerce/client';
import { day } from './format.ts';

type Event = components['schemas']['Event'];

/** An event as it is called in a list: with its day, because many have one name. */
export function eventName({ id, name = id, kind, startsAt, timezone }: Event): string {
  if (kind === 'series') return `${name}, all dates`;
  return startsAt === undefined ? name : `${name}, ${day(startsAt, timezone)}`;
}
