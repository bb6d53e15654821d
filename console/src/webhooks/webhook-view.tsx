import { type components, dataOf } from '@event-commerce/client';
import type { ComponentChildren } from 'preact';
import { useLocation, useRoute } from 'preact-iso';
import { useState } from 'preact/hooks';
import { ActionButton } from '../ui/action-button.tsx';
import { OWN_ZONE, time } from '../format/format.ts';
import { useResource } from '../data/resource.ts';
import { useSession } from '../shell/session.tsx';
import { ShownOnce } from '../ui/shown-once.tsx';
import { Loaded } from '../ui/states.tsx';
import { Title } from '../shell/title.tsx';
import { useActions } from '../data/use-actions.ts';
import { History } from '../activity/history.tsx';
import { Deliveries } from './deliveries.tsx';
import { DeliveryState } from './delivery-state.tsx';
import { webhookActions } from './webhook-actions.ts';
import { attemptText, typesText, webhookName } from './webhook-text.ts';

type Schemas = components['schemas'];
type Attempt = Schemas['DeliveryAttempt'];

const REFRESH_MS = 3_000;

/** One webhook: its state, what can be done with it, and what became of each event. */
export function WebhookView() {
  const { client } = useSession();
  const id = useRoute().params['id'] ?? '';
  const { route } = useLocation();
  const [secret, setSecret] = useState<string>();
  const [attempt, setAttempt] = useState<Attempt>();
  const loaded = useResource(
    async (signal) => await dataOf(client.GET('/v1/webhooks/{id}', { params: { path: { id } }, signal })),
    [client, id],
    { everyMs: REFRESH_MS },
  );
  const { busy, problem, run } = useActions(loaded.reload);
  const current = loaded.value;
  const actions =
    current === undefined
      ? []
      : webhookActions(client, current, {
          attempt: setAttempt,
          secret: setSecret,
          deleted: () => route('/console/webhooks'),
        });
  return (
    <>
      <Title
        text={current === undefined ? 'Webhook' : webhookName(current)}
        badge={
          current && <span class={`badge ${current.status === 'active' ? 'good' : 'warn'}`}>{current.status}</span>
        }
      >
        {actions.map((action) => (
          <ActionButton key={action.label} action={action} onAction={() => void run(action)} />
        ))}
        <a class="button" href="/console/webhooks">
          All webhooks
        </a>
      </Title>
      <p class="problem" role="alert">
        {problem}
      </p>
      <Loaded from={loaded}>
        {(webhook) => (
          <div class="stack">
            {secret !== undefined && (
              <ShownOnce
                label="The secret"
                title="The new secret"
                secret={secret}
                onDone={() => setSecret(undefined)}
              />
            )}
            <div class="split even">
              <Facts webhook={webhook} attempt={busy ? undefined : attempt} />
              <History of={id} />
            </div>
            <Deliveries webhookId={id} />
          </div>
        )}
      </Loaded>
    </>
  );
}

function Facts({ webhook, attempt }: { webhook: Schemas['Webhook']; attempt: Attempt | undefined }) {
  const facts: (readonly [string, ComponentChildren])[] = [
    ['URL', webhook.url],
    ['Gets', typesText(webhook)],
    ['Delivery', <DeliveryState key="state" webhook={webhook} />],
    ['Created', time(webhook.created, OWN_ZONE)],
  ];
  return (
    <section class="card">
      <h2>Webhook</h2>
      <dl class="facts">
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <p role="status" class={attempt?.error === undefined ? undefined : 'problem'}>
        {attempt !== undefined && `Test event: ${attemptText(attempt)}`}
      </p>
    </section>
  );
}
