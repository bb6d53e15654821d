import type { TicketedEvent } from '@event-commerce/contracts';
import { newId } from '@event-commerce/service-kit';
import { liveTenant } from '@event-commerce/test-kit';
import { searchTerms } from '../src/events/domain/search-terms.ts';
import type { EventDocument, EventsModels } from '../src/models.ts';

export type NewEvent = Pick<EventDocument, 'kind' | 'ownId' | 'seriesId' | 'own'>;

/** Writes events as the service stores them, many at once. */
export async function insertEvents(
  { events }: EventsModels,
  companyId: string,
  all: NewEvent[],
): Promise<EventDocument[]> {
  const now = new Date('2027-01-01');
  const documents = all.map((event) => ({
    _id: newId('evt'),
    companyId: liveTenant(companyId),
    ...event,
    terms: searchTerms(event.own),
    version: 1,
    created: now,
    changed: now,
  }));
  await events.collection.insertMany(documents as never);
  return documents;
}

/** `newestFirst` as the API sorts by start. */
export function soonestFirst(newestFirst: readonly TicketedEvent[]): TicketedEvent[] {
  const at = ({ startsAt }: TicketedEvent) => (startsAt === undefined ? Infinity : Date.parse(startsAt));
  return newestFirst.toSorted((one, other) => (at(one) === at(other) ? 0 : at(one) - at(other)));
}
