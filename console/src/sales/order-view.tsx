import { type components, dataOf } from '@event-commerce/client';
import type { ComponentChildren } from 'preact';
import { useLocation, useRoute } from 'preact-iso';
import { useState } from 'preact/hooks';
import { History } from '../activity/history.tsx';
import { CodeResults } from '../explain/code-results.tsx';
import { explanationOf } from '../explain/explanation.ts';
import { addressOf, questionFrom } from '../explain/question.ts';
import { Waterfall } from '../explain/waterfall.tsx';
import { ActionButton } from '../ui/action-button.tsx';
import { useReturnTo } from '../ui/row-keys.ts';
import { money, number, time } from '../format/format.ts';
import { useResource } from '../data/resource.ts';
import { useSession } from '../shell/session.tsx';
import { Loaded } from '../ui/states.tsx';
import { Title } from '../shell/title.tsx';
import { useActions } from '../data/use-actions.ts';
import { withheldText } from './amend-draft.ts';
import { AmendForm } from './amend-form.tsx';
import { AmendmentList } from './amendment-list.tsx';
import { eraseCustomer, erasureText } from './erase-customer.ts';
import { orderActions, orderBadge } from './order-actions.ts';
import { ordersOf } from './order-search.ts';
import { PendingAmendment } from './pending-amendment.tsx';

type Order = components['schemas']['Order'];
type Event = components['schemas']['Event'];

const REFRESH_MS = 5_000;

/** One order: who bought what, how its price came about, and the next steps of its life. */
export function OrderView() {
  const { client } = useSession();
  const id = useRoute().params['id'] ?? '';
  const { query } = useLocation();
  const loaded = useResource(
    async (signal) => {
      const order = await dataOf(client.GET('/v1/orders/{id}', { params: { path: { id } }, signal }));
      // For its name and zone only: a key may read orders and not events.
      const event = await client.GET('/v1/events/{id}', { params: { path: { id: order.contextId } }, signal });
      return { order, explanation: explanationOf(order), event: event.data?.data };
    },
    [client, id],
    { everyMs: REFRESH_MS },
  );
  const { problem, run } = useActions(loaded.reload);
  const [amending, setAmending] = useState(false);
  const [amended, setAmended] = useState<string>();
  const current = loaded.value?.order;
  const named = loaded.value?.event;
  // Back to where it was found: the event that the order names may be another one, or none.
  const list =
    query['event'] === undefined ? named && ordersOf(named.id, 'named') : ordersOf(query['event'], query['among']);
  useReturnTo(amending ? undefined : `/console/sales${list ?? ''}`);
  return (
    <>
      <Title
        text={`Order ${current?.orderNumber ?? ''}`}
        badge={current && <span class={orderBadge(current.status)}>{current.status}</span>}
      >
        {current &&
          orderActions(client, current).map((action) => (
            <ActionButton
              key={action.label}
              action={action}
              isPrimary={action.label === 'Confirm'}
              onAction={() => void run(action)}
            />
          ))}
        {current && canAmend(current) && !amending && (
          <button
            type="button"
            onClick={() => {
              setAmended(undefined);
              setAmending(true);
            }}
          >
            Amend
          </button>
        )}
        <a class="button" href={`/console/sales${list ?? ''}`}>
          All orders
        </a>
      </Title>
      <p class="problem" role="alert">
        {problem}
      </p>
      <p class="result" role="status">
        {amended}
      </p>
      <Loaded from={loaded}>
        {({ order, explanation, event }) => (
          <div class="stack">
            {amending && (
              <AmendForm
                key={order.id}
                order={order}
                onChanged={loaded.reload}
                onAmended={(result) => {
                  setAmended(result);
                  setAmending(false);
                }}
                onLeave={() => setAmending(false)}
              />
            )}
            <div class="split wide">
              <div class="stack">
                <PendingAmendment key={order.pendingAmendment?.id} order={order} onChanged={loaded.reload} />
                <Facts order={order} event={event} onChanged={loaded.reload} />
                <Items order={order} />
                <AmendmentList order={order} />
                <History of={order.id} />
              </div>
              <section class="card">
                <h2>How the price is made up</h2>
                <Waterfall explanation={explanation} />
                <Withheld order={order} />
                <CodeResults codes={explanation.codes} />
                <p class="card-end">
                  <a href={addressOf({ ...questionFrom({ of: 'order' }), of: 'order', id: order.id })}>
                    Why did nothing else apply?
                  </a>
                </p>
              </section>
            </div>
          </div>
        )}
      </Loaded>
    </>
  );
}

function canAmend({ status, pendingAmendment }: Order): boolean {
  return status !== 'cancelled' && status !== 'expired' && pendingAmendment === undefined;
}

function Withheld({ order: { pricing, currency } }: { order: Order }) {
  const text = withheldText({ withheld: pricing.withheld ?? 0, currency });
  return text === undefined ? null : <p>{text}</p>;
}

function Facts({ order, event, onChanged }: { order: Order; event: Event | undefined; onChanged: () => void }) {
  const { client } = useSession();
  const { problem, run } = useActions(onChanged);
  const [erased, setErased] = useState<string>();
  const erase = eraseCustomer(client, order, (erasure) => setErased(erasureText(erasure)));
  const { customer, contextId, createdAt, expiresAt, cancelledAt, cartSessionId, channelId, customerSegment } = order;
  const { email, firstName = '', lastName = '', phone, id } = customer;
  const name = `${firstName} ${lastName}`.trim();
  const timezone = event?.timezone;
  const facts: (readonly [string, ComponentChildren])[] = [
    ['Buyer', name === '' ? email : `${name}, ${email}`],
    ['Phone', phone],
    ['Customer', id],
    ['Segment', customerSegment],
    ['Channel', channelId],
    [
      'Event',
      event === undefined ? (
        contextId
      ) : (
        <a href={`/console/sales${ordersOf(event.id, 'named')}`}>{event.name ?? event.id}</a>
      ),
    ],
    ['Ordered', time(createdAt, timezone)],
    [order.status === 'expired' ? 'Expired' : 'Expires', expiresAt && time(expiresAt, timezone)],
    ['Cancelled', cancelledAt && time(cancelledAt, timezone)],
    ['Cart', cartSessionId],
  ];
  return (
    <section class="card">
      <h2>Order</h2>
      <dl class="facts">
        {facts.map(([label, value]) =>
          value === undefined || value === '' ? null : (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ),
        )}
      </dl>
      <p role="status">{erased}</p>
      <p class="problem" role="alert">
        {problem}
      </p>
      {erase !== undefined && (
        <p class="card-end">
          <ActionButton action={erase} onAction={(action) => void run(action)} />
        </p>
      )}
    </section>
  );
}

function Items({ order: { items, costs } }: { order: Order }) {
  const amount = (value: number | undefined) => (value === undefined ? '' : money(value, costs.currency));
  if (items.length === 0) return null;
  return (
    <table class="list">
      <thead>
        <tr>
          <th scope="col">Item</th>
          <th scope="col" class="figure">
            Quantity
          </th>
          <th scope="col" class="figure">
            List price
          </th>
          <th scope="col" class="figure">
            Total
          </th>
        </tr>
      </thead>
      <tbody>
        {items.map(({ name, offeringId, quantity, unitPrice, total }, n) => (
          <tr key={n}>
            <th scope="row">{name ?? offeringId ?? 'Item'}</th>
            <td class="figure" data-label="Quantity">
              {number(quantity)}
            </td>
            <td class="figure" data-label="List price">
              {amount(unitPrice)}
            </td>
            <td class="figure" data-label="Total">
              {amount(total)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
