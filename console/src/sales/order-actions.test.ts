import { type components, createClient } from '@event-commerce/client';
import { expect, it } from 'vitest';
import { orderActions } from './order-actions.ts';

type Order = components['schemas']['Order'];

const order = { id: 'ord_1', orderNumber: 'SUMMER-1' } as Order;

/** What each action of an order asks first, and the body that it sends. */
async function actionsOf(status: string, more: Partial<Order> = {}) {
  const bodies: string[] = [];
  const client = createClient({
    baseUrl: 'http://platform.test',
    fetch: async (request) => {
      bodies.push(await request.text());
      return Response.json({ status: 'ok', data: order });
    },
  });
  const actions = orderActions(client, { ...order, ...more, status });
  for (const { run } of actions) await run();
  return actions.map(({ label, confirm }, n) => ({ label, confirm, body: bodies[n] }));
}

it('an order that expired unpaid is held again, not placed', async () => {
  expect(await actionsOf('expired')).toMatchObject([
    { label: 'Hold for 15 minutes', body: JSON.stringify({ expiresInSeconds: 900 }) },
  ]);
});

it('a cancelled order may have been paid or not: reopening says that it counts as placed', async () => {
  expect(await actionsOf('cancelled')).toMatchObject([
    { label: 'Reopen', confirm: expect.stringContaining('without a payment') as string, body: '' },
    { label: 'Hold for 15 minutes', body: JSON.stringify({ expiresInSeconds: 900 }) },
  ]);
});

it('a pending order is confirmed only after a question, because that counts as paid', async () => {
  expect(await actionsOf('pending')).toMatchObject([
    { label: 'Confirm', confirm: 'Confirm order SUMMER-1? It counts as paid.' },
    { label: 'Cancel' },
  ]);
});

it('a pending order that expires gets more time from then on', async () => {
  const expiresAt = new Date(Date.now() + 60_000).toISOString();
  const [, extend] = await actionsOf('pending', { expiresAt });
  expect(extend).toMatchObject({ label: '15 minutes more', body: JSON.stringify({ expiresInSeconds: 960 }) });
});
