import type { components } from '@event-commerce/client';
import type { ComponentChildren } from 'preact';
import { money, number } from '../shell/format.ts';
import { listOf } from '../shell/list-of.ts';
import { useResource } from '../shell/resource.ts';
import { useSession } from '../shell/session.tsx';
import { Loaded, Notice } from '../shell/states.tsx';

type Schemas = components['schemas'];
type Offering = Schemas['Offering'];

const REFRESH_MS = 2_000;
const LISTED_MAX = 200;

/**
 * A bar for the event, if it has a capacity, and for each offering: sold, held by orders that are not paid yet, left.
 */
export function Availability({ event }: { event: Schemas['Event'] }) {
  const { client } = useSession();
  const offerings = useResource(
    async (signal) => {
      const params = { path: { id: event.id }, query: { limit: LISTED_MAX } };
      return (await listOf(client.GET('/v1/events/{id}/offerings', { params, signal }))).items;
    },
    [client, event.id],
    { everyMs: REFRESH_MS },
  );
  return (
    <Loaded from={offerings}>
      {(items) =>
        items.length === 0 ? (
          <Notice title="This event sells nothing yet">Create an offering through the API.</Notice>
        ) : (
          <ul class="bars">
            {event.capacity !== undefined && items.length > 1 && (
              <Bar label={<b>All tickets together</b>} tickets={togetherOf(items, event.capacity)} />
            )}
            {items.map((offering) => (
              <OfferingBar key={offering.id} offering={offering} />
            ))}
          </ul>
        )
      }
    </Loaded>
  );
}

interface Tickets {
  sold: number;
  held: number;
  left: number | null;
}

/** Of an event whose capacity bounds all of its tickets. */
function togetherOf(offerings: readonly Offering[], capacity: number): Tickets {
  const of = (kind: 'sold' | 'held') =>
    offerings.reduce((sum, { availability }) => sum + (availability?.[kind] ?? 0), 0);
  const [sold, held] = [of('sold'), of('held')];
  return { sold, held, left: Math.max(0, capacity - sold - held) };
}

function OfferingBar({ offering: { name, price, status, availability } }: { offering: Offering }) {
  const label = (
    <>
      <b>{name}</b> <span class="soft">{money(price.amount, price.currency)}</span>{' '}
      {status === 'inactive' && <span class="badge">not for sale</span>}
    </>
  );
  if (availability !== undefined) return <Bar label={label} tickets={availability} />;
  return (
    <li>
      <div class="bar-label">{label}</div>
      <p class="soft">No capacity, so its tickets are not counted.</p>
    </li>
  );
}

function Bar({ label, tickets: { sold, held, left } }: { label: ComponentChildren; tickets: Tickets }) {
  const all = Math.max(1, sold + held + (left ?? 0));
  const share = (tickets: number) => ({ width: `${(tickets / all) * 100}%` });
  return (
    <li>
      <div class="bar-label">{label}</div>
      <p class="counts">
        <span class="sold">{number(sold)} sold</span>
        <span class="held">{number(held)} held</span>
        <span>{left === null ? 'no limit' : `${number(left)} left`}</span>
        {left === 0 && <span class="badge warn">sold out</span>}
      </p>
      <span class="stacked" aria-hidden="true">
        <i class="sold" style={share(sold)} />
        <i class="held" style={share(held)} />
      </span>
    </li>
  );
}
