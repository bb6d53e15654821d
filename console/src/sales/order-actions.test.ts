import { type components, createClient } from '@event-commerce/client';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { orderActions } from './order-actions.ts';

type Order = components['schemas']['Order'];

const order = {
  id: 'ord_1',
  orderNumber: 'SUMMER-1',
  items: [{ quantity: 3 }, { quantity: 1 }],
  costs: { total: 16_000, currency: 'EUR' },
  coupons: [{ code: 'SUMMER20' }],
} as Order;

/** What each action of an order asks first, and the bodies that it and its undo send. */
async function actionsOf(status: string, more: Partial<Order> = {}) {
  let sent: string[] = [];
  const client = createClient({
    baseUrl: 'http://platform.test',
    fetch: async (request) => {
      sent.push([new URL(request.url).pathname.split('/').at(-1), await request.text()].join(' ').trim());
      return Response.json({ status: 'ok', data: order });
    },
  });
  const actions = [];
  for (const { label, confirm, run, done } of orderActions(client, { ...order, ...more, status })) {
    sent = [];
    await run();
    await done?.undo?.();
    actions.push({ label, asks: confirm?.text.join(' '), sent });
  }
  return actions;
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const hold = (seconds: number) => `reopen ${JSON.stringify({ expiresInSeconds: seconds })}`;

it('an order that expired unpaid is held again, not placed', async () => {
  expect(await actionsOf('expired')).toMatchObject([{ label: 'Hold for 15 minutes', sent: [hold(900)] }]);
});

it('a cancelled order may have been paid or not: reopening says that it counts as placed', async () => {
  expect(await actionsOf('cancelled')).toMatchObject([
    { label: 'Reopen', asks: expect.stringContaining('without a payment') as string, sent: ['reopen', 'cancel'] },
    { label: 'Hold for 15 minutes', sent: [hold(900)] },
  ]);
});

it('a pending order is confirmed only after a question, because that counts as paid', async () => {
  expect(await actionsOf('pending')).toMatchObject([
    { label: 'Confirm', asks: expect.stringContaining('It counts as paid: €160.00 for 4 tickets.') as string },
    { label: 'Cancel' },
  ]);
});

it('cancelling says what becomes free and what is not paid back, and is undone by reopening', async () => {
  expect(await actionsOf('placed')).toEqual([
    {
      label: 'Cancel',
      asks: '4 tickets go back on sale. One redemption of the code SUMMER20 is free again. The buyer paid €160.00. That is not paid back here: refund it where it was paid.',
      sent: ['cancel', 'reopen'],
    },
  ]);
});

it('a pending order that was cancelled is held again for the time that it had left, not placed', async () => {
  const expiresAt = new Date(Date.now() + 300_000).toISOString();
  const [, , cancel] = await actionsOf('pending', { expiresAt });
  expect(cancel).toMatchObject({ label: 'Cancel', sent: ['cancel', hold(300)] });
  const [, endless] = await actionsOf('pending');
  expect(endless).toMatchObject({ label: 'Cancel', sent: ['cancel'] });
});

it('a pending order that expires gets more time from then on', async () => {
  const expiresAt = new Date(Date.now() + 60_000).toISOString();
  const [, extend] = await actionsOf('pending', { expiresAt });
  expect(extend).toMatchObject({
    label: '15 minutes more',
    sent: [`extend ${JSON.stringify({ expiresInSeconds: 960 })}`],
  });
});
