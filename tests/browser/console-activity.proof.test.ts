import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Client, dataOf } from '@event-commerce/client';
import { expect, onTestFinished, test } from 'vitest';
import { useConsole } from './console.ts';
import { newFestival, placeOrder } from './festival.ts';

const { openWithKey, look, act, agree, newCompany, url } = useConsole();

const newCoupon = async (client: Client, code: string) =>
  await dataOf(client.POST('/v1/coupons', { body: { code, percentOff: 10 } }));
const setPercent = async (client: Client, id: string, percentOff: number) =>
  await dataOf(client.PATCH('/v1/coupons/{id}', { params: { path: { id } }, body: { percentOff } }));

/** A server on this machine that answers `status` to every event, and keeps their types. */
async function newReceiver() {
  const received: string[] = [];
  const receiver = { url: '', status: 204, received };
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (part: string) => (text += part));
    request.on('end', () => {
      received.push((JSON.parse(text) as { type: string }).type);
      response.writeHead(receiver.status).end(receiver.status === 204 ? undefined : 'no room');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`;
  return receiver;
}

test('activity appears as it happens, newest first, and opens to what changed', async () => {
  const { key, client } = await newCompany();
  const { id } = await newCoupon(client, 'SUMMER');
  const page = await openWithKey('/console/activity', key);
  const lines = page.getByRole('list', { name: 'What happened' }).getByRole('listitem');
  const coupons = lines.filter({ hasText: 'Coupon SUMMER' });
  await expect.poll(() => coupons.allInnerTexts()).toEqual([expect.stringMatching(/Coupon SUMMER created/)]);
  await page.getByText('live', { exact: true }).waitFor();
  await setPercent(client, id, 15);
  await expect.poll(() => coupons.first().innerText()).toMatch(/Coupon SUMMER changed\s*percent off 10 → 15/);
  await coupons.first().locator('summary').click();
  await coupons.first().getByRole('heading', { name: 'Changes' }).waitFor();
  expect(await coupons.first().locator('del').innerText()).toBe('10');
  expect(await coupons.first().locator('ins').innerText()).toBe('15');
  expect(await coupons.first().locator('pre').innerText()).toContain('"code": "SUMMER"');
  const festival = await newFestival(client);
  await placeOrder(client, festival, { orderNumber: 'S-1' });
  await expect.poll(() => lines.filter({ hasText: 'Order S-1 placed, €52.50' }).count()).toBe(1);
  await look(page, 'activity');

  await page.getByLabel('About').selectOption('Coupons');
  await expect.poll(() => lines.count()).toBe(2);
  expect(page.url()).toContain('type=coupon');
  await page.reload();
  await expect.poll(() => lines.count()).toBe(2);
  await coupons.last().locator('summary').click();
  await page.getByRole('link', { name: `Everything about ${id}` }).click();
  await expect.poll(() => page.getByLabel('Record').inputValue()).toBe(id);
  // Until the record's list arrives, the previous list stays, with the entry that was opened.
  await expect.poll(() => page.locator('details[open]').count()).toBe(0);
  await coupons.first().locator('summary').click();
  await page.getByRole('link', { name: 'Open the record' }).click();
  await page.getByRole('heading', { name: 'Coupon SUMMER' }).waitFor();
});

test('activity misses and repeats nothing when the stream is cut, and is polled without a stream', async () => {
  const { key, client } = await newCompany();
  const { id } = await newCoupon(client, 'SUMMER');
  const page = await openWithKey(`/console/activity?subject=${id}`, key);
  const lines = page.getByRole('list', { name: 'What happened' }).getByRole('listitem');
  await page.getByText('live', { exact: true }).waitFor();
  const stream = '**/v1/activity/stream*';
  await page.route(stream, async (route) => route.abort());
  await page.reload();
  await page.getByText('every few seconds', { exact: true }).waitFor();
  await setPercent(client, id, 15);
  await expect.poll(() => lines.count()).toBe(2);
  await page.unroute(stream);
  await page.getByText('live', { exact: true }).waitFor();
  await setPercent(client, id, 20);
  await expect.poll(() => lines.count()).toBe(3);
  await expect
    .poll(() => lines.allInnerTexts())
    .toEqual([/15 → 20/, /10 → 15/, /created/].map((text) => expect.stringMatching(text)));

  await page.getByLabel('Record').fill('nothing');
  await page.getByRole('heading', { name: 'Nothing matches' }).waitFor();
});

test('a coupon, a campaign and an order show their history: who changed what, from what to what', async () => {
  const { key, client } = await newCompany({ name: 'Box office' });
  const { id } = await newCoupon(client, 'SUMMER');
  const page = await openWithKey(`/console/coupons/${id}`, key);
  const history = page.locator('section').filter({ has: page.getByRole('heading', { name: 'History' }) });
  await page.getByLabel('Percent', { exact: true }).fill('15');
  await page.getByRole('button', { name: 'Save' }).click();
  const changed = history.getByRole('listitem').first();
  await expect.poll(() => changed.innerText()).toMatch(/changed\s*Box office/i);
  expect(await changed.innerText()).toMatch(/percent off\s*10 → 15/);
  await look(page, 'coupon-history', { accessible: false });

  const effect = { kind: 'percentage_off' as const, percent: 10 };
  const body = { name: 'Early birds', targets: [{ urn: 'urn:v1::events:event/*' }], effect };
  const campaign = await dataOf(client.POST('/v1/pricing/adjustments', { body }));
  await page.goto(`${url()}/console/campaigns/${campaign.id}`);
  await page.getByRole('button', { name: 'Pause' }).click();
  await expect.poll(() => history.innerText()).toMatch(/status\s*active → paused/);

  const festival = await newFestival(client);
  await placeOrder(client, festival, { orderNumber: 'S-1' });
  const [order] = await dataOf(client.GET('/v1/orders'));
  await page.goto(`${url()}/console/sales/orders/${order?.id}`);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await agree(page, 'Cancel the order');
  await expect.poll(() => history.innerText()).toMatch(/cancelled\s*Box office/i);
  await look(page, 'order-history');
});

test('a key that may not see activity sees records without their history', async () => {
  const owner = await newCompany();
  const { id } = await newCoupon(owner.client, 'SUMMER');
  const { key } = await dataOf(
    owner.client.POST('/v1/admin/keys', { body: { name: 'Coupons', scopes: ['coupons:read', 'pricing:read'] } }),
  );
  const page = await openWithKey(`/console/coupons/${id}`, key);
  await page.getByRole('heading', { name: 'Coupon SUMMER' }).waitFor();
  await expect.poll(() => page.getByRole('heading', { name: 'History' }).count()).toBe(0);
});

test('a webhook is created, tested, paused, activated and deleted, and its secret is shown once', async () => {
  const { key } = await newCompany();
  const receiver = await newReceiver();
  const page = await openWithKey('/console/webhooks', key);
  await page.getByText('No webhooks yet').waitFor();
  await page.getByLabel('URL').fill('ftp://example.com');
  await page.getByRole('button', { name: 'Create webhook' }).click();
  await expect.poll(() => page.getByRole('alert').allInnerTexts()).toContainEqual(expect.stringMatching(/^url: /));
  await page.getByLabel('URL').fill(receiver.url);
  await page.getByLabel('Types').fill('coupon.*, order.placed');
  await page.getByLabel('Description').fill('Web shop');
  await page.getByRole('button', { name: 'Create webhook' }).click();
  const shown = page.getByRole('region', { name: 'The secret' });
  const secret = await shown.locator('code').innerText();
  expect(secret).toMatch(/^whsec_/);
  const row = page.getByRole('row').filter({ hasText: 'Web shop' });
  await expect.poll(() => row.innerText()).toContain('coupon.*, order.placed');
  await look(page, 'webhooks');
  await shown.getByRole('button', { name: 'Done' }).click();
  expect(await page.locator('main').innerText()).not.toContain(secret);

  await act(page, 'Web shop', 'Pause');
  await expect.poll(() => row.innerText()).toContain('paused');
  await act(page, 'Web shop', 'Activate');
  await expect.poll(() => row.innerText()).toContain('active');

  await row.getByRole('link', { name: 'Web shop' }).click();
  await page.getByRole('button', { name: 'Send a test event' }).click();
  await page.getByText('Test event: Response 204').waitFor();
  expect(receiver.received).toEqual(['webhook.test']);
  await page.getByRole('button', { name: 'Rotate the secret' }).click();
  await agree(page, 'Make a new secret');
  const rotated = await shown.locator('code').innerText();
  expect(rotated).toMatch(/^whsec_/);
  expect(rotated).not.toBe(secret);
  await page.getByRole('button', { name: 'Delete' }).click();
  expect(await agree(page, 'Delete the webhook')).toContain(receiver.url);
  await page.getByText('No webhooks yet').waitFor();
});

test('the deliveries of a webhook show what failed and why, and can be sent again', async () => {
  const { key, client } = await newCompany();
  const receiver = await newReceiver();
  receiver.status = 500;
  const body = { url: receiver.url, types: ['coupon.*'] };
  const webhook = await dataOf(client.POST('/v1/webhooks', { body }));
  const { id } = await newCoupon(client, 'SUMMER');
  await expect.poll(() => receiver.received).toEqual(['coupon.created']);
  await setPercent(client, id, 15);
  const page = await openWithKey('/console/webhooks', key);
  const list = page.getByRole('row').filter({ hasText: new URL(receiver.url).host });
  await expect.poll(() => list.innerText()).toContain('Failing since');
  await expect.poll(() => list.innerText()).toContain('1 waiting');
  await list.getByRole('link', { name: '1 retrying' }).click();
  await expect.poll(() => new URL(page.url()).pathname).toBe(`/console/webhooks/${webhook.id}`);
  expect(await page.getByLabel('Delivery status').inputValue()).toBe('retrying');
  const row = page.getByRole('row').filter({ hasText: 'coupon.created' });
  await expect.poll(() => row.innerText()).toContain('Response 500');
  await page.getByLabel('Delivery status').selectOption('Any');
  await page.getByRole('row').filter({ hasText: 'coupon.updated' }).getByText('waiting', { exact: true }).waitFor();
  await row.locator('summary').click();
  await row.getByText('no room').first().waitFor();
  await look(page, 'deliveries');

  await row.getByRole('button', { name: /^Send again coupon.created/ }).click();
  await expect
    .poll(() => page.getByRole('alert').allInnerTexts())
    .toContainEqual(expect.stringMatching(/^It did not arrive. Response 500/));
  receiver.status = 204;
  await row.getByRole('button', { name: /^Send again coupon.created/ }).click();
  await expect.poll(() => row.innerText()).toContain('delivered');
  const next = page.getByRole('row').filter({ hasText: 'coupon.updated' });
  await expect.poll(() => next.innerText()).toContain('delivered');
  await page.getByLabel('Delivery status').selectOption('Retrying');
  await page.getByText('No delivery of this status').waitFor();
});
