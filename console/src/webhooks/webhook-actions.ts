import { type Client, type components, dataOf } from '@event-commerce/client';
import type { Action } from '../data/use-actions.ts';
import { count } from '../format/format.ts';
import { webhookName } from './webhook-text.ts';

type Webhook = components['schemas']['Webhook'];

/** Pauses a webhook, or resumes it with what happened meanwhile. */
export function pauseOrActivate(client: Client, webhook: Webhook): Action {
  const { id, status } = webhook;
  const params = { path: { id } };
  const name = webhookName(webhook);
  const set = (to: Webhook['status']) => async () =>
    await dataOf(client.PATCH('/v1/webhooks/{id}', { params, body: { status: to } }));
  return status === 'active'
    ? {
        label: 'Pause',
        run: set('paused'),
        done: { text: `“${name}” is paused. What happens meanwhile is kept for it.`, undo: set('active') },
      }
    : { label: 'Activate', run: set('active'), done: { text: `“${name}” is active.`, undo: set('paused') } };
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
      confirm: {
        title: `Make a new secret for “${name}”?`,
        text: [
          'Deliveries are signed with the old secret and the new one for a day, then with the new one only.',
          'Store the new one with its receiver by then.',
        ],
        yes: 'Make a new secret',
      },
      run: async () => {
        const { secret } = await dataOf(client.POST('/v1/webhooks/{id}/secret/rotate', { params, body: {} }));
        on.secret(secret);
      },
    },
    {
      label: 'Delete',
      confirm: {
        title: `Delete “${name}”?`,
        text: [...deletionText(webhook), 'This cannot be undone. To stop it for a while, pause it instead.'],
        yes: 'Delete the webhook',
        isDangerous: true,
      },
      run: async () => {
        await dataOf(client.DELETE('/v1/webhooks/{id}', { params }));
        on.deleted();
      },
    },
  ];
}

/** What a webhook no longer receives. */
function deletionText({ url, counts: { retrying, waiting, parked } }: Webhook): string[] {
  const undelivered = retrying + waiting + parked;
  return [
    `Nothing is sent to ${url} any more.`,
    ...(undelivered === 0
      ? []
      : [
          `${count(undelivered, 'event')} that did not arrive yet ${undelivered === 1 ? 'is' : 'are'} not sent either.`,
        ]),
  ];
}
