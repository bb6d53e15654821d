import { ACTIVITY_SCOPES } from '../activity/entry.ts';
import { ENTRY } from '../activity/operations.ts';
import { cursorExpired } from '../activity/refusals.ts';
import { changedByOthers } from '../errors/refusals.ts';
import { type Declarations, exampleId, ids, operations } from '../operations/operation.ts';
import {
  deliveryNotFound,
  replayNotFound,
  replayUnderWay,
  tooManyWebhooks,
  typeNotReadable,
  webhookNotActive,
  webhookNotFound,
} from './refusals.ts';
import {
  createdWebhook,
  delivery,
  deliveryAttempt,
  deliveryListQuery,
  replay,
  replayBody,
  rotatedSecret,
  rotateSecretBody,
  testWebhookBody,
  webhook,
  webhookInput,
  webhookListQuery,
  webhookPatch,
} from './webhook.ts';

const WEBHOOK = exampleId('whk', 1);
const REPLAY = exampleId('rpl', 1);
const theWebhook = ids({ id: 'The webhook: `whk_...`.' });

/** An attempt that a caller waits for. */
const ATTEMPT_MS = 16_000;

export const WEBHOOK_OPERATIONS = operations('activity', 'Webhooks', {
  createWebhook: {
    method: 'POST',
    path: '/webhooks',
    summary: 'Create a webhook',
    description: [
      'Every event from now on is sent to `url` as a POST request, signed as [Standard Webhooks](https://www.standardwebhooks.com) says. The body is an entry of the activity log without its cursor; `webhook-id` is the id of the event, the same at every repeat. Any 2xx response within 15 seconds is success.',
      'Events of one record arrive in order. One that fails is sent again after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h, and then parked; later events of the same record wait for it, others do not. While an endpoint is down, nothing is counted against any event: everything arrives when it is back.',
      'The response has the `secret`, only this once. A repeat with the same Idempotency-Key gets 409 `ALREADY_EXISTS`.',
    ].join('\n\n'),
    scope: 'webhooks:write',
    also: ACTIVITY_SCOPES,
    onRepeat: 'refuse',
    body: webhookInput,
    answer: { statuses: { 201: 'The webhook was created.' }, data: createdWebhook },
    errors: [typeNotReadable, tooManyWebhooks],
    examples: {
      website: {
        summary: 'What happens to events, once the server is ready',
        body: {
          url: 'https://tickets.example/webhooks',
          types: ['event.*'],
          description: 'The website',
          status: 'paused',
        },
        makes: { 'data.id': WEBHOOK },
      },
    },
  },
  listWebhooks: {
    method: 'GET',
    path: '/webhooks',
    summary: 'List webhooks',
    description: 'Newest first.',
    scope: 'webhooks:read',
    query: webhookListQuery,
    answer: { statuses: { 200: 'One page of webhooks.' }, data: webhook, form: 'list' },
    examples: { all: { summary: 'All of them' } },
  },
  getWebhook: {
    method: 'GET',
    path: '/webhooks/{id}',
    summary: 'Read a webhook',
    scope: 'webhooks:read',
    versioned: 'answers',
    params: theWebhook,
    answer: { statuses: { 200: 'The webhook, without its secret.' }, data: webhook },
    errors: [webhookNotFound],
    examples: { website: { summary: 'Its state', path: { id: WEBHOOK } } },
  },
  updateWebhook: {
    method: 'PATCH',
    path: '/webhooks/{id}',
    summary: 'Change a webhook',
    description:
      'A JSON merge patch. No attempt begins a second after a response that says `paused`. One that becomes active continues where it was paused, or with `"startFrom": "now"` at what happens next.',
    scope: 'webhooks:write',
    also: ACTIVITY_SCOPES,
    versioned: 'changes',
    params: theWebhook,
    body: webhookPatch,
    answer: { statuses: { 200: 'The webhook as it is now.' }, data: webhook },
    errors: [webhookNotFound, typeNotReadable, changedByOthers],
    examples: {
      ready: {
        summary: 'The server is ready',
        path: { id: WEBHOOK },
        body: { status: 'active', startFrom: 'now' },
      },
    },
  },
  rotateWebhookSecret: {
    method: 'POST',
    path: '/webhooks/{id}/secret/rotate',
    summary: 'Rotate the secret of a webhook',
    description: 'Deliveries are signed with both secrets until the previous one ends.',
    scope: 'webhooks:write',
    onRepeat: 'refuse',
    params: theWebhook,
    body: rotateSecretBody,
    answer: { statuses: { 200: 'The new secret.' }, data: rotatedSecret },
    errors: [webhookNotFound, changedByOthers],
    examples: { day: { summary: 'The previous one works for a day', path: { id: WEBHOOK }, body: {} } },
  },
  testWebhook: {
    method: 'POST',
    path: '/webhooks/{id}/test',
    summary: 'Send a test event',
    description:
      'Sends an event that is not in the log, signed like any other, and returns what came back within 5 seconds.',
    scope: 'webhooks:write',
    waitsMs: ATTEMPT_MS,
    params: theWebhook,
    body: testWebhookBody,
    answer: { statuses: { 200: 'The attempt, whether it succeeded or not.' }, data: deliveryAttempt },
    errors: [webhookNotFound],
    examples: { ping: { summary: 'Is it there?', path: { id: WEBHOOK }, body: {} } },
  },
  listDeliveries: {
    method: 'GET',
    path: '/webhooks/{id}/deliveries',
    summary: 'List the deliveries of a webhook',
    description:
      'What became of each event that the webhook gets, newest event first, with its attempts of the last 7 days.',
    scope: 'webhooks:read',
    params: theWebhook,
    query: deliveryListQuery,
    answer: { statuses: { 200: 'One page of deliveries.' }, data: delivery, form: 'list' },
    errors: [webhookNotFound],
    examples: { parked: { summary: 'What was given up', path: { id: WEBHOOK }, query: { status: 'parked' } } },
  },
  resendDelivery: {
    method: 'POST',
    path: '/webhooks/{id}/deliveries/{eventId}/resend',
    summary: 'Send an event again',
    description:
      'At once, whatever became of it before. If it arrives, later events of the same record that waited follow.',
    scope: 'webhooks:write',
    waitsMs: ATTEMPT_MS,
    params: ids({ id: 'The webhook.', eventId: 'The event: its `webhook-id`.' }),
    answer: { statuses: { 200: 'The attempt, whether it succeeded or not.' }, data: deliveryAttempt },
    errors: [webhookNotFound, deliveryNotFound, webhookNotActive],
    examples: { event: { summary: 'One that was missed', path: { id: WEBHOOK, eventId: ENTRY } } },
  },
  replayWebhook: {
    method: 'POST',
    path: '/webhooks/{id}/replay',
    summary: 'Send past events again',
    description:
      'Sends all events of a span again, with the same ids. New events are delivered at the same time. `only: "parked"` sends the events that were given up.',
    scope: 'webhooks:write',
    params: theWebhook,
    body: replayBody,
    answer: { statuses: { 202: 'The replay has begun.' }, data: replay },
    errors: [webhookNotFound, webhookNotActive, replayUnderWay, cursorExpired],
    examples: {
      parked: {
        summary: 'Everything that was given up',
        path: { id: WEBHOOK },
        body: { only: 'parked' },
        makes: { 'data.id': REPLAY },
      },
    },
  },
  getWebhookReplay: {
    method: 'GET',
    path: '/webhooks/{id}/replays/{replayId}',
    summary: 'Read a replay',
    scope: 'webhooks:read',
    params: ids({ id: 'The webhook.', replayId: 'The replay: `rpl_...`.' }),
    answer: { statuses: { 200: 'Its progress.' }, data: replay },
    errors: [webhookNotFound, replayNotFound],
    examples: { parked: { summary: 'Its progress', path: { id: WEBHOOK, replayId: REPLAY } } },
  },
  deleteWebhook: {
    method: 'DELETE',
    path: '/webhooks/{id}',
    summary: 'Delete a webhook',
    description: 'A second after the response, no more attempts begin. Undelivered events are dropped.',
    scope: 'webhooks:write',
    versioned: 'changes',
    params: theWebhook,
    answer: { statuses: { 200: 'The webhook as it was.' }, data: webhook },
    errors: [webhookNotFound, changedByOthers],
    examples: { website: { summary: 'The website is gone', path: { id: WEBHOOK } } },
  },
} satisfies Declarations);
