import { type components, dataOf } from '@event-commerce/client';
import { useLocation } from 'preact-iso';
import { SelectField } from '../shell/fields.tsx';
import { day, time } from '../shell/format.ts';
import { listOf } from '../shell/list-of.ts';
import { useResource } from '../shell/resource.ts';
import { useSession } from '../shell/session.tsx';
import { Loaded, Notice } from '../shell/states.tsx';
import { Availability } from './availability.tsx';
import { Orders } from './orders.tsx';

type Event = components['schemas']['Event'];

const LISTED_MAX = 200;

/** How an event sells: its tickets and its orders, while they come in. */
export function SalesView() {
  const { client } = useSession();
  const { query, route } = useLocation();
  const wanted = query['event'];
  const events = useResource(
    async (signal) => {
      const { items } = await listOf(client.GET('/v1/events', { params: { query: { limit: LISTED_MAX } }, signal }));
      if (wanted === undefined || items.some(({ id }) => id === wanted)) return items;
      return [await dataOf(client.GET('/v1/events/{id}', { params: { path: { id: wanted } }, signal })), ...items];
    },
    [client],
  );
  return (
    <Loaded from={events}>
      {(items) => {
        const event = items.find(({ id }) => id === wanted) ?? items[0];
        if (event === undefined) {
          return <Notice title="There are no events yet">Create one through the API; its sales appear here.</Notice>;
        }
        return (
          <>
            <div class="title">
              <h1>Sales</h1>
              <div class="title-actions">
                <SelectField
                  label="Event"
                  value={event.id}
                  onChange={(id) => route(`/console/sales?event=${encodeURIComponent(id)}`, true)}
                  options={items.map(({ id, name = id, startsAt, timezone }) => [
                    id,
                    startsAt === undefined ? name : `${name}, ${day(startsAt, timezone)}`,
                  ])}
                />
              </div>
            </div>
            <EventSales key={event.id} event={event} />
          </>
        );
      }}
    </Loaded>
  );
}

function EventSales({ event }: { event: Event }) {
  const { status, startsAt, timezone } = event;
  const when = startsAt === undefined ? undefined : `${time(startsAt, timezone)}, ${timezone ?? 'your time zone'}`;
  return (
    <div class="stack">
      <p class="soft">
        <span class={`badge ${status === 'published' ? 'good' : ''}`}>{status}</span> {when}
      </p>
      <section class="card">
        <h2>Tickets</h2>
        <Availability event={event} />
      </section>
      <section>
        <h2 class="section">Orders</h2>
        <Orders event={event} />
      </section>
    </div>
  );
}
