import { beforeAll, expect, test } from 'vitest';
import { type Services, sharedServices } from '../../../tests/harness/services.ts';
import { newReceiver, newWebhook, place } from './receiver.ts';

let services: Services;
beforeAll(async () => {
  services = await sharedServices();
}, 60_000);

test('an event that failed is sent again after five seconds', async () => {
  const company = services.newCompany();
  const server = await newReceiver();
  await newWebhook(company, { url: server.url, types: ['order.*'] });
  server.respond = () => (server.received.length === 1 ? 503 : 200);
  const order = await place(company);
  await expect
    .poll(() => server.events, { timeout: 15_000 })
    .toEqual([`order.placed ${order}`, `order.placed ${order}`]);
  expect(server.received[1]?.headers['webhook-id']).toBe(server.received[0]?.headers['webhook-id']);
});

test('an endpoint that is down gets everything once it is back, and no event loses an attempt meanwhile', async () => {
  const company = services.newCompany();
  const server = await newReceiver();
  const { id } = await newWebhook(company, { url: server.url, types: ['order.*'] });
  server.respond = () => 500;
  const orders = await Promise.all(Array.from({ length: 20 }, async () => place(company)));
  // Ten failures in a row, and then one probe after another.
  await expect.poll(() => server.received.length, { timeout: 15_000 }).toBeGreaterThan(11);
  const { counts, failingSince } = (await company.activity.get(`/webhooks/${id}`)).body.data;
  expect(failingSince).toEqual(expect.any(String));
  expect(counts).toMatchObject({ waiting: 0, parked: 0 });
  expect(counts.retrying).toBeLessThan(20);
  const failed = server.received.length;
  server.respond = () => 200;
  await expect
    .poll(() => new Set(server.received.slice(failed).map(({ entry }) => entry.subject)).size, { timeout: 30_000 })
    .toBe(orders.length);
  await expect.poll(async () => (await company.activity.get(`/webhooks/${id}`)).body.data.failingSince).toBeUndefined();
}, 60_000);
