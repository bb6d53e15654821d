import type { Client, components } from '@event-commerce/client';
import { listOf } from '../data/list-of.ts';
import { count, money, number } from '../format/format.ts';

type Order = components['schemas']['Order'];

const LISTED_MAX = 200;

/** What is known of the orders with tickets of an event. */
interface KnownOrders {
  placed: readonly Order[];
  pending: readonly Order[];
  /** Whether there are more than were loaded. */
  more: boolean;
  eventId: string;
}

export async function knownOrders(client: Client, signal: AbortSignal, eventId: string): Promise<KnownOrders> {
  const [placed, pending] = await Promise.all(
    (['placed', 'pending'] as const).map(async (state) => {
      const query = { eventId, state, limit: LISTED_MAX };
      return await listOf<Order>(client.GET('/v1/orders', { params: { query }, signal }));
    }),
  );
  return {
    eventId,
    placed: placed?.items ?? [],
    pending: pending?.items ?? [],
    more: placed?.next !== undefined || pending?.next !== undefined,
  };
}

/** What calling off does to the orders, a sentence each. */
export function willHappen({ placed, pending, more, eventId }: KnownOrders, orders: 'cancel' | 'list'): string[] {
  if (placed.length + pending.length === 0) return ['It has no orders.'];
  const tickets = (some: readonly Order[]) =>
    some.flatMap(({ items }) => items).reduce((sum, item) => sum + (item.eventId === eventId ? item.quantity : 0), 0);
  const totals = new Map<string, number>();
  for (const { costs } of placed) totals.set(costs.currency, (totals.get(costs.currency) ?? 0) + costs.total);
  const paid = [...totals].map(([currency, total]) => money(total, currency)).join(' and ');
  const least = more ? 'At least ' : '';
  const verb = (some: number, one: string, several: string) => (some === 1 ? one : several);
  const sentences: string[] = [];
  if (placed.length > 0) {
    const fate =
      orders === 'list'
        ? verb(placed.length, 'stays as it is', 'stay as they are')
        : verb(placed.length, 'is cancelled', 'are cancelled');
    sentences.push(
      `${least}${count(placed.length, 'placed order')} with ${count(tickets(placed), 'ticket')} ${fate}.`,
      placed.length === 1 ? `It was placed for ${paid}.` : `They were placed for ${paid} together.`,
    );
  }
  if (pending.length > 0)
    sentences.push(
      `${least}${count(pending.length, 'pending order')} with ${number(tickets(pending))} held ${verb(tickets(pending), 'ticket', 'tickets')} ${verb(pending.length, 'waits', 'wait')} for payment.`,
    );
  return sentences;
}
