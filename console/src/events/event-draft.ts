import type { components } from '@event-commerce/client';
import { changedMembers } from '../data/changed-members.ts';
import { listedIn } from '../data/listed-in.ts';
import { localOf } from '../format/zoned-time.ts';

type Schemas = components['schemas'];
type Event = Schemas['Event'];
export type EventField = NonNullable<Event['overrides']>[number];

/** An event as the form holds it: everything as typed, empty where there is nothing. */
export interface EventDraft extends Record<EventField, string> {
  kind: Event['kind'];
}

export const STATUSES = [
  ['draft', 'Draft: sells nothing yet'],
  ['published', 'Published: sells tickets'],
  ['postponed', 'Postponed: still sells tickets'],
  ['cancelled', 'Cancelled: sells nothing'],
  ['completed', 'Completed: sells nothing'],
  ['archived', 'Archived: hidden, sells nothing'],
] as const satisfies readonly (readonly [NonNullable<Event['status']>, string])[];

export const FIELD_TEXT: Record<EventField, string> = {
  name: 'Name',
  description: 'Description',
  startsAt: 'Start',
  endsAt: 'End',
  timezone: 'Time zone',
  venueId: 'Venue',
  organizerId: 'Organizer',
  capacity: 'Capacity',
  maxPerCustomer: 'Max per customer',
  status: 'Status',
  tags: 'Tags',
};
const FIELDS = Object.keys(FIELD_TEXT) as EventField[];

export function newEventDraft(kind: Event['kind'], timezone: string): EventDraft {
  const empty = Object.fromEntries(FIELDS.map((field) => [field, ''])) as Record<EventField, string>;
  return { ...empty, kind, timezone, status: 'published' };
}

/** Times are those of the event's zone. */
export function eventDraftOf(event: Event): EventDraft {
  const { kind, name, description, startsAt, endsAt, timezone, venueId, organizerId, status, tags } = event;
  const { capacity, maxPerCustomer } = event;
  const local = (instant: string | undefined) => (instant === undefined ? '' : localOf(instant, timezone ?? 'UTC'));
  return {
    kind,
    name: name ?? '',
    description: description ?? '',
    startsAt: local(startsAt),
    endsAt: local(endsAt),
    timezone: timezone ?? '',
    venueId: venueId ?? '',
    organizerId: organizerId ?? '',
    capacity: capacity === undefined ? '' : String(capacity),
    maxPerCustomer: maxPerCustomer === undefined ? '' : String(maxPerCustomer),
    status: status ?? 'published',
    tags: (tags ?? []).join(', '),
  };
}

export type EventProblems = Partial<Record<EventField, string>>;

/** What cannot be sent, and what to write instead. The platform's own rules are left to the platform. */
export function eventProblems({ kind, name, startsAt, endsAt, capacity, maxPerCustomer }: EventDraft): EventProblems {
  return {
    // A date without a name of its own has the name of its series.
    ...(name.trim() === '' && kind !== 'instance' ? { name: 'Enter a name.' } : {}),
    ...(startsAt !== '' && endsAt !== '' && endsAt <= startsAt ? { endsAt: 'It must be after the start.' } : {}),
    ...(/^\d*$/.test(capacity) ? {} : { capacity: 'Enter a whole number, 0 or more.' }),
    ...(/^([1-9]\d*)?$/.test(maxPerCustomer) ? {} : { maxPerCustomer: 'Enter a whole number, 1 or more.' }),
  };
}

/** The body that creates a draft without problems. */
export function eventCreationOf(draft: EventDraft): Schemas['EventInput'] {
  const given = Object.entries(membersOf(draft)).filter(([, value]) => value !== null);
  return { kind: draft.kind, ...Object.fromEntries(given) };
}

/**
 * The body that changes `saved` to a draft without problems, and nothing else. What is emptied is removed; of an
 * instance, that ends the override.
 */
export function eventChangeOf(draft: EventDraft, saved: EventDraft): Schemas['EventPatch'] {
  return changedMembers(membersOf(draft), membersOf(saved)) as Schemas['EventPatch'];
}

function membersOf(draft: EventDraft) {
  const text = (field: EventField) => draft[field].trim() || null;
  const tags = listedIn(draft.tags);
  return {
    name: text('name'),
    description: text('description'),
    // Times without a zone: the platform reads them in that of the event.
    startsAt: text('startsAt'),
    endsAt: text('endsAt'),
    timezone: text('timezone'),
    venueId: text('venueId'),
    organizerId: text('organizerId'),
    capacity: draft.capacity === '' ? null : Number(draft.capacity),
    maxPerCustomer: draft.maxPerCustomer === '' ? null : Number(draft.maxPerCustomer),
    status: text('status'),
    tags: tags.length === 0 ? null : tags,
  };
}
