import { createClient } from '@event-commerce/client';
import { expect, it } from 'vitest';
import { hintOfMore, loadEvents } from './load-events.ts';

/** A platform with so many events that the lists of upcoming and newest ones differ. */
const client = createClient({
  baseUrl: 'http://platform.test',
  fetch: async ({ url }) => {
    const { pathname, searchParams } = new URL(url);
    if (pathname !== '/v1/events') return Response.json({ data: { id: pathname.split('/').at(-1) } });
    const ids = searchParams.get('sort') === 'startsAt' ? ['tonight', 'tomorrow'] : ['newest', 'tomorrow', 'yesterday'];
    return Response.json({ data: ids.map((id) => ({ id })), page: { next: 'cursor' } });
  },
});

it('offers what is on next, then the newest, and says that there are more', async () => {
  const events = await loadEvents(client, new AbortController().signal);
  expect(events.items.map(({ id }) => id)).toEqual(['tonight', 'tomorrow', 'newest', 'yesterday']);
  expect(hintOfMore(events)).toMatch('more');
});

it('offers the requested event, however old it is', async () => {
  const { items } = await loadEvents(client, new AbortController().signal, 'years-ago');
  expect(items.map(({ id }) => id)).toContain('years-ago');
});
