import { type Client, type components, dataOf } from '@event-commerce/client';
import { useResource } from '../data/resource.ts';
import { listOf } from '../data/list-of.ts';
import { salesAddress } from '../events/addresses.ts';
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
/** How long somebody may still have to pay back what was paid for a called-off event. */
const CALLED_OFF_MS = 30 * DAY_MS;

/** What sells, what is nearly sold out, and what is wrong; the first steps for a company that is new. */
export function StartView() {
  const { client } = useSession();
  const everyMs = REFRESH_MS;
  const events = useResource(async (signal) => await loadEvents(client, signal), [client], { everyMs });
  const sales = useResource(async (signal) => await loadSales(client, signal), [client], { everyMs });
  const troubles = useResource(async (signal) => await loadTroubles(client, signal), [client], { everyMs });
  // A company is new until it has an order; a key that may not see orders sees no first steps either.
  const begun = useResource(async (signal) => await loadBegun(client, signal), [client], { everyMs });
  return (
    <>
      <Title text="Start" />
      <Loaded from={begun}>
        {({ hasOrders, hasCode, newest }) =>
          hasOrders ? (
            <div class="start">
              <section class="card selling" aria-label="What sells">
                <Loaded from={sales}>{(sold) => <Selling {...sold} />}</Loaded>
              </section>
              <section class="card" aria-label="What needs attention">
                <h2>What needs attention</h2>
                <Loaded from={troubles}>{(found) => <Attention troubles={found} />}</Loaded>
              </section>
              <section class="card" aria-label="What sells most">
                <h2>What sells most</h2>
                <Loaded from={events}>{(coming) => <Top events={coming} />}</Loaded>
              </section>
              <section class="card" aria-label="Nearly sold out">
                <h2>Nearly sold out</h2>
                <Loaded from={events}>{(coming) => <Nearly events={coming} />}</Loaded>
              </section>
            </div>
          ) : (
            <FirstSteps event={newest} hasCode={hasCode} />
          )
        }
      </Loaded>
    </>
  );
}

/** The events to come, soonest first, with what is sold of them. */
async function loadEvents(client: Client, signal: AbortSignal): Promise<readonly Event[]> {
  const query = { near: new Date().toISOString(), limit: EVENTS_MAX, availability: 'true' } as const;
  return (await listOf<Event>(client.GET('/v1/events', { params: { query }, signal }))).items;
}

/** What was sold in the last seven days, and when today began. */
async function loadSales(client: Client, signal: AbortSignal) {
  const now = new Date().toISOString();
  const today = instantOf(`${localOf(now, OWN_ZONE).slice(0, 10)}T00:00`, OWN_ZONE) ?? now;
  const query = { from: ago(6 * DAY_MS), interval: 'day', timezone: OWN_ZONE } as const;
  return { sales: await dataOf(client.GET('/v1/sales', { params: { query }, signal })), today };
}

/** What somebody should look at, as far as the key may see it. */
async function loadTroubles(client: Client, signal: AbortSignal): Promise<Trouble[]> {
  const limit = LISTED_MAX;
  const availability = 'true' as const;
  const off = { status: 'cancelled', endsAfter: ago(CALLED_OFF_MS), limit, availability } as const;
  const onSale = { status: 'published', near: ago(0), limit, availability } as const;
  const pending = { state: 'pending', to: ago(PENDING_LONG_MS), limit } as const;
  const [webhooks, calledOff, published, waiting] = await Promise.all([
    readable(listOf(client.GET('/v1/webhooks', { params: { query: { limit } }, signal }))),
    readable(listOf<Event>(client.GET('/v1/events', { params: { query: off }, signal }))),
    readable(listOf<Event>(client.GET('/v1/events', { params: { query: onSale }, signal }))),
    readable(listOf<Schemas['Order']>(client.GET('/v1/orders', { params: { query: pending }, signal }))),
  ]);
  return [
    ...webhookTroubles(webhooks?.items ?? []),
    ...calledOffTroubles(calledOff?.items ?? []),
    ...pendingTroubles(waiting?.items ?? [], waiting?.next !== undefined, Date.now()),
    ...unsoldTroubles(published?.items ?? []),
  ];
}

/** How far a company has come. */
async function loadBegun(client: Client, signal: AbortSignal) {
  const one = { params: { query: { limit: 1 } }, signal };
  const orders = await readable(listOf<Schemas['Order']>(client.GET('/v1/orders', one)));
  if (orders?.items.length !== 0) return { hasOrders: true, hasCode: true, newest: undefined };
  const newest = { params: { query: { limit: 1, availability: 'true' } }, signal } as const;
  const [events, coupons] = await Promise.all([
    listOf<Event>(client.GET('/v1/events', newest)),
    readable(listOf(client.GET('/v1/coupons', one))),
  ]);
  return { hasOrders: false, hasCode: coupons?.items.length === 1, newest: events.items[0] };
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

function ago(ms: number): string {
  return new Date(Date.now() - ms).toISOString();
}

/** What was sold today and in the last seven days. */
function Selling({ sales, today }: { sales: Schemas['Sales']; today: string }) {
  const todays = sales.buckets.filter(({ start }) => Date.parse(start) >= Date.parse(today));
  return (
    <>
      <Figures title="Today" of={todays} />
      <Figures title="Last 7 days" of={sales.totals} />
      <p class="start-more">
        <a href="/console/charts">Charts of orders, tickets and revenue</a>
      </p>
    </>
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

function Attention({ troubles }: { troubles: readonly Trouble[] }) {
  if (troubles.length === 0) {
    return <p class="all-well">Nothing: webhooks work, and no order has waited for long.</p>;
  }
  return (
    <ul class="troubles">
      {troubles.map(({ text, about, href }) => (
        <li key={href + text}>
          <a href={href}>{text}</a>
          {about !== undefined && <small>{about}</small>}
        </li>
      ))}
    </ul>
  );
}

function Top({ events }: { events: readonly Event[] }) {
  const top = topEvents(events, TOP);
  return (
    <>
      {top.length === 0 ? <p class="soft">No tickets sold for upcoming events yet.</p> : <EventBars events={top} />}
      <p class="start-more">
        <a href="/console/sales">Sales of each event</a>
      </p>
    </>
  );
}

function Nearly({ events }: { events: readonly Event[] }) {
  const nearly = nearlySoldOut(events, TOP);
  if (nearly.length === 0) return <p class="soft">None. Events with a tenth or less left appear here.</p>;
  return <EventBars events={nearly} />;
}

function EventBars({ events }: { events: readonly Event[] }) {
  return (
    <ul class="event-bars">
      {events.map((event) => (
        <EventBar key={event.id} event={event} />
      ))}
    </ul>
  );
}

function EventBar({ event }: { event: Event }) {
  const { sold = 0, held = 0, left = null } = event.availability ?? {};
  const all = Math.max(1, sold + held + (left ?? 0));
  return (
    <li>
      <a href={salesAddress(event.id)}>{eventName(event)}</a>
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
