import { type Client, type components, dataOf } from '@event-commerce/client';
import type { Action } from '../data/use-actions.ts';
import { count, money } from '../format/format.ts';

type Order = components['schemas']['Order'];

/** How long an order is held: long enough to pay. */
const HOLD_MINUTES = 15;

/** The next steps of an order's life. */
export function orderActions(client: Client, order: Order): Action[] {
  const { id, status, orderNumber, expiresAt } = order;
  const params = { path: { id } };
  const cancels = async () => await dataOf(client.POST('/v1/orders/{id}/cancel', { params }));
  const reopens = async () => await dataOf(client.POST('/v1/orders/{id}/reopen', { params }));
  const holds = (seconds: number) => async () =>
    await dataOf(client.POST('/v1/orders/{id}/reopen', { params, body: { expiresInSeconds: seconds } }));

  if (status === 'cancelled' || status === 'expired') {
    const reopen: Action = {
      label: 'Reopen',
      confirm: {
        title: `Reopen order ${orderNumber}?`,
        text: [...takenAgain(order), 'It counts as placed, without a payment.'],
        yes: 'Reopen the order',
      },
      run: reopens,
      done: { text: `Order ${orderNumber} is placed again.`, undo: cancels },
    };
    const hold: Action = {
      label: `Hold for ${HOLD_MINUTES} minutes`,
      confirm: {
        title: `Hold order ${orderNumber} for ${HOLD_MINUTES} minutes?`,
        text: [...takenAgain(order), 'It expires unless it is confirmed by then.'],
        yes: 'Hold the order',
      },
      run: holds(HOLD_MINUTES * 60),
      done: { text: `Order ${orderNumber} is held for ${HOLD_MINUTES} minutes.` },
    };
    // Nobody paid for what expired; what was cancelled may have been paid or not.
    return status === 'expired' ? [hold] : [reopen, hold];
  }

  const isPending = status === 'pending';
  // One that was held without an end cannot be held like that again.
  const holdsAgain = expiresAt === undefined ? undefined : async () => await holds(secondsLeft(expiresAt))();
  const cancel: Action = {
    label: 'Cancel',
    confirm: {
      title: `Cancel order ${orderNumber}?`,
      text: [...givenBack(order), ...(isPending ? [] : [notRefunded(order)])],
      yes: 'Cancel the order',
      no: 'Keep the order',
      isDangerous: true,
    },
    run: cancels,
    done: { text: `Order ${orderNumber} is cancelled.`, undo: isPending ? holdsAgain : reopens },
  };
  if (!isPending) return [cancel];
  const confirm: Action = {
    label: 'Confirm',
    confirm: {
      title: `Confirm order ${orderNumber}?`,
      text: [
        `It counts as paid: ${priceOf(order)} for ${ticketsOf(order)}.`,
        'A confirmed order can only be cancelled.',
      ],
      yes: 'Confirm the order',
    },
    run: async () => await dataOf(client.POST('/v1/orders/{id}/confirm', { params })),
    done: { text: `Order ${orderNumber} is placed.` },
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

/** What is free again without the order. */
function givenBack({ items, coupons }: Order): string[] {
  const tickets = ticketsIn(items);
  return [
    ...(tickets === 0 ? [] : [`${count(tickets, 'ticket')} ${tickets === 1 ? 'goes' : 'go'} back on sale.`]),
    ...(coupons.length === 0 ? [] : [`One redemption of ${codesIn(coupons)} is free again.`]),
  ];
}

/** What an order takes when it comes back. */
function takenAgain(order: Order): string[] {
  const codes = order.coupons.length === 0 ? '' : ` and one redemption of ${codesIn(order.coupons)}`;
  return [
    `It takes ${ticketsOf(order)} again${codes}, for ${priceOf(order)} as before.`,
    'If they are gone by now, it stays as it is.',
  ];
}

function notRefunded(order: Order): string {
  return `The buyer paid ${priceOf(order)}. That is not paid back here: refund it where it was paid.`;
}

function priceOf({ costs }: Order): string {
  return money(costs.total, costs.currency);
}

function ticketsOf({ items }: Order): string {
  return count(ticketsIn(items), 'ticket');
}

function ticketsIn(items: Order['items']): number {
  return items.reduce((sum, { quantity }) => sum + quantity, 0);
}

/** `the code SUMMER20`, `each of the codes A and B`. */
function codesIn(coupons: Order['coupons']): string {
  const codes = coupons.map(({ code }) => code);
  return `${codes.length === 1 ? 'the code' : 'each of the codes'} ${codes.join(' and ')}`;
}

/** The seconds until an instant; 0 if it has passed. */
function secondsUntil(instant = ''): number {
  return Math.max(0, Math.ceil((Date.parse(instant) - Date.now()) / 1_000));
}

/** The seconds until an instant, but at least enough to do something about it. */
function secondsLeft(instant: string): number {
  return Math.max(60, secondsUntil(instant));
}

/** A status that is not the platform's own is the company's label on a placed order. */
export function orderBadge(status: string): string {
  if (status === 'cancelled' || status === 'expired') return 'badge';
  return status === 'pending' ? 'badge warn' : 'badge good';
}
