import type { components } from '@event-commerce/client';
import { count, number, OWN_ZONE, time } from '../format/format.ts';

type Schemas = components['schemas'];
type Webhook = Schemas['Webhook'];
type Attempt = Schemas['DeliveryAttempt'];

/** What a webhook is called: what its company wrote, or where it sends to. */
export function webhookName({ description, url }: Pick<Webhook, 'description' | 'url'>): string {
  return description ?? new URL(url).host;
}

export function typesText({ types }: Pick<Webhook, 'types'>): string {
  return types.includes('*') ? 'everything' : types.join(', ');
}

/** Why nothing arrives, where that is so. */
export function troubles({ status, pausedBy, statusReason, failingSince }: Webhook): string[] {
  const reason = statusReason === undefined ? '' : `: ${statusReason}`;
  return [
    ...(status === 'paused' && pausedBy === 'platform' ? [`Paused by the platform${reason}`] : []),
    ...(failingSince === undefined ? [] : [`Failing since ${time(failingSince, OWN_ZONE)}`]),
  ];
}

const FAILURES: Record<Exclude<NonNullable<Attempt['error']>, 'status'>, string> = {
  timeout: 'No response in time',
  dns: 'The host name was not found',
  'address-refused': 'The address is not public',
  tls: 'No secure connection',
  connection: 'No connection',
  redirect: 'Redirects are not followed',
};

/** `204 after 12 ms`. */
export function attemptText({ responseStatus, durationMs, error }: Attempt): string {
  const what = error === undefined || error === 'status' ? `Response ${responseStatus ?? ''}` : FAILURES[error];
  return `${what} after ${number(durationMs)} ms`;
}

export function attemptsText({ attempts, status }: Schemas['Delivery']): string {
  if (attempts.length > 0) return count(attempts.length, 'attempt');
  return status === 'waiting' ? 'Waits for an earlier event of this record' : 'No longer kept';
}

export const STATUS_BADGE: Record<Schemas['Delivery']['status'], string> = {
  delivered: 'badge good',
  retrying: 'badge warn',
  waiting: 'badge',
  parked: 'badge warn',
};
