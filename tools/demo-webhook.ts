import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Client, dataOf } from '@event-commerce/client';
import { Webhook } from 'standardwebhooks';

interface HeardOf {
  type: string;
  subject: string;
}

/** The organizer's server, which hears of orders by a webhook. */
export interface DemoWebhook {
  /** What arrived so far, each event once. */
  heard: ReadonlyMap<string, HeardOf>;
  /** How many messages had a wrong signature. */
  forged: () => number;
  close(): Promise<void>;
}

/** Starts the server, and has the platform send it what happens to orders; undefined if it sends nothing there. */
export async function listenToOrders(client: Client): Promise<DemoWebhook | undefined> {
  const heard = new Map<string, HeardOf>();
  let forged = 0;
  let verifier: Webhook | undefined;
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (part: string) => (body += part));
    request.on('end', () => {
      try {
        const event = verifier?.verify(body, request.headers as Record<string, string>) as HeardOf & { id: string };
        heard.set(event.id, event);
        response.writeHead(204).end();
      } catch {
        forged += 1;
        response.writeHead(401).end();
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = async () => new Promise<void>((resolve) => server.close(() => resolve()));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/orders`;
  const { data } = await client.POST('/v1/webhooks', { body: { url, types: ['order.*'] } });
  if (data === undefined) {
    // A platform elsewhere sends nothing to this machine.
    await close();
    return undefined;
  }
  const { id, secret } = data.data;
  verifier = new Webhook(secret);
  return {
    heard,
    forged: () => forged,
    async close() {
      await dataOf(client.DELETE('/v1/webhooks/{id}', { params: { path: { id } } }));
      server.closeIdleConnections();
      await close();
    },
  };
}
