import { type Client, createClient } from '@event-commerce/client';
import { h, render } from 'preact';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { SessionContext } from '../shell/session.tsx';
import { type Catalogue, useCatalogue } from './use-catalogue.ts';
import { whyNoOffering } from './why-no-offering.ts';

type Asked = Parameters<typeof useCatalogue>[0];

/** The offerings that each event's list has. `vip` is on a later page of the opera's. */
const LISTS: Readonly<Record<string, readonly string[]>> = { opera: ['stalls', 'circle'], gala: ['table'], empty: [] };
const EVENT_OF: Readonly<Record<string, string>> = { vip: 'opera', table: 'gala' };
const PAGE = { next: null, limit: 200 };

function offeringOf(eventId: string, id: string) {
  return { id, eventId, name: id, price: { amount: 100, currency: 'EUR' }, tags: [] };
}

/** A platform with these events, and the paths that it was asked for. Requests for the path `failing` fail. */
function platform({ events = Object.keys(LISTS), failing = '' } = {}) {
  const paths: string[] = [];
  const client = createClient({
    baseUrl: 'http://platform.test',
    retries: 0,
    fetch: async ({ url }) => {
      const path = new URL(url).pathname.replace('/v1', '');
      paths.push(path);
      if (path === failing) return Response.json({}, { status: 500 });
      if (path === '/events') return Response.json({ data: events.map((id) => ({ id })), page: PAGE });
      const [, kind, id = '', below] = path.split('/');
      if (below === 'offerings')
        return Response.json({ data: LISTS[id]?.map((one) => offeringOf(id, one)) ?? [], page: PAGE });
      if (kind === 'events') return id in LISTS ? Response.json({ data: { id } }) : Response.json({}, { status: 404 });
      const eventId = kind === 'offerings' ? EVENT_OF[id] : undefined;
      if (eventId === undefined) return Response.json({}, { status: 404 });
      return Response.json({ data: offeringOf(eventId, id) });
    },
  });
  return { client, paths };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** What a person sees of a catalogue. */
function sightOf(catalogue: Catalogue): string {
  const { events, event, offerings, offering } = catalogue;
  if (event !== undefined && offering !== undefined) return `${event.id}: ${offering.id}`;
  const failed = events.error !== undefined || offerings.error !== undefined;
  return whyNoOffering(catalogue)?.title ?? (failed ? 'failed' : '…');
}

/** Renders the hook, which needs no document as long as its component draws nothing. */
function show(client: Client, asked: Partial<Asked>) {
  const sights: string[] = [];
  const offered: string[] = [];
  const root = { childNodes: [], firstChild: null } as unknown as Element;
  const session = { client, environment: 'test', forget: () => undefined } as const;
  function Probe(props: Asked) {
    const catalogue = useCatalogue(props);
    const sight = sightOf(catalogue);
    if (sights.at(-1) !== sight) sights.push(sight);
    offered.splice(0, offered.length, ...(catalogue.offerings.value ?? []).map(({ id }) => id));
    return null;
  }
  let last: Asked = { of: 'offering', event: '', offering: '', ...asked };
  const ask = (changed: Partial<Asked>) => {
    last = { ...last, ...changed };
    render(h(SessionContext.Provider, { value: session, children: h(Probe, last) }), root);
  };
  ask({});
  return { sights, offered, ask, [Symbol.dispose]: () => render(null, root) };
}

it.each<[string, Partial<Asked>, Parameters<typeof platform>[0], string]>([
  ['the first offering of the first event', {}, {}, 'opera: stalls'],
  ['the chosen one', { event: 'opera', offering: 'circle' }, {}, 'opera: circle'],
  ['the chosen one of a later page', { event: 'opera', offering: 'vip' }, {}, 'opera: vip'],
  ['that there is no event', {}, { events: [] }, 'There are no events yet'],
  ['that there is no such event', { event: 'gone' }, {}, 'There is no such event'],
  ['that the event sells nothing', { event: 'empty' }, {}, 'empty sells nothing yet'],
  ['that no offering has the id', { event: 'opera', offering: 'gone' }, {}, 'opera has no such offering'],
  ['that the offering is of another event', { event: 'opera', offering: 'table' }, {}, 'opera has no such offering'],
  ['that the events failed', {}, { failing: '/events' }, 'failed'],
  ['that the offerings failed', {}, { failing: '/events/opera/offerings' }, 'failed'],
  ['that the chosen one failed', { event: 'opera', offering: 'vip' }, { failing: '/offerings/vip' }, 'failed'],
])('once it has loaded, a catalogue shows %s, and nothing else before', async (_what, asked, behaviour, expected) => {
  using shown = show(platform(behaviour).client, asked);
  await vi.runAllTimersAsync();
  expect(shown.sights).toEqual(['…', expected]);
});

it('while the offerings of another event load, and if that fails, nothing of the last event is shown', async () => {
  using shown = show(platform({ failing: '/events/gala/offerings' }).client, { event: 'opera' });
  await vi.runAllTimersAsync();
  shown.ask({ event: 'gala' });
  expect(shown.offered).toEqual([]);
  await vi.runAllTimersAsync();
  expect(shown.sights).toEqual(['…', 'opera: stalls', '…', 'failed']);
  expect(shown.offered).toEqual([]);
});

it('an offering of another event cannot be chosen', async () => {
  using shown = show(platform().client, { event: 'opera', offering: 'table' });
  await vi.runAllTimersAsync();
  expect(shown.offered).toEqual(['stalls', 'circle']);
});

it('a catalogue that was not needed at first is not said to be empty while it loads', async () => {
  using shown = show(platform().client, { of: 'price' });
  await vi.runAllTimersAsync();
  shown.ask({ of: 'offering' });
  await vi.runAllTimersAsync();
  expect(shown.sights).toEqual(['…', 'opera: stalls']);
});

it('a typed id is requested when the typing pauses, and the list of offerings is not requested again', async () => {
  const { client, paths } = platform();
  using shown = show(client, { event: 'opera' });
  await vi.runAllTimersAsync();
  for (const offering of ['v', 'vi', 'vip']) {
    shown.ask({ offering });
    await vi.advanceTimersByTimeAsync(150);
  }
  await vi.runAllTimersAsync();
  expect(shown.sights).toEqual(['…', 'opera: stalls', '…', 'opera: vip']);
  expect(paths).toEqual(['/events/opera', '/events/opera/offerings', '/offerings/vip']);
});
