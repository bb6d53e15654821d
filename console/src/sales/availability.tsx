import type { components } from '@event-commerce/client';
import { money, number } from '../shell/format.ts';
import { listOf } from '../shell/list-of.ts';
import { useResource } from '../shell/resource.ts';
import { useSession } from '../shell/session.tsx';
import { Loaded, Notice } from '../shell/states.tsx';

type Schemas = components['schemas'];
type Offering = Schemas['Offering'];

const REFRESH_MS = 2_000;
const LISTED_MAX = 200;

/** A bar for each offering: sold, held by orders that are not paid yet, and left. */
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
            {items.map((offering) => (
              <Bar key={offering.id} offering={offering} />
            ))}
          </ul>
        )
      }
    </Loaded>
  );
}

function Bar({ offering: { name, price, status, availability } }: { offering: Offering }) {
  const label = (
    <div class="bar-label">
      <b>{name}</b> <span class="soft">{money(price.amount, price.currency)}</span>{' '}
      {status === 'inactive' && <span class="badge">not for sale</span>}
    </div>
  );
  if (availability === undefined) {
    return (
      <li>
        {label}
        <p class="soft">No capacity, so its tickets are not counted.</p>
      </li>
    );
  }
  const { sold, held, left } = availability;
  const all = Math.max(1, sold + held + (left ?? 0));
  const share = (tickets: number) => ({ width: `${(tickets / all) * 100}%` });
  return (
    <li>
      {label}
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
