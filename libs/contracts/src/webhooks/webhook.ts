import { z } from 'zod';
import { memberNotes } from '../schema/member-notes.ts';
import { mergePatch } from '../schema/merge-patch.ts';
import { externalId, instant, line, listQuery, recordVersion, timestamp } from '../schema/primitives.ts';

const TYPES_MAX = 50;
const URL_LENGTH_MAX = 2_048;
const OVERLAP_SECONDS = 24 * 60 * 60;
const OVERLAP_SECONDS_MAX = 7 * 24 * 60 * 60;

/** `*`, all types of a kind, or one type. */
const TYPE = /^(?:\*|[a-z_]+\.(?:\*|[a-z_]+))$/;
const types = z
  .array(z.string().regex(TYPE, 'must be a type such as order.placed, order.* or *'))
  .min(1)
  .max(TYPES_MAX)
  .transform((some) => [...new Set(some)]);

export const WEBHOOK_STATUSES = ['active', 'paused'] as const;

const notes = {
  answer: () => webhook.shape,
  related: () => ({ events: 'types', eventTypes: 'types', enabled: 'status', endpoint: 'url', name: 'description' }),
};

const input = z.object({
  url: z
    .string()
    .trim()
    .max(URL_LENGTH_MAX)
    .describe('Where events are sent: an https address that the public internet reaches.'),
  types: types
    .default(['*'])
    .describe('Which events are sent: `order.placed`, `order.*`, or `*` for all that your key may read.'),
  description: line(256).exactOptional(),
  status: z.enum(WEBHOOK_STATUSES).default('active'),
});

/** The body of `POST /v1/webhooks`. */
export const webhookInput = input.register(memberNotes, notes).meta({ id: 'WebhookInput' });
export type WebhookInput = z.output<typeof webhookInput>;

/** What a webhook must be after a change. */
export const changedWebhook = input;

/** The body of `PATCH /v1/webhooks/{id}`. */
export const webhookPatch = mergePatch(
  {
    ...input.shape,
    startFrom: z
      .enum(['cursor', 'now'])
      .exactOptional()
      .describe(
        'When it becomes active: whether to send what happened while it was paused (`cursor`, the default), or only what happens from now on.',
      ),
  },
  notes,
).meta({ id: 'WebhookPatch' });
export type WebhookPatch = z.output<typeof webhookPatch>;

/** A webhook as the API returns it: never its secret. */
export const webhook = z
  .object({
    id: z.string(),
    companyId: z.string(),
    url: z.string(),
    types: z.array(z.string()),
    description: z.string().exactOptional(),
    status: z.enum(WEBHOOK_STATUSES),
    pausedBy: z.enum(['company', 'platform']).exactOptional(),
    statusReason: z.string().exactOptional().describe('Why the platform paused it.'),
    failingSince: timestamp.exactOptional().describe('Since when no delivery has succeeded.'),
    oldestUndeliveredAt: timestamp
      .exactOptional()
      .describe('When the oldest event happened that still has to be delivered.'),
    counts: z.object({
      retrying: z.int().describe('Events that failed, and will be sent again.'),
      waiting: z.int().describe('Events that wait for an earlier one of the same record.'),
      parked: z.int().describe('Events that were given up after all retries. Send them again with a replay.'),
    }),
    version: recordVersion,
    created: timestamp,
    changed: timestamp,
  })
  .meta({ id: 'Webhook' });
export type Webhook = z.output<typeof webhook>;

const secret = z.string().describe('Verifies signatures. Keep it: it is shown once.');
export const createdWebhook = webhook.extend({ secret }).meta({ id: 'CreatedWebhook' });

export const webhookListQuery = listQuery({ status: z.enum(WEBHOOK_STATUSES).optional() }, () => webhook);

/** The body of `POST /v1/webhooks/{id}/secret/rotate`. */
export const rotateSecretBody = z
  .strictObject({
    overlapSeconds: z
      .int()
      .min(0)
      .max(OVERLAP_SECONDS_MAX)
      .default(OVERLAP_SECONDS)
      .describe('How long deliveries are also signed with the previous secret.'),
  })
  .prefault({})
  .meta({ id: 'RotateWebhookSecret' });
export const rotatedSecret = z.object({ secret, previousValidUntil: timestamp }).meta({ id: 'RotatedWebhookSecret' });

/** The body of `POST /v1/webhooks/{id}/test`. */
export const testWebhookBody = z
  .strictObject({
    type: z
      .string()
      .regex(/^[a-z_]+\.[a-z_]+$/, 'must be a type such as order.placed')
      .default('webhook.test'),
  })
  .prefault({})
  .meta({ id: 'TestWebhook' });

export const ATTEMPT_ERRORS = ['timeout', 'dns', 'address-refused', 'tls', 'connection', 'redirect', 'status'] as const;
export type AttemptError = (typeof ATTEMPT_ERRORS)[number];

/** One request to a webhook's URL. */
export const deliveryAttempt = z
  .object({
    at: timestamp,
    responseStatus: z.int().exactOptional(),
    durationMs: z.int(),
    error: z.enum(ATTEMPT_ERRORS).exactOptional().describe('Absent if the attempt succeeded.'),
    responseBody: z.string().exactOptional().describe('The first KiB of the response.'),
  })
  .meta({ id: 'DeliveryAttempt' });
export type DeliveryAttempt = z.output<typeof deliveryAttempt>;

export const DELIVERY_STATUSES = ['delivered', 'retrying', 'waiting', 'parked'] as const;

/** The delivery of an event to one webhook. */
export const delivery = z
  .object({
    eventId: z.string(),
    type: z.string(),
    subject: z.string(),
    timestamp,
    status: z.enum(DELIVERY_STATUSES),
    attempts: z.array(deliveryAttempt).describe('Oldest first. Attempts are kept for 7 days.'),
    nextAttemptAt: timestamp.exactOptional(),
  })
  .meta({ id: 'Delivery' });
export type Delivery = z.output<typeof delivery>;

export const deliveryListQuery = listQuery(
  {
    status: z.enum(DELIVERY_STATUSES).optional(),
    eventId: externalId.optional(),
    type: z.string().regex(TYPE, 'must be a type such as order.placed or order.*').optional(),
    subject: externalId.optional(),
  },
  () => delivery,
);

/** The body of `POST /v1/webhooks/{id}/replay`. */
export const replayBody = z
  .strictObject({
    after: z.string().min(1).max(64).exactOptional().describe('A cursor of the activity log, or `oldest`.'),
    from: instant.exactOptional().describe('Instead of `after`: events from this time on.'),
    to: instant.exactOptional().describe('Events before this time; by default until now.'),
    types: types.exactOptional().describe('Only these of the types that the webhook gets.'),
    only: z.enum(['all', 'parked']).default('all').describe('`parked`: only events that were given up.'),
  })
  .prefault({})
  .meta({ id: 'ReplayWebhook' });
export type ReplayBody = z.output<typeof replayBody>;

export const replay = z
  .object({
    id: z.string(),
    status: z.enum(['running', 'done']),
    sent: z.int().describe('How many events were sent again so far. Those that failed are retried like others.'),
  })
  .meta({ id: 'WebhookReplay' });
