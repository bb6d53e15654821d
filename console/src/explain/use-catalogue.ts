import { ApiError, type Client, type components } from '@event-commerce/client';
import { listOf } from '../data/list-of.ts';
import { loadEvent, loadFirstEvent } from '../data/load-events.ts';
import { type Resource, useResource } from '../data/resource.ts';
import { useSession } from '../shell/session.tsx';
import { useSettled } from '../data/use-settled.ts';
import type { Question } from './question.ts';

type Event = components['schemas']['Event'];
type Offering = components['schemas']['Offering'];

/** The event and the offering that a form is about. */
export interface Catalogue {
  /** Which event was asked for, and what was found; an empty id asks for the first there is. */
  events: Pick<Resource<{ asked: string; event: Event | undefined }>, 'value' | 'error' | 'reload'>;
  /** What the chosen event sells, with the chosen offering if that is one; no value before both are known. */
  offerings: Pick<Resource<readonly Offering[]>, 'value' | 'error' | 'reload'>;
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
  const found = useResource(
    async (signal) => {
      if (!wanted) return undefined;
      const load = eventId === '' ? loadFirstEvent(client, signal) : loadEvent(client, signal, eventId);
      return { asked: eventId, event: await load };
    },
    [client, wanted, eventId],
  );
  // The first event stays when it is chosen by its id. While another one loads, the last one is not shown as that.
  const isFound = eventId === found.value?.asked || (eventId !== '' && eventId === found.value?.event?.id);
  const events = { ...found, value: isFound ? found.value : undefined };
  const event = events.value?.event;
  const offerings = useOfferings(event?.id, offeringId);
  const offering =
    offerings.value?.find(({ id }) => id === offeringId) ?? (offeringId === '' ? offerings.value?.[0] : undefined);
  return { events, offerings, event, offering };
}

function useOfferings(eventId: string | undefined, offeringId: string): Catalogue['offerings'] {
  const { client } = useSession();
  const list = useResource(
    async (signal) => {
      if (eventId === undefined) return undefined;
      const params = { path: { id: eventId }, query: { limit: LISTED_MAX } };
      const { items } = await listOf(client.GET('/v1/events/{id}/offerings', { params, signal }));
      return { eventId, items };
    },
    [client, eventId],
  );
  // While another event's list loads, the last one stays.
  const listed = list.value?.eventId === eventId ? list.value?.items : undefined;
  const isListed = offeringId === '' || listed?.some(({ id }) => id === offeringId);
  // A coupon's form has a field where the id is typed.
  const unlistedId = useSettled(listed === undefined || isListed ? '' : offeringId);
  const unlisted = useResource(
    async (signal) => ({ id: unlistedId, offering: await loadOffering(client, signal, unlistedId) }),
    [client, unlistedId],
  );
  if (listed === undefined) return { value: undefined, error: list.error, reload: list.reload };
  if (isListed) return { value: listed, error: undefined, reload: list.reload };
  if (unlisted.value?.id !== offeringId) return { value: undefined, error: unlisted.error, reload: unlisted.reload };
  const { offering } = unlisted.value;
  const value = offering !== undefined && offering.eventId === eventId ? [offering, ...listed] : listed;
  return { value, error: undefined, reload: unlisted.reload };
}

/** The offering of this id; undefined if there is none, or the id cannot be used in a path. */
async function loadOffering(client: Client, signal: AbortSignal, id: string): Promise<Offering | undefined> {
  if (id === '') return undefined;
  const { data, error, response } = await client.GET('/v1/offerings/{id}', { params: { path: { id } }, signal });
  if (data === undefined && response.status !== 404 && response.status !== 400)
    throw new ApiError(response.status, error);
  return data?.data;
}
