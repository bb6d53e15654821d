import type { components } from '@event-commerce/client';
import { eventName } from '../format/event-name.ts';

type Schemas = components['schemas'];
type Event = Schemas['Event'];

/** Where something applies: one target of an adjustment, as the form holds it. */
export interface Place {
  /** `event/evt_1`, `venue/ven_1`, `organization/org_1`; `event/*` is every event. */
  path: string;
  /** Only this offering there; empty, all of them. */
  offeringId: string;
}

export const EVERYWHERE: Place = { path: 'event/*', offeringId: '' };

/** Companies' ids may have colons too: what names the place comes last. */
const URN = /^urn:[^:]*:.*?:[^:]+:((?:event|series|venue|organization|offering)\/.+)$/;

/** A target as the platform wrote it, without its company. */
export function placeOf({ urn, eventId, offeringId }: Schemas['Target']): Place {
  const path = URN.exec(urn)?.[1] ?? EVERYWHERE.path;
  if (!path.startsWith('offering/')) return { path, offeringId: offeringId ?? '' };
  return {
    path: eventId === undefined ? EVERYWHERE.path : `event/${eventId}`,
    offeringId: path.slice('offering/'.length),
  };
}

export function targetOf({ path, offeringId }: Place): Schemas['TargetInput'] {
  // The platform sets the company in the urn.
  return { urn: `urn:v1::events:${path}`, ...(offeringId === '' ? {} : { offeringId }) };
}

/** The id of the event that a place names, if it names one. */
export function eventIdOf({ path }: Place): string | undefined {
  return path.startsWith('event/') && path !== EVERYWHERE.path ? path.slice('event/'.length) : undefined;
}

/** The zone of the event that a place names; undefined if it names none. */
export function zoneAt(place: Place, events: readonly Event[]): string | undefined {
  const event = events.find(({ id }) => id === eventIdOf(place));
  return event && (event.timezone ?? 'UTC');
}

/** The id of an event at a place; undefined if there is none, or any will do. */
export function eventAt(place: Place, events: readonly Event[]): string | undefined {
  const [kind, id] = [place.path.slice(0, place.path.indexOf('/')), place.path.slice(place.path.indexOf('/') + 1)];
  if (kind === 'venue') return events.find(({ venueId }) => venueId === id)?.id;
  if (kind === 'organization') return events.find(({ organizerId }) => organizerId === id)?.id;
  return eventIdOf(place);
}

/** Places other than events, by what is known of events: each as its path and its name. */
export function venuesAndOrganizers(events: readonly Event[]): (readonly [string, string])[] {
  const venues = new Set(events.flatMap(({ venueId }) => venueId ?? []));
  const organizers = new Set(events.flatMap(({ organizerId }) => organizerId ?? []));
  return [...[...venues].map((id) => `venue/${id}`), ...[...organizers].map((id) => `organization/${id}`)].map(
    (path) => [path, placeName({ path, offeringId: '' }, events)] as const,
  );
}

/** What a place is called; an event that is not known is called by its id. */
export function placeName(place: Place, events: readonly Event[]): string {
  const [kind = '', ...rest] = place.path.split('/');
  const id = rest.join('/');
  if (place.path === EVERYWHERE.path) return 'Every event';
  if (kind === 'venue') return `Every event at venue ${id}`;
  if (kind === 'organization') return `Every event of organizer ${id}`;
  const event = events.find((one) => one.id === id);
  return event === undefined ? id : eventName(event);
}
