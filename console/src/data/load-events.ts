import { ApiError, type Client, type components } from '@event-commerce/client';
import { listOf, type Page } from './list-of.ts';
import { isForbidden } from '../ui/states.tsx';

type Event = components['schemas']['Event'];

const LISTED_MAX = 200;
const DAY_MS = 86_400_000;

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

/** The event of an id; undefined if there is none, or the id cannot be used in a path. */
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
 * The events that can be chosen: the next ones, soonest first, then the newest. With the one of `wanted`, if
 * there is one.
 */
export async function loadEvents(client: Client, signal: AbortSignal, wanted = ''): Promise<Page<Event>> {
  // What began within a day may still be on.
  const upcoming = { sort: 'startsAt', from: new Date(Date.now() - DAY_MS).toISOString() } as const;
  const [next, newest] = await Promise.all(
    [upcoming, {}].map(async (query) =>
      listOf(client.GET('/v1/events', { params: { query: { ...query, limit: LISTED_MAX } }, signal })),
    ),
  );
  const found = [...(next?.items ?? []), ...(newest?.items ?? [])];
  const items = [...new Map(found.map((event) => [event.id, event])).values()];
  if (wanted !== '' && !items.some(({ id }) => id === wanted)) {
    const reply = await client.GET('/v1/events/{id}', { params: { path: { id: wanted } }, signal });
    if (reply.data !== undefined) items.unshift(reply.data.data);
    else if (reply.response.status !== 404) throw new ApiError(reply.response.status, reply.error);
  }
  return { items, next: newest?.next };
}

/** The same, for a form that can do without them: none for a key that may not read events. */
export async function loadReadableEvents(client: Client, signal: AbortSignal): Promise<Page<Event>> {
  try {
    return await loadEvents(client, signal);
  } catch (error) {
    if (isForbidden(error)) return { items: [], next: undefined };
    throw error;
  }
}

/** What to say beside a choice of events that does not offer all of them. */
export function hintOfMore({ next }: Page<Event>): string | undefined {
  return next === undefined ? undefined : 'The next events, then the newest: there are more.';
}
