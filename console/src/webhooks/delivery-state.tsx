import type { components } from '@event-commerce/client';
import { number, OWN_ZONE, time } from '../format/format.ts';
import { troubles } from './webhook-text.ts';

const STATUSES = ['retrying', 'waiting', 'parked'] as const;

/** The state of delivery: how many events have not arrived, each number with a link to them, and since when. */
export function DeliveryState({ webhook }: { webhook: components['schemas']['Webhook'] }) {
  const { id, counts, oldestUndeliveredAt } = webhook;
  const some = STATUSES.filter((status) => counts[status] > 0);
  const lines = troubles(webhook);
  if (some.length === 0 && lines.length === 0 && oldestUndeliveredAt === undefined) {
    return <span class="soft">Up to date</span>;
  }
  return (
    <ul class="plain">
      {some.map((status) => (
        <li key={status}>
          <a href={`/console/webhooks/${id}?status=${status}`}>
            {number(counts[status])} {status}
          </a>
        </li>
      ))}
      {lines.map((text) => (
        <li key={text}>
          <small class="problem">{text}</small>
        </li>
      ))}
      {oldestUndeliveredAt !== undefined && (
        <li>
          <small>Oldest event not delivered: {time(oldestUndeliveredAt, OWN_ZONE)}</small>
        </li>
      )}
    </ul>
  );
}
