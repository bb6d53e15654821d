import { ApiError, type Client, type components } from '@event-commerce/client';
import { listOf } from './list-of.ts';
import { isForbidden } from '../ui/states.tsx';

type Event = components['schemas']['Event'];

/** How many events a search offers of those to come, and of the others. */
const FOUND_MAX = 20;

/** The events whose names begin with the words of `q`: the next ones, soonest first, then the newest. */
export async function findEvents(
  client: Client,
  signal: AbortSignal,
  q: string,
  kind?: Event['kind'],
): Promise<readonly Event[]> {
  const filter = { limit: FOUND_MAX, ...(q === '' ? {} : { q }), ...(kind === undefined ? {} : { kind }) };
  const upcoming = { sort: 'startsAt', endsAfter: new Date().toISOString() } as const;
  const pages = await Promise.all(
    [upcoming, {}].map(async (query) =>
      listOf(client.GET('/v1/events', { params: { query: { ...filter, ...query } }, signal })),
    ),
  );
  return [...new Map(pages.flatMap(({ items }) => items).map((event) => [event.id, event])).values()];
}

/** The event with an id; undefined if there is none, or the id cannot be used in a path. */
export async function loadEvent(client: Client, signal: AbortSignal, id: string): Promise<Event | undefined> {
  const { data, error, response } = await client.GET('/v1/events/{id}', { params: { path: { id } }, signal });
  if (data === undefined && response.status !== 404 && response.status !== 400)
    throw new ApiError(response.status, error);
  return data?.data;
}

/** What a view begins with: the next event, or else the newest. */
export async function loadFirstEvent(client: Client, signal: AbortSignal): Promise<Event | undefined> {
  return (await findEvents(client, signal, ''))[0];
}

/**
 * What a form knows of events to begin with: those of `ids`, then the next and the newest. None for a key that may not
 * read events: the form can do without.
 */
export async function loadReadableEvents(
  client: Client,
  signal: AbortSignal,
  ids: readonly string[],
): Promise<readonly Event[]> {
  try {
    const [found, ...named] = await Promise.all([
      findEvents(client, signal, ''),
      ...ids.map(async (id) => await loadEvent(client, signal, id)),
    ]);
    const events = [...named.filter((event) => event !== undefined), ...found];
    return [...new Map(events.map((event) => [event.id, event])).values()];
  } catch (error) {
    if (isForbidden(error)) return [];
    throw error;
  }
}
