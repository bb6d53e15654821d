import type { components } from '@event-commerce/client';
import { useLocation } from 'preact-iso';
import { eventAddress } from '../events/addresses.ts';
import { EventPicker } from '../ui/event-picker.tsx';
import { time } from '../format/format.ts';
import { loadEvent, loadFirstEvent } from '../data/load-events.ts';
import { useResource } from '../data/resource.ts';
import { useSession } from '../shell/session.tsx';
import { Loaded, Notice } from '../ui/states.tsx';
import { Title } from '../shell/title.tsx';
import { Availability, useOfferings } from './availability.tsx';
import { Groups } from './groups.tsx';
import { OrderList } from './order-list.tsx';
import { addSearch, type Search, searchFrom } from './order-search.ts';
import { Tables } from './tables.tsx';

type Event = components['schemas']['Event'];

const PARTS = [
  ['orders', 'Orders'],
  ['tables', 'Tables'],
  ['groups', 'Groups'],
] as const;
type Part = (typeof PARTS)[number][0];

function addressOf(eventId: string, part: Part, search?: Search): string {
  const address = new URLSearchParams({ event: eventId, ...(part === 'orders' ? {} : { show: part }) });
  if (search !== undefined) addSearch(address, search);
  return `/console/sales?${address.toString()}`;
}

/** How an event sells: its tickets and its orders, while they come in. */
export function SalesView() {
  const { client } = useSession();
  const { query, route } = useLocation();
  const wanted = query['event'];
  const loaded = useResource(
    async (signal) => {
      const found = wanted === undefined ? undefined : await loadEvent(client, signal, wanted);
      return { event: found ?? (await loadFirstEvent(client, signal)) };
    },
    [client, wanted],
  );
  const shown = loaded.value?.event;
  return (
    <>
      <Title text="Sales">
        {shown !== undefined && (
          <EventPicker
            label="Event"
            value={shown.id}
            known={shown}
            onPick={(picked) => picked !== undefined && route(addressOf(picked.id, 'orders'), true)}
          />
        )}
      </Title>
      <Loaded from={loaded}>
        {({ event }) =>
          event === undefined ? (
            <Notice title="There are no events yet">Create one under “Events”; its sales appear here.</Notice>
          ) : (
            <EventSales key={event.id} event={event} />
          )
        }
      </Loaded>
    </>
  );
}

function EventSales({ event }: { event: Event }) {
  const { query, route } = useLocation();
  const offerings = useOfferings(event.id);
  const { id, status, startsAt, timezone, kind, venueId } = event;
  const seriesId = kind === 'series' ? event.id : event.seriesId;
  const part: Part = PARTS.find(([one]) => one === query['show'])?.[0] ?? 'orders';
  const search = searchFrom(query);
  const when = startsAt === undefined ? 'No start yet' : time(startsAt, timezone);
  return (
    <div class="stack">
      <p class="soft">
        <span class={`badge ${status === 'published' ? 'good' : ''}`}>{status}</span>{' '}
        {kind === 'series' ? 'A series' : when}
        {venueId !== undefined && `, ${venueId}`}. <a href={eventAddress(id)}>Edit the event</a>
        {seriesId !== undefined && (
          <>
            {' '}
            or see <a href={eventAddress(seriesId, 'dates')}>the dates of the series</a>
          </>
        )}
      </p>
      <section class="card">
        <h2>Tickets</h2>
        <Availability offerings={offerings} />
      </section>
      <section>
        <nav class="tabs" aria-label="Of this event">
          {PARTS.map(([one, title]) => (
            <a key={one} href={addressOf(event.id, one)} aria-current={one === part ? 'page' : undefined}>
              {title}
            </a>
          ))}
        </nav>
        {part === 'orders' && (
          <OrderList
            event={event}
            search={search}
            onSearch={(changed) => route(addressOf(event.id, 'orders', { ...search, ...changed }), true)}
          />
        )}
        {part === 'tables' && <Tables event={event} />}
        {part === 'groups' && <Groups event={event} />}
      </section>
    </div>
  );
}
