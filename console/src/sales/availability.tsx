import type { components } from '@event-commerce/client';
import type { ComponentChildren } from 'preact';
import { money, number } from '../format/format.ts';
import { listOf } from '../data/list-of.ts';
import { useResource } from '../data/resource.ts';
import { useSession } from '../shell/session.tsx';
import { Loaded, Notice } from '../ui/states.tsx';

type Schemas = components['schemas'];
type Offering = Schemas['Offering'];

const REFRESH_MS = 2_000;
const LISTED_MAX = 200;

/** The newest offerings of an event, with what is sold of them by now. */
export function useOfferings(eventId: string) {
  const { client } = useSession();
  return useResource(
    async (signal) => {
      const params = { path: { id: eventId }, query: { limit: LISTED_MAX } };
      return await listOf(client.GET('/v1/events/{id}/offerings', { params, signal }));
    },
    [client, eventId],
    { everyMs: REFRESH_MS },
  );
}

/** A bar for each offering: sold, held by orders that are not paid yet, left. */
export function Availability({ offerings }: { offerings: ReturnType<typeof useOfferings> }) {
  return (
    <Loaded from={offerings}>
      {({ items, next }) =>
        items.length === 0 ? (
          <Notice title="This event sells nothing yet">Add an offering under “Events”.</Notice>
        ) : (
          <>
            <ul class="bars">
              {next === undefined && <Together offerings={items} />}
              {items.map((offering) => (
                <OfferingBar key={offering.id} offering={offering} />
              ))}
            </ul>
            {next !== undefined && <p class="soft">These are the newest {LISTED_MAX}; there are more.</p>}
          </>
        )
      }
    </Loaded>
  );
}

/** All offerings of the event together. What is left is not a sum: they may share the capacity of the event. */
function Together({ offerings }: { offerings: readonly Offering[] }) {
  if (offerings.length < 2) return null;
  const sumOf = (what: 'sold' | 'held') => offerings.reduce((sum, { availability }) => sum + availability[what], 0);
  return (
    <li>
      <div class="bar-label">
        <b>All tickets together</b>
      </div>
      <Counts sold={sumOf('sold')} held={sumOf('held')} />
    </li>
  );
}

/** `children`: more about it. */
export function OfferingBar({
  offering: { name, price, status, availability },
  children,
}: {
  offering: Offering;
  children?: ComponentChildren;
}) {
  const { sold, held, left } = availability;
  const all = Math.max(1, sold + held + (left ?? 0));
  const share = (tickets: number) => ({ width: `${(tickets / all) * 100}%` });
  return (
    <li>
      <div class="bar-label">
        <b>{name}</b> <span class="soft">{money(price.amount, price.currency)}</span>{' '}
        {status === 'inactive' && <span class="badge">not for sale</span>}
      </div>
      <Counts sold={sold} held={held}>
        <span>{left === null ? 'no limit' : `${number(left)} left`}</span>
        {left === 0 && <span class="badge warn">sold out</span>}
      </Counts>
      <span class="stacked" aria-hidden="true">
        <i class="sold" style={share(sold)} />
        <i class="held" style={share(held)} />
      </span>
      {children !== undefined && <div class="bar-more">{children}</div>}
    </li>
  );
}

function Counts({ sold, held, children }: { sold: number; held: number; children?: ComponentChildren }) {
  return (
    <p class="counts">
      <span class="sold">{number(sold)} sold</span>
      <span class="held">{number(held)} held</span>
      {children}
    </p>
  );
}
