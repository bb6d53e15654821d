import type { components } from '@event-commerce/client';
import { listOf } from '../data/list-of.ts';
import { useResource } from '../data/resource.ts';
import { money, moment } from '../format/format.ts';
import { useSession } from '../shell/session.tsx';
import { Loaded } from '../ui/states.tsx';
import { Amended } from './amended.tsx';
import { orderBadge } from './order-actions.ts';

type Order = components['schemas']['Order'];

const REFRESH_MS = 5_000;
/** As many as an order can have. */
const AMENDMENTS_MAX = 50;
const MODES = { keep: 'prices kept', reprice: 'priced again' };

/**
 * The amendments of an order, newest first, with what became of those that were not applied. Nothing for an order that
 * was never amended.
 */
export function AmendmentList({ order }: { order: Order }) {
  return order.amendments === undefined ? null : <Listed order={order} />;
}

function Listed({ order: { id, items, amendments, pendingAmendment } }: { order: Order }) {
  const { client } = useSession();
  const loaded = useResource(
    async (signal) => {
      const params = { path: { id }, query: { limit: AMENDMENTS_MAX } };
      const [list, activity] = await Promise.all([
        listOf(client.GET('/v1/orders/{id}/amendments', { params, signal })),
        // For the names of keys only: not every key may read them.
        client.GET('/v1/activity', { params: { query: { subject: id, limit: AMENDMENTS_MAX } }, signal }),
      ]);
      const known = typeof activity.data === 'object' ? activity.data.data : [];
      return { list: list.items, names: new Map(known.map(({ actor }) => [actor?.keyId, actor?.name])) };
    },
    [client, id, amendments, pendingAmendment?.id],
    { everyMs: REFRESH_MS },
  );
  return (
    <section class="card">
      <h2>Amendments</h2>
      <Loaded from={loaded}>
        {({ list, names }) => (
          <ol class="history">
            {list.map((amendment) => {
              const { number, mode, state, due, currency, actor, created, reason } = amendment;
              return (
                <li key={amendment.id}>
                  <div class="history-head">
                    <b>
                      {number}. {money(due, currency, 'always')}, {MODES[mode]}
                    </b>
                    {state !== 'applied' && <span class={orderBadge(state)}>{state}</span>}
                    <span>{names.get(actor) ?? actor}</span>
                    <time class="soft" dateTime={created}>
                      {moment(created)}
                    </time>
                  </div>
                  {reason !== undefined && <p>{reason}</p>}
                  <details>
                    <summary>What changed</summary>
                    <Amended
                      amendment={amendment}
                      nameOf={(offeringId) => items.find((item) => item.offeringId === offeringId)?.name}
                    />
                  </details>
                </li>
              );
            })}
          </ol>
        )}
      </Loaded>
    </section>
  );
}
