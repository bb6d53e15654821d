import { type Client, type components, dataOf } from '@event-commerce/client';
import { useState } from 'preact/hooks';
import { count, money, time } from '../shell/format.ts';
import { listOf } from '../shell/list-of.ts';
import { useResource } from '../shell/resource.ts';
import { useSession } from '../shell/session.tsx';
import { Loaded, Notice, sentenceOf } from '../shell/states.tsx';

type Schemas = components['schemas'];
type Order = Schemas['Order'];

const REFRESH_MS = 2_000;
const LISTED_MAX = 50;

/** The newest orders of an event, and the next steps of their life. */
export function Orders({ event }: { event: Schemas['Event'] }) {
  const { client } = useSession();
  const [problem, setProblem] = useState<string>();
  const orders = useResource(
    async (signal) => {
      const query = { contextId: event.id, limit: LISTED_MAX };
      return await listOf(client.GET('/v1/orders', { params: { query }, signal }));
    },
    [client, event.id],
    { everyMs: REFRESH_MS },
  );

  async function run(action: Action): Promise<void> {
    if (action.confirm !== undefined && !window.confirm(action.confirm)) return;
    setProblem(undefined);
    try {
      await action.run();
      orders.reload();
    } catch (error) {
      setProblem(sentenceOf(error));
    }
  }

  return (
    <>
      <p class="problem" role="alert">
        {problem}
      </p>
      <Loaded from={orders}>
        {({ items, next }) =>
          items.length === 0 ? (
            <Notice title="No orders yet">They appear here as they come in.</Notice>
          ) : (
            <>
              <table class="list">
                <thead>
                  <tr>
                    <th scope="col">Order</th>
                    <th scope="col">Bought</th>
                    <th scope="col">Total</th>
                    <th scope="col">Actions</th>
                  </tr>
                </thead>
                <tbody>
                  {items.map((order) => (
                    <Row
                      key={order.id}
                      order={order}
                      timezone={event.timezone}
                      actions={actionsFor(client, order)}
                      onAction={(action) => void run(action)}
                    />
                  ))}
                </tbody>
              </table>
              {next !== undefined && <p class="soft">These are the newest {LISTED_MAX}; there are more.</p>}
            </>
          )
        }
      </Loaded>
    </>
  );
}

function Row({
  order,
  timezone,
  actions,
  onAction,
}: {
  order: Order;
  timezone: string | undefined;
  actions: readonly Action[];
  onAction: (action: Action) => void;
}) {
  const { orderNumber, customer, status, items, costs, coupons, createdAt, expiresAt } = order;
  const tickets = items.reduce((sum, { quantity }) => sum + quantity, 0);
  return (
    <tr>
      <th scope="row">
        {orderNumber}
        <small>{customer.email}</small>
        <div class="badges">
          <span class={`badge ${BADGES[status] ?? 'good'}`}>{status}</span>
        </div>
      </th>
      <td>
        {count(tickets, 'ticket')}
        <small>{time(createdAt, timezone)}</small>
        {status === 'pending' && expiresAt !== undefined && <small>Expires {time(expiresAt, timezone)}</small>}
      </td>
      <td>
        {money(costs.total, costs.currency)}
        <small>{coupons.map(({ code }) => code).join(', ')}</small>
      </td>
      <td class="row-actions">
        {actions.map((action) => (
          <button
            key={action.label}
            type="button"
            aria-label={`${action.label} ${orderNumber}`}
            onClick={() => onAction(action)}
          >
            {action.label}
          </button>
        ))}
      </td>
    </tr>
  );
}

/** A status that is not the platform's own is the company's label on a placed order. */
const BADGES: Readonly<Record<string, string>> = { pending: 'warn', cancelled: '', expired: '' };

interface Action {
  label: 'Confirm' | 'Cancel' | 'Reopen';
  confirm?: string;
  run: () => Promise<unknown>;
}

function actionsFor(client: Client, { id, status, orderNumber }: Order): Action[] {
  const params = { path: { id } };
  const cancel: Action = {
    label: 'Cancel',
    confirm: `Cancel order ${orderNumber}? Its tickets and redemptions are given back.`,
    run: async () => await dataOf(client.POST('/v1/orders/{id}/cancel', { params })),
  };
  if (status === 'cancelled' || status === 'expired') {
    return [{ label: 'Reopen', run: async () => await dataOf(client.POST('/v1/orders/{id}/reopen', { params })) }];
  }
  if (status !== 'pending') return [cancel];
  const confirm = async () => await dataOf(client.POST('/v1/orders/{id}/confirm', { params }));
  return [{ label: 'Confirm', run: confirm }, cancel];
}
