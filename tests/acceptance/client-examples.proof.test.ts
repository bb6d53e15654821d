import { createClient } from '@event-commerce/client';
import { Webhook } from 'standardwebhooks';
import { beforeAll, describe, expect, test } from 'vitest';
import { confirmPayment } from '../../libs/client/examples/confirm-payment.ts';
import { guestList } from '../../libs/client/examples/guest-list.ts';
import { returnOneTicket } from '../../libs/client/examples/return-a-ticket.ts';
import { checkOut } from '../../libs/client/examples/sell-tickets.ts';
import { createShop } from '../../libs/client/examples/shop.ts';
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
  const { id: eventId } = await client.events.create({ name: 'Gala', capacity: 10 });
  const offering = await client.offerings.create(eventId, { name: 'Ticket', price: { amount: 5000, currency: 'EUR' } });
  await client.coupons.create({ code: 'EXAMPLE20', percentOff: 20, contextIds: [eventId] });

  const placed = await checkOut(client, `cart-${eventId}`, offering.id, 'EXAMPLE20');
  expect(placed?.order).toMatchObject({ status: 'pending', costs: { total: 8000 } });
  const orderId = placed?.order.id ?? '';
  expect(await confirmPayment(client, orderId, 8000)).toMatchObject({ status: 'placed' });
  expect(await returnOneTicket(client, orderId)).toBe(4000);
  expect(await guestList(client, eventId)).toEqual(new Set(['ada@example.com']));
});

describe('the example of a shop', () => {
  /** A shop for an event with three tickets. Its key can do only what a shop does. */
  async function openShop() {
    const { companyId, key } = await platform.newCompany();
    const scopes = ['events:read', 'carts:write', 'orders:checkout'];
    const { key: apiKey } = await platform.newCompany({ companyId, scopes });
    const owner = createClient({ baseUrl: platform.url, apiKey: key });
    const { id: eventId } = await owner.events.create({ name: 'Gala <b>', capacity: 3 });
    const price = { amount: 5000, currency: 'EUR' };
    const { id: offeringId } = await owner.offerings.create(eventId, { name: 'Ticket', price });
    const client = createClient({ baseUrl: platform.url, apiKey });
    return { owner, offeringId, shop: createShop({ client, companyId, organizerId: 'org_1', eventId }) };
  }

  /** A buyer's browser: it follows redirects, and keeps cookies and the hidden fields of the page it shows. */
  function browserOf(shop: ReturnType<typeof createShop>) {
    const cookies = new Map<string, string>();
    let hidden: Record<string, string> = {};
    return async function visit(path: string, form?: Record<string, string>): Promise<string> {
      const answer = await shop.request(`https://shop.test${path}`, {
        headers: {
          cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
          origin: 'https://shop.test',
          ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
        },
        ...(form && { method: 'POST', body: new URLSearchParams({ ...hidden, ...form }).toString() }),
      });
      for (const cookie of answer.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^(\w+)=([^;]*)/.exec(cookie) ?? [];
        if (cookie.includes('Max-Age=0')) cookies.delete(name);
        else cookies.set(name, value);
      }
      const next = answer.headers.get('location');
      if (next !== null) return await visit(next);
      const text = await answer.text();
      hidden = Object.fromEntries(
        [...text.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)].map(([, name, value]) => [name, value]),
      );
      return text;
    };
  }

  test('sells what its pages show: the price with the code, and an order that waits for the payment', async () => {
    const { owner, offeringId, shop } = await openShop();
    await owner.coupons.create({ code: 'SUMMER20', percentOff: 20 });
    const visit = browserOf(shop);
    expect(await visit('/')).toMatch(/Gala &lt;b&gt;[^]*Ticket, €50\.00[^]*Put into the cart/);
    expect(await visit('/cart', { offeringId, quantity: '2', code: 'WINTER' })).toContain('WINTER: ');
    expect(await visit('/cart', { offeringId, quantity: '2', code: 'SUMMER20' })).toContain('Total: €80.00');
    expect(await visit('/order', { email: 'ada@example.com' })).toContain('Please pay €80.00 until ');
    expect(await visit('/order', { email: 'ada@example.com' })).toContain('Please pay €80.00 until ');

    const orders = await owner.orders.list();
    expect(orders).toMatchObject([{ status: 'pending', costs: { total: 8000 } }]);
    await confirmPayment(owner, orders[0]?.id ?? '', 8000);
    expect(await visit('/order')).toContain('The order is placed.');
  });

  test('places one order however often the button is pressed', async () => {
    const { owner, offeringId, shop } = await openShop();
    const visit = browserOf(shop);
    await visit('/cart', { offeringId, quantity: '1' });
    const clicks = await Promise.all([1, 2, 3].map(async () => visit('/order', { email: 'ada@example.com' })));
    expect(clicks.filter((text) => text.includes('Please pay €50.00'))).toHaveLength(3);
    expect(await owner.orders.list()).toHaveLength(1);
  });

  test('shows the new price before anybody pays it', async () => {
    const { owner, offeringId, shop } = await openShop();
    const visit = browserOf(shop);
    await visit('/cart', { offeringId, quantity: '1' });
    await owner.offerings.update(offeringId, { price: { amount: 6000, currency: 'EUR' } });
    expect(await visit('/order', { email: 'ada@example.com' })).toMatch(/price has changed[^]*Total: €60\.00/);
    expect(await visit('/order', { email: 'ada@example.com' })).toContain('Please pay €60.00');
  });

  test('says that somebody was faster, and sells the tickets that are left', async () => {
    const { owner, offeringId, shop } = await openShop();
    const [slow, fast] = [browserOf(shop), browserOf(shop)];
    await slow('/cart', { offeringId, quantity: '3' });
    await fast('/cart', { offeringId, quantity: '2' });
    await fast('/order', { email: 'bob@example.com' });
    const [order] = await owner.orders.list();
    await owner.orders.confirm(order?.id ?? '');
    expect(await slow('/order', { email: 'ada@example.com' })).toContain('Somebody was faster');
    await slow('/cart', { offeringId, quantity: '1' });
    expect(await slow('/order', { email: 'ada@example.com' })).toContain('Please pay €50.00');
    expect(await slow('/')).toContain('Sold out');
  });

  test('says what is wrong with an address, and accepts no form from another site', async () => {
    const { offeringId, shop } = await openShop();
    const visit = browserOf(shop);
    await visit('/cart', { offeringId, quantity: '1' });
    expect(await visit('/order', { email: 'ada' })).toMatch(/role="alert">[^<]*e-?mail/i);
    const foreign = { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://evil.test' };
    const answer = await shop.request('https://shop.test/cart', {
      method: 'POST',
      headers: foreign,
      body: 'quantity=1',
    });
    expect(answer.status).toBe(403);
  });
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
