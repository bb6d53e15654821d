import { type Client, type components, dataOf } from '@event-commerce/client';
import type { Action } from '../shell/use-actions.ts';

type Order = components['schemas']['Order'];

/** The next steps of an order's life. */
export function orderActions(client: Client, { id, status, orderNumber }: Order): Action[] {
  const params = { path: { id } };
  const cancel: Action = {
    label: 'Cancel',
    confirm: `Cancel order ${orderNumber}? Its tickets and redemptions are given back.`,
    run: async () => await dataOf(client.POST('/v1/orders/{id}/cancel', { params })),
  };
  if (status === 'cancelled' || status === 'expired') {
    const reopen = async () => await dataOf(client.POST('/v1/orders/{id}/reopen', { params }));
    const confirm = `Reopen order ${orderNumber}? It takes its tickets and redemptions again, at the price that it had.`;
    return [{ label: 'Reopen', confirm, run: reopen }];
  }
  if (status !== 'pending') return [cancel];
  const confirm = async () => await dataOf(client.POST('/v1/orders/{id}/confirm', { params }));
  return [{ label: 'Confirm', run: confirm }, cancel];
}

/** A status that is not the platform's own is the company's label on a placed order. */
export function orderBadge(status: string): string {
  if (status === 'cancelled' || status === 'expired') return 'badge';
  return status === 'pending' ? 'badge warn' : 'badge good';
}
