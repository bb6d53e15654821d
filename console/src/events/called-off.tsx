import { ApiError, type Client, type components, dataOf } from '@event-commerce/client';
import type { ComponentChildren } from 'preact';
import { saveCsv } from '../data/download.ts';
import { listOf } from '../data/list-of.ts';
import { useResource } from '../data/resource.ts';
import { useActions } from '../data/use-actions.ts';
import { count, money } from '../format/format.ts';
import { useSession } from '../shell/session.tsx';
import { callOffAddress } from './addresses.ts';

type Schemas = components['schemas'];
type CallOff = Schemas['CallOff'];

const REFRESH_MS = 2_000;
const BY_HAND_MAX = 50;

/** The last call-off of an event; undefined if there was none, or it was undone. */
export async function loadCallOff(client: Client, signal: AbortSignal, eventId: string): Promise<CallOff | undefined> {
  const { data, error, response } = await client.GET('/v1/events/{id}/call-off', {
    params: { path: { id: eventId } },
    signal,
  });
  if (data === undefined && response.status !== 404) throw new ApiError(response.status, error);
  return data?.data.status === 'undone' ? undefined : data?.data;
}

/** What became of the orders of an event that was called off: whom to tell, and what to pay back. */
export function CalledOff({
  eventId,
  onUndone,
}: {
  eventId: string;
  /** The event has its previous status again. */
  onUndone: () => void;
}) {
  const { client } = useSession();
  const loaded = useResource(
    async (signal) => ({ callOff: await loadCallOff(client, signal, eventId) }),
    [client, eventId],
    { everyMs: REFRESH_MS },
  );
  const { busy, problem, run } = useActions(() => {
    loaded.reload();
    onUndone();
  });
  const callOff = loaded.value?.callOff;
  // The event's status alone ended the sale.
  if (callOff === undefined) return null;
  const { status, report, cancelOrders } = callOff;
  const params = { path: { id: eventId } };
  const isRunning = status === 'running';
  const undo = {
    confirm: {
      title: 'Undo the call-off?',
      text: [
        'The event has the status from before, and can be sold again.',
        ...(isRunning ? ['Orders that were not dealt with yet stay.'] : []),
        ...(report.cancelled + report.changed > 0
          ? [
              `What was cancelled or returned stays that way (${count(report.cancelled + report.changed, 'order')}): reopen one order at a time.`,
            ]
          : []),
      ],
      yes: 'Undo the call-off',
    },
    run: async () => await dataOf(client.POST('/v1/events/{id}/call-off/undo', { params, body: {} })),
  };
  const download = {
    run: async () => {
      const query = { format: 'csv' } as const;
      const reply = client.GET('/v1/events/{id}/call-off/orders', { params: { ...params, query }, parseAs: 'text' });
      await saveCsv(`called-off-${eventId}.csv`, reply);
    },
  };
  return (
    <section class="card stack small" aria-label="Called off">
      <div class="list-head">
        <h2>{isRunning ? 'Being called off' : 'Called off'}</h2>
        <div class="title-actions">
          {!isRunning && !cancelOrders && report.listed > 0 && (
            <a class="button" href={callOffAddress(eventId)}>
              Cancel these orders
            </a>
          )}
          <button type="button" disabled={busy} onClick={() => void run(download)}>
            Download the report (CSV)
          </button>
          <button type="button" disabled={busy} onClick={() => void run(undo)}>
            Undo
          </button>
        </div>
      </div>
      <p class="problem" role="alert">
        {problem}
      </p>
      {isRunning && (
        <label class="progress">
          {count(report.orders, 'order')} dealt with so far. It continues by itself.
          <progress />
        </label>
      )}
      <dl class="facts called-off">
        {factsOf(callOff).map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {report.byHand > 0 && <ByHand eventId={eventId} />}
    </section>
  );
}

/** What a call-off did, line by line, without lines that do not apply. */
function factsOf({ reason, report }: CallOff): (readonly [string, ComponentChildren])[] {
  const { orders, tickets, cancelled, changed, byHand, listed, toPayBack, emails } = report;
  const orderLines = [
    ['Cancelled', cancelled],
    ['Without its tickets now', changed],
    ['To do by hand', byHand],
    ['As they were', listed],
  ] as const;
  return [
    ['Reason', reason],
    ['Orders', `${count(orders, 'order')} with ${count(tickets, 'ticket')}`],
    ...orderLines.filter(([, some]) => some > 0).map(([label, some]) => [label, count(some, 'order')] as const),
    ['To pay back', toPayBack.map(({ amount, currency }) => money(amount, currency)).join(', ') || 'Nothing'],
    ...(emails === undefined ? [] : [['To tell', count(emails, 'e-mail address', 'e-mail addresses')] as const]),
  ];
}

/** The orders whose tickets could not be returned, each with the reason. */
function ByHand({ eventId }: { eventId: string }) {
  const { client } = useSession();
  const orders = useResource(
    async (signal) => {
      const params = { path: { id: eventId }, query: { state: 'by-hand', limit: BY_HAND_MAX } as const };
      return await listOf<Schemas['CalledOffOrder']>(client.GET('/v1/events/{id}/call-off/orders', { params, signal }));
    },
    [client, eventId],
  );
  return (
    <ul class="plain">
      {orders.value?.items.map(({ orderId, orderNumber, why }) => (
        <li key={orderId}>
          <a href={`/console/sales/orders/${orderId}`}>{orderNumber}</a> {why}
        </li>
      ))}
      {orders.value?.next !== undefined && <li class="soft">There are more: see the report.</li>}
    </ul>
  );
}
