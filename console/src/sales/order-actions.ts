import { type Client, type components, dataOf } from '@event-commerce/client';
import type { Action } from '../data/use-actions.ts';

type Order = components['schemas']['Order'];

/** How long an order is held: long enough to pay. */
const HOLD_MINUTES = 15;

/** The next steps of an order's life. */
export function orderActions(client: Client, { id, status, orderNumber, expiresAt }: Order): Action[] {
  const params = { path: { id } };
  const cancel: Action = {
    label: 'Cancel',
    confirm: `Cancel order ${orderNumber}? Its tickets and redemptions are released.`,
    run: async () => await dataOf(client.POST('/v1/orders/{id}/cancel', { params })),
  };
  if (status === 'cancelled' || status === 'expired') {
    const again = 'It takes its tickets and redemptions again, at the price that it had.';
    const reopen: Action = {
      label: 'Reopen',
      confirm: `Reopen order ${orderNumber}? ${again} It counts as placed, without a payment.`,
      run: async () => await dataOf(client.POST('/v1/orders/{id}/reopen', { params })),
    };
    const hold: Action = {
      label: `Hold for ${HOLD_MINUTES} minutes`,
      confirm: `Hold order ${orderNumber} for ${HOLD_MINUTES} minutes? ${again} It expires unless it is confirmed.`,
      run: async () => {
        const body = { expiresInSeconds: HOLD_MINUTES * 60 };
        await dataOf(client.POST('/v1/orders/{id}/reopen', { params, body }));
      },
    };
    // Nobody paid for what expired; what was cancelled may have been paid or not.
    return status === 'expired' ? [hold] : [reopen, hold];
  }
  if (status !== 'pending') return [cancel];
  const confirm: Action = {
    label: 'Confirm',
    confirm: `Confirm order ${orderNumber}? It counts as paid.`,
    run: async () => await dataOf(client.POST('/v1/orders/{id}/confirm', { params })),
  };
  const extend: Action = {
    label: `${HOLD_MINUTES} minutes more`,
    run: async () => {
      const body = { expiresInSeconds: secondsUntil(expiresAt) + HOLD_MINUTES * 60 };
      await dataOf(client.POST('/v1/orders/{id}/extend', { params, body }));
    },
  };
  return expiresAt === undefined ? [confirm, cancel] : [confirm, extend, cancel];
}

/** How long it is until an instant: 0 if it has passed. */
function secondsUntil(instant = ''): number {
  return Math.max(0, Math.ceil((Date.parse(instant) - Date.now()) / 1_000));
}

/** A status that is not the platform's own is the company's label on a placed order. */
export function orderBadge(status: string): string {
  if (status === 'cancelled' || status === 'expired') return 'badge';
  return status === 'pending' ? 'badge warn' : 'badge good';
}
