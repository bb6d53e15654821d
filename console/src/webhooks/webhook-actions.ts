import { type Client, type components, dataOf } from '@event-commerce/client';
import type { Action } from '../data/use-actions.ts';
import { webhookName } from './webhook-text.ts';

type Webhook = components['schemas']['Webhook'];

/** Stops sending, or goes on with what happened meanwhile. */
export function pauseOrActivate(client: Client, { id, status }: Webhook): Action {
  const params = { path: { id } };
  const set = (to: Webhook['status']) => async () =>
    await dataOf(client.PATCH('/v1/webhooks/{id}', { params, body: { status: to } }));
  return status === 'active' ? { label: 'Pause', run: set('paused') } : { label: 'Activate', run: set('active') };
}

/** What else can be done with a webhook. */
export function webhookActions(
  client: Client,
  webhook: Webhook,
  on: {
    attempt: (attempt: components['schemas']['DeliveryAttempt']) => void;
    secret: (secret: string) => void;
    deleted: () => void;
  },
): Action[] {
  const params = { path: { id: webhook.id } };
  const name = webhookName(webhook);
  return [
    pauseOrActivate(client, webhook),
    {
      label: 'Send a test event',
      run: async () => on.attempt(await dataOf(client.POST('/v1/webhooks/{id}/test', { params, body: {} }))),
    },
    {
      label: 'Rotate the secret',
      confirm: `Make a new secret for “${name}”? Deliveries are signed with both for a day.`,
      run: async () => {
        const { secret } = await dataOf(client.POST('/v1/webhooks/{id}/secret/rotate', { params, body: {} }));
        on.secret(secret);
      },
    },
    {
      label: 'Delete',
      confirm: `Delete “${name}”? What it has not received yet is not sent any more.`,
      run: async () => {
        await dataOf(client.DELETE('/v1/webhooks/{id}', { params }));
        on.deleted();
      },
    },
  ];
}
