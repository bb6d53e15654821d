import { setTimeout as delay } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Services, sharedServices } from '../../../tests/harness/services.ts';
import { cancel, newReceiver, newWebhook, place, type Received, type Receiver } from './receiver.ts';

let services: Services;
beforeAll(async () => {
  services = await sharedServices();
}, 60_000);

const arrives = async (server: Receiver, events: string[]) =>
  expect.poll(() => server.events, { timeout: 15_000 }).toEqual(events);

describe('a webhook', () => {
  test('gets what happens, signed so that the library of Standard Webhooks accepts it', async () => {
    const company = services.newCompany();
    const server = await newReceiver();
    const { id, secret } = await newWebhook(company, { url: server.url, types: ['order.*'] });
    const order = await place(company);
    await arrives(server, [`order.placed ${order}`]);
    const [{ headers, text, entry }] = server.received as [Received];
    const asSent = headers as Record<string, string>;
    expect(new Webhook(secret).verify(text, asSent)).toEqual(entry);
    expect(() => new Webhook(secret).verify(text.replace('placed', 'praised'), asSent)).toThrow('signature');
    expect(headers['webhook-id']).toBe(entry.id);
    const listed = (await company.activity.get(`/activity?subject=${order}`)).body.data;
    const { cursor: _, ...sent } = listed[0];
    expect(entry).toEqual(sent);
    const shown = (await company.activity.get(`/webhooks/${id}`)).body.data;
    expect(shown).not.toHaveProperty('secret');
    expect((await company.activity.get('/webhooks')).body.data).toEqual([shown]);
    await expect
      .poll(async () => (await company.activity.get(`/webhooks/${id}/deliveries`)).body.data)
      .toMatchObject([{ eventId: entry.id, status: 'delivered', attempts: [{ responseStatus: 204 }] }]);
  });

  test('gets later events of other records while one is retried, and those of the same record after it', async () => {
    const company = services.newCompany();
    const server = await newReceiver();
    const { id } = await newWebhook(company, { url: server.url, types: ['order.*'] });
    let ill = '';
    server.respond = ({ entry }) => (entry.subject === ill ? 500 : 204);
    ill = await place(company);
    await arrives(server, [`order.placed ${ill}`]);
    await cancel(company, ill);
    const other = await place(company);
    await arrives(server, [`order.placed ${ill}`, `order.placed ${other}`]);
    const deliveries = async (status: string) =>
      (await company.activity.get(`/webhooks/${id}/deliveries?status=${status}`)).body.data;
    await expect.poll(async () => deliveries('waiting')).toMatchObject([{ type: 'order.cancelled', subject: ill }]);
    const [retried] = await deliveries('retrying');
    expect(retried).toMatchObject({
      type: 'order.placed',
      attempts: [{ error: 'status', responseStatus: 500, responseBody: 'seen' }],
    });
    expect((await company.activity.get(`/webhooks/${id}`)).body.data.counts).toEqual({
      retrying: 1,
      waiting: 1,
      parked: 0,
    });

    server.respond = () => 200;
    const resent = await company.activity.post(`/webhooks/${id}/deliveries/${retried.eventId}/resend`, {});
    expect(resent).toMatchObject({ status: 200, body: { data: { responseStatus: 200 } } });
    await expect
      .poll(() => server.events.slice(2), { timeout: 10_000 })
      .toEqual([`order.placed ${ill}`, `order.cancelled ${ill}`]);
    expect(server.received.filter(({ entry }) => entry.id === retried.eventId)).toHaveLength(2);
    await expect
      .poll(async () => (await company.activity.get(`/webhooks/${id}`)).body.data.counts)
      .toMatchObject({ retrying: 0, waiting: 0 });
  });

  test('that is paused gets nothing; active again, it gets what it missed, and a replay sends all of it again', async () => {
    const company = services.newCompany();
    const server = await newReceiver();
    const start = (await company.activity.get('/activity?after=now')).body.page.next;
    const { id } = await newWebhook(company, { url: server.url, types: ['order.*'] });
    const before = await place(company);
    await arrives(server, [`order.placed ${before}`]);
    expect((await company.activity.patch(`/webhooks/${id}`, { status: 'paused' })).body.data).toMatchObject({
      status: 'paused',
      pausedBy: 'company',
    });
    // An attempt may begin within a second of the response.
    await delay(1_000);
    const refused = await company.activity.post(`/webhooks/${id}/replay`, { after: start });
    expect([refused.status, refused.body.error.code]).toEqual([409, 'WEBHOOK_NOT_ACTIVE']);
    const missed = await place(company);
    await expect
      .poll(async () => (await company.activity.get(`/webhooks/${id}`)).body.data.oldestUndeliveredAt)
      .toEqual(expect.any(String));
    expect(server.events).toEqual([`order.placed ${before}`]);
    await company.activity.patch(`/webhooks/${id}`, { status: 'active' });
    await arrives(server, [`order.placed ${before}`, `order.placed ${missed}`]);
    const { status, body } = await company.activity.post(`/webhooks/${id}/replay`, { after: start });
    expect([status, body.data.status]).toEqual([202, 'running']);
    await expect
      .poll(async () => (await company.activity.get(`/webhooks/${id}/replays/${body.data.id}`)).body.data, {
        timeout: 10_000,
      })
      .toMatchObject({ status: 'done', sent: 2 });
    const ids = server.received.map(({ entry }) => entry.id);
    expect(ids.slice(2).toSorted()).toEqual(ids.slice(0, 2).toSorted());
    for (const [types, sent] of [
      [['*'], 2],
      [['order.placed'], 2],
      [['order.*'], 2],
      [['coupon.*'], 0],
    ] as const) {
      const { data } = (await company.activity.post(`/webhooks/${id}/replay`, { after: start, types })).body;
      await expect
        .poll(async () => (await company.activity.get(`/webhooks/${id}/replays/${data.id}`)).body.data)
        .toMatchObject({ status: 'done', sent });
    }
  });

  test('signs with both secrets after a rotation, and stops when it is deleted', async () => {
    const company = services.newCompany();
    const server = await newReceiver();
    const { id, secret } = await newWebhook(company, { url: server.url, types: ['order.placed'] });
    const rotated = (await company.activity.post(`/webhooks/${id}/secret/rotate`, {})).body.data;
    const order = await place(company);
    await arrives(server, [`order.placed ${order}`]);
    const [{ headers, text }] = server.received as [Received];
    for (const one of [secret, rotated.secret]) {
      expect(new Webhook(one).verify(text, headers as Record<string, string>)).toMatchObject({ subject: order });
    }
    expect((await company.activity.delete(`/webhooks/${id}`)).status).toBe(200);
    expect((await company.activity.get(`/webhooks/${id}`)).body.error.code).toBe('WEBHOOK_NOT_FOUND');
    const types = async () =>
      (await company.activity.get(`/activity?subject=${id}`)).body.data.map(({ type }: { type: string }) => type);
    await expect.poll(types).toEqual(['webhook.deleted', 'webhook.updated', 'webhook.created']);
  });

  test('that responds 410 is paused, and says why', async () => {
    const company = services.newCompany();
    const server = await newReceiver();
    const { id } = await newWebhook(company, { url: server.url, types: ['order.*'] });
    server.respond = () => 410;
    await place(company);
    await expect
      .poll(async () => (await company.activity.get(`/webhooks/${id}`)).body.data, { timeout: 10_000 })
      .toMatchObject({ status: 'paused', pausedBy: 'platform', statusReason: expect.stringContaining('410') });
  });

  test('does not follow a redirect', async () => {
    const company = services.newCompany();
    const [server, target] = [await newReceiver(), await newReceiver()];
    const { id } = await newWebhook(company, { url: server.url, status: 'paused' });
    server.respond = () => ({ status: 302, headers: { location: target.url } });
    const { body } = await company.activity.post(`/webhooks/${id}/test`, {});
    expect(body.data).toMatchObject({ error: 'redirect', responseStatus: 302 });
    expect(server.received).toMatchObject([{ entry: { type: 'webhook.test', data: { test: true } } }]);
    expect(target.received).toEqual([]);
  });

  test('gets only what the key that created it may read', async () => {
    const company = services.newCompany();
    const limited = company.activity.as('webhooks:write', 'orders:read');
    const refused = await limited.post('/webhooks', {
      url: 'https://example.com',
      types: ['order.*', 'coupon.updated'],
    });
    expect(refused.body.error).toMatchObject({ code: 'FORBIDDEN', message: expect.stringContaining('coupons:read') });
    const server = await newReceiver();
    expect((await limited.post('/webhooks', { url: server.url })).status).toBe(201);
    await company.commerce.post('/coupons', { code: 'NO', percentOff: 10 });
    const order = await place(company);
    await expect.poll(() => server.events, { timeout: 10_000 }).toContain(`order.placed ${order}`);
    expect(server.events.filter((one) => one.startsWith('coupon'))).toEqual([]);
  });

  test.each([
    [{ url: 'https://169.254.169.254/' }, 'url'],
    [{ url: 'https://[::ffff:10.0.0.1]/' }, 'url'],
    [{ url: 'https://u:p@example.com/' }, 'url'],
    [{ url: 'ftp://example.com/' }, 'url'],
    [{ url: 'example.com' }, 'url'],
    [{ url: 'https://example.com/#top' }, 'url'],
    [{ url: 'https://example.com/', types: ['keys.x'] }, 'types'],
    [{ url: 'https://example.com/', types: ['Order'] }, 'types'],
    [{ url: 'https://example.com/', types: [] }, 'types'],
  ])('%j is refused, naming the field', async (input, path) => {
    const { status, body } = await services.newCompany().activity.post('/webhooks', input);
    expect([status, body.error.details[0].path]).toEqual([400, expect.stringContaining(path)]);
  });
});
