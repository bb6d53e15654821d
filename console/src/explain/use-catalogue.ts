import type { components } from '@event-commerce/client';
import { listOf, type Page } from '../shell/list-of.ts';
import { loadEvents } from '../shell/load-events.ts';
import { type Resource, useResource } from '../shell/resource.ts';
import { useSession } from '../shell/session.tsx';
import type { Question } from './question.ts';

type Event = components['schemas']['Event'];
type Offering = components['schemas']['Offering'];

/** What a form can offer for choice. More than one page is found by its id in the address. */
export interface Catalogue {
  events: Resource<Page<Event>>;
  offerings: Resource<Offering[]>;
  /** The chosen ones; the first there is if none was chosen. */
  event: Event | undefined;
  offering: Offering | undefined;
}

const LISTED_MAX = 200;

export function useCatalogue({
  of,
  event: eventId,
  offering: offeringId,
}: Pick<Question, 'of' | 'event' | 'offering'>): Catalogue {
  const { client } = useSession();
  const wanted = of === 'offering';
  const events = useResource(
    async (signal) => (wanted ? loadEvents(client, signal, eventId) : { items: [], next: undefined }),
    [client, wanted],
  );
  const event =
    events.value?.items.find(({ id }) => id === eventId) ?? (eventId === '' ? events.value?.items[0] : undefined);
  const offerings = useResource(
    async (signal) => {
      if (event === undefined) return [];
      const params = { path: { id: event.id }, query: { limit: LISTED_MAX } };
      const { items } = await listOf(client.GET('/v1/events/{id}/offerings', { params, signal }));
      if (offeringId === '' || items.some(({ id }) => id === offeringId)) return items;
      const { data } = await client.GET('/v1/offerings/{id}', { params: { path: { id: offeringId } }, signal });
      return data === undefined ? items : [data.data, ...items];
    },
    [client, event?.id, offeringId],
  );
  const ofEvent = offerings.value?.filter((one) => one.eventId === event?.id);
  const offering = ofEvent?.find(({ id }) => id === offeringId) ?? (offeringId === '' ? ofEvent?.[0] : undefined);
  return { events, offerings, event, offering };
}
