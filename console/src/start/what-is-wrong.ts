import type { components } from '@event-commerce/client';
import { eventAddress, salesAddress } from '../events/addresses.ts';
import { eventName } from '../format/event-name.ts';
import { count, distance, number } from '../format/format.ts';
import { troubles, webhookName } from '../webhooks/webhook-text.ts';

type Schemas = components['schemas'];

/** Something that somebody should look at, and where. */
export interface Trouble {
  text: string;
  about?: string;
  href: string;
}

/** A pending order is usually paid within minutes. */
export const PENDING_LONG_MS = 3_600_000;

/** Webhooks that do not deliver. */
export function webhookTroubles(webhooks: readonly Schemas['Webhook'][]): Trouble[] {
  return webhooks.flatMap((webhook) => {
    const { id, counts } = webhook;
    const reasons = [
      ...troubles(webhook),
      ...(counts.parked === 0 ? [] : [`${count(counts.parked, 'event')} given up`]),
    ];
    if (reasons.length === 0) return [];
    const href = `/console/webhooks/${id}`;
    return [{ text: `Webhook “${webhookName(webhook)}” does not deliver`, about: `${reasons.join('. ')}.`, href }];
  });
}

/**
 * Orders that have been pending for long. `hasMore`: there are more than are listed. A single order leads to itself;
 * several lead to their search.
 */
export function pendingTroubles(orders: readonly Schemas['Order'][], hasMore: boolean, nowMs: number): Trouble[] {
  const oldest = orders.toSorted((a, b) => a.createdAt.localeCompare(b.createdAt))[0];
  if (oldest === undefined) return [];
  const since = distance(nowMs, Date.parse(oldest.createdAt));
  if (orders.length === 1 && !hasMore) {
    return [
      {
        text: `Order ${oldest.orderNumber} is awaiting payment`,
        about: `It was placed ${since}, and still holds its tickets.`,
        href: `/console/sales/orders/${oldest.id}`,
      },
    ];
  }
  return [
    {
      text: `${hasMore ? `More than ${number(orders.length)} orders are` : `${count(orders.length, 'order')} are`} awaiting payment`,
      about: `The oldest of these was placed ${since}. They still hold their tickets.`,
      href: '/console/sales?among=all&state=pending',
    },
  ];
}

/** Called-off events with tickets still in orders: nobody has cancelled those. */
export function calledOffTroubles(events: readonly Schemas['Event'][]): Trouble[] {
  return events.flatMap((event) => {
    const { sold = 0, held = 0 } = event.availability ?? {};
    const tickets = sold + held;
    if (event.status !== 'cancelled' || tickets === 0) return [];
    return [
      {
        text: `${eventName(event)} is called off, and ${count(tickets, 'ticket')} ${tickets === 1 ? 'is' : 'are'} still in orders`,
        about: 'Cancel these orders, and pay back what was paid.',
        href: salesAddress(event.id),
      },
    ];
  });
}

/** Published events with nothing to buy. */
export function unsoldTroubles(events: readonly Schemas['Event'][]): Trouble[] {
  return events.flatMap((event) => {
    const { status, availability, kind } = event;
    if (status !== 'published' || availability === undefined || kind === 'series') return [];
    const { sold, held, left, lowestPrices } = availability;
    // Without an offering, there is no limit and no price.
    if (left !== null || lowestPrices.length > 0 || sold + held > 0) return [];
    return [
      {
        text: `${eventName(event)} sells nothing yet`,
        about: 'Published with nothing on sale: put an offering on sale.',
        href: eventAddress(event.id),
      },
    ];
  });
}

/** An event with at most this share left is nearly sold out. */
const NEARLY = 0.1;

/** Events with little left, the least first; sold-out events come last. */
export function nearlySoldOut(events: readonly Schemas['Event'][], most: number): Schemas['Event'][] {
  return events
    .flatMap((event) => {
      const { sold = 0, held = 0, left = null } = event.availability ?? {};
      if (left === null || sold + held === 0) return [];
      const share = left / (sold + held + left);
      return share <= NEARLY ? [{ event, share }] : [];
    })
    .toSorted((a, b) => Number(a.share === 0) - Number(b.share === 0) || a.share - b.share)
    .slice(0, most)
    .map(({ event }) => event);
}

/** The events with the most tickets sold. */
export function topEvents(events: readonly Schemas['Event'][], most: number): Schemas['Event'][] {
  const soldOf = ({ availability }: Schemas['Event']) => availability?.sold ?? 0;
  return events
    .filter((event) => soldOf(event) > 0)
    .toSorted((a, b) => soldOf(b) - soldOf(a))
    .slice(0, most);
}
