import { createClient } from '@event-commerce/client';
import { expect, it } from 'vitest';
import { findEvents, loadReadableEvents } from './load-events.ts';

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

const signal = new AbortController().signal;

it('offers what is on next, then the newest', async () => {
  const events = await findEvents(client, signal, '');
  expect(events.map(({ id }) => id)).toEqual(['tonight', 'tomorrow', 'newest', 'yesterday']);
});

it('a form knows the events that it names, however old they are', async () => {
  const events = await loadReadableEvents(client, signal, ['years-ago', 'tomorrow']);
  expect(events.map(({ id }) => id)).toEqual(['years-ago', 'tomorrow', 'tonight', 'newest', 'yesterday']);
});
