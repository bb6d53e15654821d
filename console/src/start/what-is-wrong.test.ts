import type { components } from '@event-commerce/client';
import { expect, it } from 'vitest';
import {
  calledOffTroubles,
  nearlySoldOut,
  pendingTroubles,
  topEvents,
  unsoldTroubles,
  webhookTroubles,
} from './what-is-wrong.ts';

type Schemas = components['schemas'];

const webhook = { id: 'whk_1', url: 'https://shop.example/hook', status: 'active', types: ['*'] } as const;
const counts = { retrying: 0, waiting: 0, parked: 0 };

it('a webhook that fails or gave up is named with the reason, one that is well is not', () => {
  const webhooks = [
    { ...webhook, counts },
    { ...webhook, id: 'whk_2', description: 'Accounting', counts: { ...counts, parked: 3 } },
    { ...webhook, id: 'whk_3', status: 'paused', pausedBy: 'platform', counts },
  ] as unknown as Schemas['Webhook'][];
  expect(webhookTroubles(webhooks)).toEqual([
    { text: 'Webhook “Accounting” does not deliver', about: '3 events given up.', href: '/console/webhooks/whk_2' },
    {
      text: 'Webhook “shop.example” does not deliver',
      about: 'Paused by the platform.',
      href: '/console/webhooks/whk_3',
    },
  ]);
});

it('one order that waits for long is named; several lead to their search', () => {
  const nowMs = Date.parse('2027-07-10T12:00:00Z');
  const orders = [
    { id: 'ord_2', orderNumber: 'S-2', createdAt: '2027-07-10T10:00:00.000Z' },
    { id: 'ord_1', orderNumber: 'S-1', createdAt: '2027-07-08T12:00:00.000Z' },
  ] as Schemas['Order'][];
  expect(pendingTroubles([], false, nowMs)).toEqual([]);
  expect(pendingTroubles(orders.slice(0, 1), false, nowMs)).toMatchObject([
    { text: 'Order S-2 is awaiting payment', href: '/console/sales/orders/ord_2' },
  ]);
  const [several] = pendingTroubles(orders, false, nowMs);
  expect(several?.text).toBe('2 orders are awaiting payment');
  expect(several?.about).toContain('2 days ago');
  expect(pendingTroubles(orders, true, nowMs)[0]?.text).toBe('More than 2 orders are awaiting payment');
});

const event = (id: string, sold: number, left: number | null, prices = 1) =>
  ({
    id,
    name: id,
    status: 'published',
    availability: {
      sold,
      held: 0,
      left,
      lowestPrices: Array.from({ length: prices }, () => ({ amount: 5000, currency: 'EUR' })),
    },
  }) as Schemas['Event'];

it('an event is nearly sold out from its last tenth on; what is sold out comes last', () => {
  const events = [
    event('half', 50, 50),
    event('gone', 100, 0),
    event('nearly', 95, 5),
    event('endless', 500, null),
    event('tenth', 90, 10),
  ];
  expect(nearlySoldOut(events, 5).map(({ id }) => id)).toEqual(['nearly', 'tenth', 'gone']);
});

it('the events that sell most come first; those that sell nothing are not among them', () => {
  const events = [event('some', 5, 10), event('none', 0, 10), event('most', 50, 10)];
  expect(topEvents(events, 5).map(({ id }) => id)).toEqual(['most', 'some']);
  expect(topEvents(events, 1)).toHaveLength(1);
});

it('a published event without an offering is named, one that sells or sold is not', () => {
  const events = [
    event('empty', 0, null, 0),
    event('endless', 0, null),
    event('over', 3, null, 0),
    event('full', 9, 0, 0),
  ];
  expect(unsoldTroubles(events).map(({ text }) => text)).toEqual(['empty sells nothing yet']);
});

it('a called-off event is named while tickets of it are in orders', () => {
  const calledOff = { ...event('Gala', 3, 0), status: 'cancelled' } as const;
  expect(calledOffTroubles([calledOff])[0]?.text).toBe('Gala is called off, and 3 tickets are still in orders');
  expect(calledOffTroubles([{ ...event('Gala', 0, 0), status: 'cancelled' }, event('Ball', 3, 0)])).toEqual([]);
});
