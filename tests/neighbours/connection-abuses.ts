import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { newId } from '@event-commerce/service-kit';
import { createKeyText } from '../../gateway/src/auth/key-format.ts';
import { type Abuse, type Abuser, placeOrders } from './abuse.ts';
import { freeObject } from './largest-bodies.ts';

const MEBIBYTE = 2 ** 20;

/** What ties up connections. */
export const connectionAbuses: readonly Abuse[] = [
  {
    name: 'uploads that hold back the last byte',
    expected: 0,
    clients: 200,
    act: async ({ key, port }) => {
      const head = `POST /v1/orders HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\ncontent-type: application/json\r\n`;
      const socket = await opened(port, `${head}content-length: ${MEBIBYTE}\r\n\r\n${' '.repeat(MEBIBYTE - 1)}`);
      return await answered(socket, 5_000);
    },
  },
  {
    name: 'responses that nobody reads',
    expected: 0,
    clients: 132,
    prepare: fillPage,
    act: async (abuser) => {
      const socket = (await askForPage(abuser)).pause();
      await delay(5_000);
      socket.destroy();
      return 0;
    },
  },
  {
    name: 'clients that leave before the response',
    expected: 0,
    clients: 32,
    prepare: fillPage,
    act: async (abuser) => await answered(await askForPage(abuser), 20),
  },
  {
    name: 'invalid keys',
    expected: 401,
    clients: 32,
    act: async ({ port }) => {
      // Well formed, so that only a look-up shows that there is no such key.
      const authorization = `Bearer ${createKeyText('live', newId('key')).text}`;
      const response = await fetch(`http://127.0.0.1:${port}/v1/coupons`, { headers: { authorization } });
      await response.arrayBuffer();
      return response.status;
    },
  },
];

/** More orders than a page holds: it ends at 1 MiB. */
async function fillPage(abuser: Abuser): Promise<void> {
  await placeOrders(abuser, 60, { meta: freeObject() });
}

async function askForPage({ key, port }: Abuser): Promise<Socket> {
  return await opened(port, `GET /v1/orders?limit=200 HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\n\r\n`);
}

async function opened(port: number, head: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('error', reject);
  });
  socket.on('error', () => {});
  socket.write(head);
  return socket;
}

/** The status that arrives within `withinMs`, or 0; the socket is closed then. */
async function answered(socket: Socket, withinMs: number): Promise<number> {
  const found = await Promise.race([
    new Promise<number>((resolve) => socket.once('data', (data) => resolve(Number(data.toString().slice(9, 12))))),
    new Promise<number>((resolve) => socket.once('close', () => resolve(0))),
    delay(withinMs, 0),
  ]);
  socket.destroy();
  return found;
}
