import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { orderBody } from '@event-commerce/test-kit';
import { afterEach, expect } from 'vitest';
import type { Company } from '../../../tests/harness/services.ts';

export interface Received {
  headers: IncomingHttpHeaders;
  text: string;
  entry: { id: string; type: string; subject: string; data: Record<string, unknown> };
}

/** A server of a company. `respond` decides its status; 204 by default. */
export class Receiver {
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
/** A server that is stopped after the test. */
export const newReceiver = async (): Promise<Receiver> => {
  const one = await new Receiver().start();
  receivers.push(one);
  return one;
};
afterEach(() => {
  for (const one of receivers.splice(0)) one.stop();
});

/** Places an order; resolves with its id. */
export const place = async ({ companyId, commerce }: Company): Promise<string> =>
  (await commerce.post('/orders', { order: orderBody(companyId).order })).body.data.order.id;
export const cancel = async ({ commerce }: Company, id: string) => commerce.post(`/orders/${id}/cancel`, {});

export async function newWebhook({ activity }: Company, body: object): Promise<any> {
  const { status, body: answer } = await activity.post('/webhooks', body);
  expect([status, answer]).toMatchObject([201, { data: { secret: expect.stringMatching(/^whsec_/) } }]);
  return answer.data;
}
