import { type components, dataOf } from '@event-commerce/client';
import { useState } from 'preact/hooks';
import { ActionMenu } from '../ui/action-menu.tsx';
import { listOf } from '../data/list-of.ts';
import { PagedTable } from '../ui/paged-table.tsx';
import { usePages } from '../ui/pager.tsx';
import { useResource } from '../data/resource.ts';
import { useSession } from '../shell/session.tsx';
import { ShownOnce } from '../ui/shown-once.tsx';
import { Notice } from '../ui/states.tsx';
import { Title } from '../shell/title.tsx';
import { type Action, useActions } from '../data/use-actions.ts';
import { CreateForm } from './create-form.tsx';
import { DeliveryState } from './delivery-state.tsx';
import { pauseOrActivate } from './webhook-actions.ts';
import { typesText, webhookName } from './webhook-text.ts';

type Schemas = components['schemas'];
type Webhook = Schemas['Webhook'];

const REFRESH_MS = 3_000;
const PAGE = 50;

/** The servers that are sent what happens, and how that goes. */
export function WebhooksView() {
  const { client } = useSession();
  const [created, setCreated] = useState<Schemas['CreatedWebhook']>();
  const pages = usePages('');
  const webhooks = useResource(
    async (signal) => {
      const query = { limit: PAGE, ...(pages.cursor === undefined ? {} : { cursor: pages.cursor }) };
      return await listOf(client.GET('/v1/webhooks', { params: { query }, signal }));
    },
    [client, pages.cursor],
    { everyMs: REFRESH_MS },
  );
  const { busy, problem, run } = useActions(webhooks.reload);
  const create = async (body: Schemas['WebhookInput']) =>
    await run({ run: async () => setCreated(await dataOf(client.POST('/v1/webhooks', { body }))) });
  const isAllowed = webhooks.value !== undefined;
  return (
    <>
      <Title text="Webhooks" />
      <p class="problem" role="alert">
        {problem}
      </p>
      <div class={isAllowed ? 'split' : ''}>
        {isAllowed && <CreateForm busy={busy} onCreate={create} />}
        <div class="stack">
          {created !== undefined && (
            <ShownOnce
              key={created.id}
              label="The secret"
              title={`The secret of “${webhookName(created)}”`}
              secret={created.secret}
              onDone={() => setCreated(undefined)}
            />
          )}
          <PagedTable
            from={webhooks}
            pages={pages}
            columns={['Webhook', 'Gets', 'Delivery', 'Actions']}
            empty={() => (
              <Notice title="No webhooks yet">A webhook sends what happens here to a server of yours.</Notice>
            )}
          >
            {(webhook) => <Row key={webhook.id} webhook={webhook} onAction={(action) => void run(action)} />}
          </PagedTable>
        </div>
      </div>
    </>
  );
}

function Row({ webhook, onAction }: { webhook: Webhook; onAction: (action: Action) => void }) {
  const { client } = useSession();
  const { id, url, description, status } = webhook;
  return (
    <tr>
      <th scope="row">
        <a href={`/console/webhooks/${id}`}>{webhookName(webhook)}</a>
        {description !== undefined && <small>{url}</small>}
        <div class="badges">
          <span class={`badge ${status === 'active' ? 'good' : 'warn'}`}>{status}</span>
        </div>
      </th>
      <td>{typesText(webhook)}</td>
      <td>
        <DeliveryState webhook={webhook} />
      </td>
      <td class="row-actions">
        <ActionMenu actions={[pauseOrActivate(client, webhook)]} of={webhookName(webhook)} onAction={onAction} />
      </td>
    </tr>
  );
}
