import { refusal } from '../errors/refusal.ts';

export const webhookNotFound = refusal(
  'WEBHOOK_NOT_FOUND',
  'The company has no webhook of this id.',
  (id: string) => ({ message: `There is no webhook ${id}. Check the id: GET /v1/webhooks lists them.` }),
  'whk_unknown',
);
export const deliveryNotFound = refusal(
  'DELIVERY_NOT_FOUND',
  'The webhook gets no event of this id.',
  (eventId: string) => ({
    message: `There is no event ${eventId} that this webhook gets. GET /v1/webhooks/{id}/deliveries lists its events.`,
  }),
  '00000000-0000-4000-8000-000000000000',
);
export const replayNotFound = refusal(
  'REPLAY_NOT_FOUND',
  'The webhook has no replay of this id.',
  (id: string) => ({
    message: `This webhook has no replay ${id}. Check the id: POST /v1/webhooks/{id}/replay returns it.`,
  }),
  'rpl_unknown',
);
export const webhookNotActive = refusal(
  'WEBHOOK_NOT_ACTIVE',
  'The webhook is paused.',
  (id: string) => ({ message: `Webhook ${id} is paused. Set its status to active first.` }),
  'whk_1',
);
export const replayUnderWay = refusal(
  'REPLAY_UNDER_WAY',
  'An earlier replay of the webhook has not ended.',
  (replayId: string) => ({ message: `Replay ${replayId} of this webhook has not ended. Wait until it is done.` }),
  'rpl_1',
);
export const tooManyWebhooks = refusal(
  'QUOTA_EXCEEDED',
  'The company has reached the limit of its webhooks.',
  (max: number) => ({
    message: `Your company has ${max} webhooks, and may have no more. Delete one that you no longer need.`,
  }),
  50,
);
export const typeNotReadable = refusal(
  'FORBIDDEN',
  'The key may not read events of a type that the webhook would get.',
  (type: string, scope: string) => ({
    message: `To get events of type ${type}, the key needs the scope ${scope}.`,
    details: [{ path: 'types', message: `needs the scope ${scope} for ${type}` }],
  }),
  'order.placed',
  'orders:read',
);
