import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { tenantOf } from '@event-commerce/contracts';
import { orderBody, proofSize } from '@event-commerce/test-kit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seededRandom } from '../../../tests/faults/seeded-random.ts';
import { type Company, type Services, startServices } from '../../../tests/harness/services.ts';

let services: Services;
beforeAll(async () => {
  services = await startServices({
    replicas: { commerce: 1, pricing: 1, events: 1, activity: 2 },
    asProcesses: ['activity'],
  });
});
afterAll(async () => services?.stop());

/** As many as the project promises, with PROOFS=full. */
const KILLS = proofSize(3, 200);
const LARGE_BYTES = 10 * 1024 * 1024;
/** How a response goes wrong. Most do not, so that there is something to lose. */
const ILLS = ['hang', 'drip', 'reset', 'redirect', 'error', 'large'] as const;
const ILL_SHARE = 0.4;

/** A server that takes every event, and answers many of them with anything but success. */
async function hostileReceiver(random: () => number) {
  const received: string[] = [];
  const acknowledged = new Set<string>();
  const sockets = new Set<Socket>();
  let isWell = false;

  const dripOn = async (response: ServerResponse) => {
    response.writeHead(200);
    for (let n = 0; n < 20 && !response.destroyed; n++) {
      response.write('.');
      await delay(100);
    }
    response.end();
  };
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (part: string) => (text += part));
    request.on('end', () => {
      const { id } = JSON.parse(text) as { id: string };
      received.push(id);
      const ill = isWell || random() > ILL_SHARE ? undefined : ILLS[Math.floor(random() * ILLS.length)];
      if (ill === undefined || ill === 'drip' || ill === 'large') acknowledged.add(id);
      if (ill === 'reset') request.socket.resetAndDestroy();
      else if (ill === 'redirect') response.writeHead(302, { location: '/elsewhere' }).end();
      else if (ill === 'error') response.writeHead(500).end('no');
      else if (ill === 'drip') void dripOn(response);
      else if (ill === 'large') response.writeHead(200).end(Buffer.alloc(LARGE_BYTES, 'x'));
      else if (ill !== 'hang') response.writeHead(204).end();
    });
    request.on('error', () => undefined);
    response.on('error', () => undefined);
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => undefined);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const endConnections = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    received,
    acknowledged,
    becomeWell: () => {
      isWell = true;
      endConnections();
    },
    stop: () => {
      server.close();
      endConnections();
    },
  };
}

/** Places orders, and cancels every second one, until `stopped`. */
async function trade({ companyId, commerce }: Company, stopped: AbortSignal): Promise<void> {
  for (let n = 0; !stopped.aborted; n++) {
    const { status, body } = await commerce.post('/orders', { order: orderBody(companyId).order });
    expect([status, body.error]).toEqual([201, undefined]);
    if (n % 2 === 0) await commerce.post(`/orders/${body.data.order.id}/cancel`, {});
    // In a long run, hanging endpoints would fall further and further behind.
    await delay(proofSize(100, 250));
  }
}

test(
  'killed again and again before a hostile endpoint, the service loses no event: each published one is in the log, and arrives',
  async () => {
    const seed = Date.now();
    const random = seededRandom(seed);
    const company = services.newCompany();
    const { entries, deliveries, webhooks } = services.models.activity;
    const { orders } = services.models.commerce;
    const server = await hostileReceiver(random);
    const types = ['order.*'];
    const created = await company.activity.post('/webhooks', { url: server.url, types });
    expect(created.status).toBe(201);
    const webhookId: string = created.body.data.id;

    const enough = new AbortController();
    const trading = Promise.all([1, 2].map(async () => trade(company, enough.signal)));
    const replicas = services.replicas.activity;
    for (let n = 0; n < KILLS; n++) {
      const receivedBefore = server.received.length;
      // Every second kill waits until another replica has taken over; the others come at any moment.
      if (n % 2 === 0) {
        await expect
          .poll(() => server.received.length, { timeout: 30_000, message: `after ${n} kills; seed ${seed}` })
          .toBeGreaterThan(receivedBefore);
      }
      await Promise.race([delay(random() * 1_500), trading]);
      const victims = n % 5 === 4 ? replicas : replicas.filter((_, number) => number === Math.floor(n / 2) % 2);
      await Promise.all(victims.map(async (victim) => victim.kill9()));
      await Promise.all(victims.map(async (victim) => victim.restart()));
    }
    enough.abort();
    await trading;
    server.becomeWell();

    const tenant = tenantOf({ companyId: company.companyId, environment: 'live' });
    const idsInLog = async () => {
      const found = await entries.find({ companyId: tenant, type: /^order\./ }, { _id: 1 });
      return found.map(({ _id }) => _id).toSorted();
    };
    const published = () =>
      company
        .published()
        .filter(({ type }) => type.startsWith('order.'))
        .map(({ id }) => id)
        .toSorted();
    // What is published later than the responses would be expected neither in the log nor at the endpoint.
    const unpublished = async () => orders.countDocuments({ companyId: tenant, 'outbox.0': { $exists: true } });
    await expect.poll(unpublished, { timeout: 20_000 }).toBe(0);
    await expect.poll(idsInLog, { timeout: 60_000, interval: 500 }).toEqual(published());
    const inLog = await idsInLog();
    expect(inLog.length).toBeGreaterThan(5 * KILLS);

    const left = async () => {
      // As if the time of every retry had come.
      await deliveries.updateMany({ webhookId, status: 'retrying' }, { $set: { nextAttemptAt: new Date() } });
      await webhooks.updateOne({ _id: webhookId }, { $set: { touched: new Date() } });
      return inLog.filter((id) => !server.acknowledged.has(id));
    };
    await expect.poll(left, { timeout: 90_000 + 1_000 * KILLS, interval: 3_000, message: `seed ${seed}` }).toEqual([]);
    expect([...new Set(server.received)].toSorted()).toEqual(inLog);
    await expect
      .poll(async () => (await company.activity.get(`/webhooks/${webhookId}`)).body.data, { timeout: 20_000 })
      .toMatchObject({ status: 'active', counts: { retrying: 0, waiting: 0, parked: 0 } });
    server.stop();
  },
  120_000 + 15_000 * KILLS,
);
