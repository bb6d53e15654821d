import type { components } from '@event-commerce/client';
import { time } from '../format/format.ts';
import type { EventField } from './event-draft.ts';

type Event = components['schemas']['Event'];

/** The value of a field of an event, as it is read. */
export function valueText(event: Event, field: EventField): string {
  const value = event[field];
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return 'none';
  if (field === 'startsAt' || field === 'endsAt') return time(String(value), event.timezone);
  return Array.isArray(value) ? value.join(', ') : value.toLocaleString();
}
