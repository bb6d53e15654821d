import { ApiError, type Client, type components } from '@event-commerce/client';
import { listOf, type Page } from './list-of.ts';
import { isForbidden } from '../ui/states.tsx';

type Event = components['schemas']['Event'];

const LISTED_MAX = 200;
const DAY_MS = 86_400_000;

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
