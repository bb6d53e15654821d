import { type Client, type components, dataOf } from '@event-commerce/client';
import { useResource } from '../data/resource.ts';
import { listOf } from '../data/list-of.ts';
import { eventName } from '../format/event-name.ts';
import { count, money, number, OWN_ZONE } from '../format/format.ts';
import { instantOf, localOf } from '../format/zoned-time.ts';
import { useSession } from '../shell/session.tsx';
import { Title } from '../shell/title.tsx';
import { isForbidden, Loaded } from '../ui/states.tsx';
import { FirstSteps } from './first-steps.tsx';
import {
  calledOffTroubles,
  nearlySoldOut,
  PENDING_LONG_MS,
  pendingTroubles,
  topEvents,
  type Trouble,
  unsoldTroubles,
  webhookTroubles,
} from './what-is-wrong.ts';

type Schemas = components['schemas'];
type Event = Schemas['Event'];

const REFRESH_MS = 30_000;
const DAY_MS = 86_400_000;
const EVENTS_MAX = 100;
const LISTED_MAX = 50;
const TOP = 5;
/** For so long, somebody may still have to pay back what was paid for a called-off event. */
const CALLED_OFF_MS = 30 * DAY_MS;

/** What sells, what is nearly sold out, and what is wrong; the first steps for a company that is new. */
export function StartView() {
  const { client } = useSession();
  const loaded = useResource(async (signal) => await loadStart(client, signal), [client], { everyMs: REFRESH_MS });
  return (
    <>
      <Title text="Start" />
      <Loaded from={loaded}>
        {({ events, coupons, orders, sales, troubles }) =>
          orders === 0 && events !== undefined ? (
            <FirstSteps events={events} hasCode={coupons > 0} />
          ) : (
            <div class="start">
              {sales !== undefined && <Selling sales={sales} />}
              <Wrong troubles={troubles} />
              {events !== undefined && <Top events={events} />}
              {events !== undefined && <Nearly events={events} />}
            </div>
          )
        }
      </Loaded>
    </>
  );
}

/** What the key may not read is undefined, and is left out. */
async function loadStart(client: Client, signal: AbortSignal) {
  const now = new Date();
  const today = instantOf(`${localOf(now.toISOString(), OWN_ZONE).slice(0, 10)}T00:00`, OWN_ZONE) ?? now.toISOString();
  const near = { near: now.toISOString(), limit: EVENTS_MAX, availability: 'true' } as const;
  const cancelled = {
    status: 'cancelled',
    endsAfter: new Date(now.getTime() - CALLED_OFF_MS).toISOString(),
    limit: LISTED_MAX,
    availability: 'true',
  } as const;
  const week = {
    from: new Date(now.getTime() - 6 * DAY_MS).toISOString(),
    interval: 'day',
    timezone: OWN_ZONE,
  } as const;
  const pending = {
    state: 'pending',
    to: new Date(now.getTime() - PENDING_LONG_MS).toISOString(),
    limit: LISTED_MAX,
  } as const;
  const [events, any, calledOff, sales, waiting, orders, webhooks, coupons] = await Promise.all([
    readable(listOf<Event>(client.GET('/v1/events', { params: { query: near }, signal }))),
    readable(
      listOf<Event>(client.GET('/v1/events', { params: { query: { limit: 1, availability: 'true' } }, signal })),
    ),
    readable(listOf<Event>(client.GET('/v1/events', { params: { query: cancelled }, signal }))),
    readable(dataOf(client.GET('/v1/sales', { params: { query: week }, signal }))),
    readable(listOf<Schemas['Order']>(client.GET('/v1/orders', { params: { query: pending }, signal }))),
    readable(listOf<Schemas['Order']>(client.GET('/v1/orders', { params: { query: { limit: 1 } }, signal }))),
    readable(listOf(client.GET('/v1/webhooks', { params: { query: { limit: LISTED_MAX } }, signal }))),
    readable(listOf(client.GET('/v1/coupons', { params: { query: { limit: 1 } }, signal }))),
  ]);
  return {
    events: events === undefined ? undefined : events.items.length > 0 ? events.items : any?.items,
    coupons: coupons?.items.length ?? 0,
    orders: orders?.items.length,
    sales: sales && { sales, today },
    troubles: [
      ...webhookTroubles(webhooks?.items ?? []),
      ...calledOffTroubles(calledOff?.items ?? []),
      ...pendingTroubles(waiting?.items ?? [], waiting?.next !== undefined, now.getTime()),
      ...unsoldTroubles(events?.items ?? []),
    ],
  };
}

/** Undefined for a key that may not read it. */
async function readable<T>(loading: Promise<T>): Promise<T | undefined> {
  try {
    return await loading;
  } catch (error) {
    if (isForbidden(error)) return undefined;
    throw error;
  }
}

/** What was sold today and in the last seven days. */
function Selling({ sales: { sales, today } }: { sales: { sales: Schemas['Sales']; today: string } }) {
  const todays = sales.buckets.filter(({ start }) => Date.parse(start) >= Date.parse(today));
  return (
    <section class="card selling" aria-label="What sells">
      <Figures title="Today" of={todays} />
      <Figures title="Last 7 days" of={sales.totals} />
      <p class="start-more">
        <a href="/console/charts">Charts of orders, tickets and revenue</a>
      </p>
    </section>
  );
}

function Figures({ title, of }: { title: string; of: readonly Schemas['SaleTotal'][] }) {
  const sum = (valueOf: (total: Schemas['SaleTotal']) => number) => of.reduce((all, one) => all + valueOf(one), 0);
  const placed = sum(({ orders }) => orders.placed);
  const cancelled = sum(({ orders }) => orders.cancelled);
  const revenue = of.map(({ currency, charged, refunded }) => money(charged - refunded, currency)).join(' and ');
  return (
    <div class="figures">
      <h2>{title}</h2>
      <p class="figure-main">{revenue === '' ? 'No sales' : revenue}</p>
      <p class="soft">
        {count(placed, 'order')},{' '}
        {count(
          sum(({ tickets }) => tickets.sold - tickets.returned),
          'ticket',
        )}
        {cancelled > 0 && `, ${number(cancelled)} cancelled`}
      </p>
    </div>
  );
}

function Wrong({ troubles }: { troubles: readonly Trouble[] }) {
  return (
    <section class="card" aria-label="What needs attention">
      <h2>What needs attention</h2>
      {troubles.length === 0 ? (
        <p class="all-well">Nothing. Webhooks deliver, and no order has waited for long.</p>
      ) : (
        <ul class="troubles">
          {troubles.map(({ text, about, href }) => (
            <li key={href + text}>
              <a href={href}>{text}</a>
              {about !== undefined && <small>{about}</small>}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Top({ events }: { events: readonly Event[] }) {
  const top = topEvents(events, TOP);
  return (
    <section class="card" aria-label="What sells most">
      <h2>What sells most</h2>
      {top.length === 0 ? (
        <p class="soft">Nothing of the coming events is sold yet.</p>
      ) : (
        <ul class="event-bars">
          {top.map((event) => (
            <EventBar key={event.id} event={event} />
          ))}
        </ul>
      )}
      <p class="start-more">
        <a href="/console/sales">Sales of each event</a>
      </p>
    </section>
  );
}

function Nearly({ events }: { events: readonly Event[] }) {
  const nearly = nearlySoldOut(events).slice(0, TOP);
  return (
    <section class="card" aria-label="Nearly sold out">
      <h2>Nearly sold out</h2>
      {nearly.length === 0 ? (
        <p class="soft">No coming event. The last tenth of one is shown here.</p>
      ) : (
        <ul class="event-bars">
          {nearly.map(({ event }) => (
            <EventBar key={event.id} event={event} />
          ))}
        </ul>
      )}
    </section>
  );
}

function EventBar({ event }: { event: Event }) {
  const { sold = 0, held = 0, left = null } = event.availability ?? {};
  const all = Math.max(1, sold + held + (left ?? 0));
  return (
    <li>
      <a href={`/console/sales?event=${encodeURIComponent(event.id)}`}>{eventName(event)}</a>
      <span class="event-bar-text">
        {number(sold)} sold{left !== null && left > 0 && `, ${number(left)} left`}{' '}
        {left === 0 && <span class="badge warn">sold out</span>}
      </span>
      {left !== null && (
        <span class="meter" aria-hidden="true">
          <i style={{ width: `${Math.min(100, ((sold + held) / all) * 100)}%` }} />
        </span>
      )}
    </li>
  );
}
