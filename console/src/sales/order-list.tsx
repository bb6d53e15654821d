import type { components } from '@event-commerce/client';
import { useState } from 'preact/hooks';
import { ActionMenu } from '../ui/action-menu.tsx';
import { SelectField, TextField } from '../ui/fields.tsx';
import { count, money, time } from '../format/format.ts';
import { listOf } from '../data/list-of.ts';
import { OfferingPicker } from '../ui/offering-picker.tsx';
import { PagedTable } from '../ui/paged-table.tsx';
import { usePages } from '../ui/pager.tsx';
import { enterRows } from '../ui/row-keys.ts';
import { useResource } from '../data/resource.ts';
import { useSession } from '../shell/session.tsx';
import { Notice } from '../ui/states.tsx';
import { type Action, useActions } from '../data/use-actions.ts';
import { useSettled } from '../data/use-settled.ts';
import { orderActions, orderBadge } from './order-actions.ts';
import { AMONG, orderQuery, ordersOf, type Search, SEARCH_FIELDS } from './order-search.ts';

type Schemas = components['schemas'];
type Event = Schemas['Event'];
type Order = Schemas['Order'];

const REFRESH_MS = 2_000;
const PAGE = 25;
const STATES = [
  ['', 'Any'],
  ['pending', 'Pending'],
  ['placed', 'Placed'],
  ['cancelled', 'Cancelled'],
  ['expired', 'Expired'],
] as const;

/** The orders of an event, newest first, and the next steps of their life. */
export function OrderList({
  event,
  search,
  onSearch,
}: {
  event: Event;
  search: Search;
  onSearch: (changed: Partial<Search>) => void;
}) {
  const { client } = useSession();
  const asked = useSettled(JSON.stringify(orderQuery(search, event)));
  const pages = usePages(asked);
  const orders = useResource(
    async (signal) => {
      const query = {
        ...(JSON.parse(asked) as ReturnType<typeof orderQuery>),
        limit: PAGE,
        ...(pages.cursor === undefined ? {} : { cursor: pages.cursor }),
      };
      return await listOf<Order>(client.GET('/v1/orders', { params: { query }, signal }));
    },
    [client, asked, pages.cursor],
    { everyMs: REFRESH_MS },
  );
  const { problem, run } = useActions(orders.reload);
  const isSearch = SEARCH_FIELDS.some((field) => search[field] !== '');
  return (
    <div class="stack small" onKeyDown={enterRows}>
      <SearchForm event={event} search={search} onSearch={onSearch} />
      <p class="problem" role="alert">
        {problem}
      </p>
      <PagedTable
        from={orders}
        pages={pages}
        columns={['Order', 'Bought', { figure: 'Total' }, 'Actions']}
        empty={() => (
          <Notice title={isSearch ? 'No order matches' : 'No orders yet'}>
            {isSearch ? 'Try fewer filters.' : 'They appear here as they come in.'}
            {search.among === '' && ' For orders without an offering, choose “That name this event”.'}
          </Notice>
        )}
      >
        {(order) => (
          <Row
            key={order.id}
            order={order}
            list={ordersOf(event.id, search.among)}
            timezone={event.timezone}
            actions={orderActions(client, order)}
            onAction={(action) => void run(action)}
          />
        )}
      </PagedTable>
    </div>
  );
}

function SearchForm({
  event,
  search,
  onSearch,
}: {
  event: Event;
  search: Search;
  onSearch: (changed: Partial<Search>) => void;
}) {
  const text = (field: keyof Search) => ({
    value: search[field],
    onChange: (value: string) => onSearch({ [field]: value }),
  });
  const rare = SEARCH_FIELDS.filter((field) => field !== 'q' && field !== 'state');
  const used = rare.filter((field) => search[field] !== '').length;
  // Emptying the last field does not close what one is typing in.
  const [opensWith] = useState(used > 0);
  return (
    <form class="search" aria-label="Orders" onSubmit={(submit) => submit.preventDefault()}>
      <div class="search-main">
        <TextField label="Search" type="search" placeholder="Name, e-mail, phone, order number" {...text('q')} />
        <SelectField label="Order status" options={STATES} {...text('state')} />
        <SelectField label="Which orders" options={AMONG} {...text('among')} />
      </div>
      <details open={opensWith}>
        <summary>More filters{used > 0 ? ` (${used})` : ''}</summary>
        <div class="search-more">
          <TextField label="Order number" hint="The whole number." {...text('orderNumber')} />
          <TextField label="E-mail" hint="The whole address." {...text('email')} />
          <TextField label="Customer" placeholder="cus_…" {...text('customerId')} />
          <OfferingPicker
            label="Offering"
            none="Any offering"
            value={search.offeringId}
            eventId={event.id}
            onPick={(picked) => onSearch({ offeringId: picked?.id ?? '' })}
          />
          <TextField label="Code" placeholder="SUMMER20" {...text('code')} />
          <TextField
            label="Ordered from"
            type="datetime-local"
            hint={`${event.timezone ?? 'UTC'} time.`}
            {...text('from')}
          />
          <TextField label="Ordered before" type="datetime-local" {...text('to')} />
        </div>
      </details>
    </form>
  );
}

function Row({
  order,
  list,
  timezone,
  actions,
  onAction,
}: {
  order: Order;
  /** The query of the list's own address, so that the order leads back to it. */
  list: string;
  timezone: string | undefined;
  actions: readonly Action[];
  onAction: (action: Action) => void;
}) {
  const { id, orderNumber, customer, status, items, costs, coupons, createdAt, expiresAt } = order;
  const tickets = items.reduce((sum, { quantity }) => sum + quantity, 0);
  return (
    <tr>
      <th scope="row">
        <a href={`/console/sales/orders/${id}${list}`}>{orderNumber}</a>
        <small>{customer.email}</small>
        <div class="badges">
          <span class={orderBadge(status)}>{status}</span>
        </div>
      </th>
      <td>
        {count(tickets, 'ticket')}
        <small>{time(createdAt, timezone)}</small>
        {status === 'pending' && expiresAt !== undefined && <small>Expires {time(expiresAt, timezone)}</small>}
      </td>
      <td class="figure">
        {money(costs.total, costs.currency)}
        <small>{coupons.map(({ code }) => code).join(', ')}</small>
      </td>
      <td class="row-actions">
        <ActionMenu actions={actions} of={orderNumber} onAction={onAction} />
      </td>
    </tr>
  );
}
