import { type components, dataOf } from '@event-commerce/client';
import { useLocation } from 'preact-iso';
import { ActionButton } from '../ui/action-button.tsx';
import { SelectField } from '../ui/fields.tsx';
import { moment } from '../format/format.ts';
import { listOf } from '../data/list-of.ts';
import { PagedTable } from '../ui/paged-table.tsx';
import { usePages } from '../ui/pager.tsx';
import { useResource } from '../data/resource.ts';
import { useSession } from '../shell/session.tsx';
import { Notice } from '../ui/states.tsx';
import { type Action, useActions } from '../data/use-actions.ts';
import { attemptsText, attemptText, STATUS_BADGE } from './webhook-text.ts';

type Delivery = components['schemas']['Delivery'];

const REFRESH_MS = 3_000;
const PAGE = 25;
const STATUSES = [
  ['', 'Any'],
  ['delivered', 'Delivered'],
  ['retrying', 'Retrying'],
  ['waiting', 'Waiting'],
  ['parked', 'Parked'],
] as const;

/** What became of each event that a webhook gets, newest first. */
export function Deliveries({ webhookId }: { webhookId: string }) {
  const { client } = useSession();
  const { path, query, route } = useLocation();
  const status = STATUSES.find(([one]) => one === query['status'])?.[0] ?? '';
  const pages = usePages(`${webhookId} ${status}`);
  const deliveries = useResource(
    async (signal) => {
      const asked = {
        limit: PAGE,
        ...(status === '' ? {} : { status }),
        ...(pages.cursor === undefined ? {} : { cursor: pages.cursor }),
      };
      const params = { path: { id: webhookId }, query: asked };
      return await listOf(client.GET('/v1/webhooks/{id}/deliveries', { params, signal }));
    },
    [client, webhookId, status, pages.cursor],
    { everyMs: REFRESH_MS },
  );
  const { problem, run } = useActions(deliveries.reload);
  const resend = (eventId: string): Action => ({
    label: 'Send again',
    run: async () => {
      const params = { path: { id: webhookId, eventId } };
      const attempt = await dataOf(client.POST('/v1/webhooks/{id}/deliveries/{eventId}/resend', { params }));
      if (attempt.error === undefined) return;
      deliveries.reload();
      throw new Error(`It did not arrive. ${attemptText(attempt)}.`);
    },
  });
  return (
    <section class="stack small">
      <div class="list-head">
        <h2>Deliveries</h2>
        <SelectField
          label="Delivery status"
          value={status}
          onChange={(value) => route(value === '' ? path : `${path}?status=${value}`, true)}
          options={STATUSES}
        />
      </div>
      <p class="problem" role="alert">
        {problem}
      </p>
      <PagedTable
        from={deliveries}
        pages={pages}
        columns={['Event', 'Status', 'Attempts', 'Actions']}
        empty={() => (
          <Notice title={status === '' ? 'Nothing was sent yet' : 'No delivery of this status'}>
            {status === '' ? 'Events appear here as they happen.' : undefined}
          </Notice>
        )}
      >
        {(delivery) => (
          <tr key={delivery.eventId}>
            <th scope="row">
              {delivery.type}
              <small>
                <a href={`/console/activity?subject=${encodeURIComponent(delivery.subject)}`}>{delivery.subject}</a>
              </small>
              <small>{moment(delivery.timestamp)}</small>
            </th>
            <td>
              <span class={STATUS_BADGE[delivery.status]}>{delivery.status}</span>
              {delivery.nextAttemptAt !== undefined && <small>Next attempt {moment(delivery.nextAttemptAt)}</small>}
            </td>
            <td>
              <Attempts delivery={delivery} />
            </td>
            <td class="row-actions">
              <ActionButton
                action={resend(delivery.eventId)}
                of={`${delivery.type} ${delivery.subject}`}
                onAction={(action) => void run(action)}
              />
            </td>
          </tr>
        )}
      </PagedTable>
    </section>
  );
}

/** The last attempt, and the others on demand. */
function Attempts({ delivery }: { delivery: Delivery }) {
  const last = delivery.attempts.at(-1);
  if (last === undefined) return <span class="soft">{attemptsText(delivery)}</span>;
  return (
    <details>
      <summary>
        {attemptText(last)}
        {delivery.attempts.length > 1 && `, ${attemptsText(delivery)}`}
      </summary>
      <ol class="plain attempts">
        {delivery.attempts.toReversed().map((attempt) => (
          <li key={attempt.at}>
            {moment(attempt.at)}: {attemptText(attempt)}
            {attempt.responseBody !== undefined && attempt.responseBody !== '' && <code>{attempt.responseBody}</code>}
          </li>
        ))}
      </ol>
    </details>
  );
}
