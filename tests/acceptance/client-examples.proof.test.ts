import { createClient, dataOf } from '@event-commerce/client';
import { Webhook } from 'standardwebhooks';
import { beforeAll, expect, test } from 'vitest';
import { confirmPayment } from '../../libs/client/examples/confirm-payment.ts';
import { guestList } from '../../libs/client/examples/guest-list.ts';
import { returnOneTicket } from '../../libs/client/examples/return-a-ticket.ts';
import { checkOut } from '../../libs/client/examples/sell-tickets.ts';
import { receive } from '../../libs/client/examples/webhook.ts';
import { sharedPlatform, type SharedPlatform } from '../harness/platform.ts';

// The examples in the client's README, run as they are, against the platform.

let platform: SharedPlatform;
beforeAll(async () => {
  platform = await sharedPlatform();
});

test('the examples of the client sell two tickets, confirm them, return one, and list who comes', async () => {
  const { key: apiKey } = await platform.newCompany({ companyId: 'demo' });
  const client = createClient({ baseUrl: platform.url, apiKey });
  const { id: eventId } = await dataOf(client.POST('/v1/events', { body: { name: 'Gala', capacity: 10 } }));
  const price = { amount: 5000, currency: 'EUR' };
  const params = { path: { id: eventId } };
  const offering = await dataOf(client.POST('/v1/events/{id}/offerings', { params, body: { name: 'Ticket', price } }));
  await client.POST('/v1/coupons', { body: { code: 'SUMMER20', percentOff: 20, contextIds: [eventId] } });

  const placed = await checkOut(client, `cart-${eventId}`, offering.id, 'SUMMER20');
  expect(placed?.order).toMatchObject({ status: 'pending', costs: { total: 8000 } });
  const orderId = placed?.order.id ?? '';
  expect(await confirmPayment(client, orderId, 8000)).toMatchObject({ status: 'placed' });
  expect(await returnOneTicket(client, orderId)).toBe(4000);
  expect(await guestList(client, eventId)).toEqual(new Set(['ada@example.com']));
});

test('the example of a receiver stores a message that is signed, and refuses any other', async () => {
  const secret = `whsec_${Buffer.from('a secret of the tests, 24 bytes').toString('base64')}`;
  const body = JSON.stringify({ id: 'evt-1', type: 'order.placed' });
  const signedAt = new Date();
  const requestWith = (signature: string) =>
    new Request('http://shop.test/webhooks', {
      method: 'POST',
      body,
      headers: {
        'webhook-id': 'evt-1',
        'webhook-timestamp': String(Math.floor(signedAt.getTime() / 1_000)),
        'webhook-signature': signature,
      },
    });
  const stored: unknown[] = [];
  const store = async (event: unknown) => void stored.push(event);
  const signature = new Webhook(secret).sign('evt-1', signedAt, body);
  expect((await receive(requestWith(signature), secret, store)).status).toBe(204);
  expect((await receive(requestWith('v1,AAAA'), secret, store)).status).toBe(401);
  expect(stored).toEqual([{ id: 'evt-1', type: 'order.placed' }]);
});
