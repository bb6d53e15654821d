import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { orderBody } from '@event-commerce/test-kit';
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Company, type Services, sharedServices } from '../../../tests/harness/services.ts';

let services: Services;
beforeAll(async () => {
  services = await sharedServices();
}, 60_000);

interface Received {
  headers: IncomingHttpHeaders;
  text: string;
  entry: { id: string; type: string; subject: string; data: Record<string, unknown> };
}

/** A server of a company. `respond` decides its status; 204 by default. */
class Receiver {
  readonly received: Received[] = [];
  respond: (message: Received) => number | { status: number; headers: Record<string, string> } = () => 204;
  #server: Server | undefined;
  url = '';

  async start(): Promise<this> {
    this.#server = createServer((request, response) => {
      let text = '';
      request.setEncoding('utf8').on('data', (part: string) => (text += part));
      request.on('end', () => {
        const message = { headers: request.headers, text, entry: JSON.parse(text) };
        this.received.push(message);
        const answer = this.respond(message);
        const { status, headers } = typeof answer === 'number' ? { status: answer, headers: {} } : answer;
        response.writeHead(status, headers).end('seen');
      });
    });
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/hooks`;
    return this;
  }

  stop(): void {
    this.#server?.closeAllConnections();
    this.#server?.close();
  }

  /** The messages so far, as `type subject`. */
  get events(): string[] {
    return this.received.map(({ entry }) => `${entry.type} ${entry.subject}`);
  }
}

const receivers: Receiver[] = [];
const receiver = async () => {
  const one = await new Receiver().start();
  receivers.push(one);
  return one;
};
afterEach(() => {
  for (const one of receivers.splice(0)) one.stop();
});

const place = async ({ companyId, commerce }: Company): Promise<string> =>
  (await commerce.post('/orders', { order: orderBody(companyId).order })).body.data.order.id;
const cancel = async ({ commerce }: Company, id: string) => commerce.post(`/orders/${id}/cancel`, {});

async function newWebhook({ activity }: Company, body: object): Promise<any> {
  const { status, body: answer } = await activity.post('/webhooks', body);
  expect([status, answer]).toMatchObject([201, { data: { secret: expect.stringMatching(/^whsec_/) } }]);
  return answer.data;
}

/** The webhook receives nothing more than `events`: a mark that is sent last has arrived after them. */
const arrives = async (server: Receiver, events: string[]) =>
  expect.poll(() => server.events, { timeout: 15_000 }).toEqual(events);

describe('a webhook', () => {
  test('gets what happens, signed so that the library of Standard Webhooks accepts it', async () => {
    const company = services.newCompany();
    const server = await receiver();
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
    const server = await receiver();
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

  test('is retried by itself: after five seconds the event arrives', async () => {
    const company = services.newCompany();
    const server = await receiver();
    await newWebhook(company, { url: server.url, types: ['order.*'] });
    server.respond = () => (server.received.length === 1 ? 503 : 200);
    const order = await place(company);
    await expect
      .poll(() => server.events, { timeout: 15_000 })
      .toEqual([`order.placed ${order}`, `order.placed ${order}`]);
    expect(server.received[1]?.headers['webhook-id']).toBe(server.received[0]?.headers['webhook-id']);
  });

  test('that is down gets everything once it is back, and no event loses an attempt meanwhile', async () => {
    const company = services.newCompany();
    const server = await receiver();
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
    await expect
      .poll(async () => (await company.activity.get(`/webhooks/${id}`)).body.data.failingSince)
      .toBeUndefined();
  }, 60_000);

  test('that is paused gets nothing; active again, it gets what it missed, and a replay sends all of it again', async () => {
    const company = services.newCompany();
    const server = await receiver();
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
  });

  test('signs with both secrets after a rotation, and stops when it is deleted', async () => {
    const company = services.newCompany();
    const server = await receiver();
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
    const server = await receiver();
    const { id } = await newWebhook(company, { url: server.url, types: ['order.*'] });
    server.respond = () => 410;
    await place(company);
    await expect
      .poll(async () => (await company.activity.get(`/webhooks/${id}`)).body.data, { timeout: 10_000 })
      .toMatchObject({ status: 'paused', pausedBy: 'platform', statusReason: expect.stringContaining('410') });
  });

  test('does not follow a redirect', async () => {
    const company = services.newCompany();
    const [server, target] = [await receiver(), await receiver()];
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
    const server = await receiver();
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
