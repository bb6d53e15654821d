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

/** Companies' ids may have colons too: what names the place stands last. */
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

/** Every place that the form can offer, each as its path and its name. */
export function placesOf(events: readonly Event[], chosen: readonly Place[]): (readonly [string, string])[] {
  const named = new Map<string, string>([[EVERYWHERE.path, 'Every event']]);
  for (const event of events) named.set(`event/${event.id}`, eventName(event));
  const venues = new Set(events.flatMap(({ venueId }) => venueId ?? []));
  for (const id of venues) named.set(`venue/${id}`, `Every event at venue ${id}`);
  const organizers = new Set(events.flatMap(({ organizerId }) => organizerId ?? []));
  for (const id of organizers) named.set(`organization/${id}`, `Every event of organizer ${id}`);
  for (const { path } of chosen) if (!named.has(path)) named.set(path, path.replace('/', ' '));
  return [...named];
}
