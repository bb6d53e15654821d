import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { pino } from 'pino';
import { afterEach, expect, test, vi } from 'vitest';
import { type BusConnection, connectBus } from './connection.ts';

const HOUR_MS = 60 * 60 * 1000;
const INFO = { server_id: 'x', version: '2.12.0', proto: 1, headers: true, max_payload: 1_048_576 };

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

/** A broker that does just enough for a connection. */
async function startBroker() {
  const sockets = new Set<Socket>();
  let down = false;
  const server = createServer((socket) => {
    if (down) {
      socket.destroy();
      return;
    }
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    socket.write(`INFO ${JSON.stringify(INFO)}\r\n`);
    socket.on('data', (bytes) => {
      for (let n = bytes.toString().split('PING').length; n > 1; n--) socket.write('PONG\r\n');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const stop = () => {
    down = true;
    for (const socket of sockets) socket.destroy();
  };
  cleanUps.push(() => {
    stop();
    server.close();
  });
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    isUsed: () => sockets.size > 0,
    stop,
    start: () => {
      down = false;
    },
  };
}

async function connected(brokers: readonly { address: string }[]): Promise<BusConnection> {
  const url = brokers.map(({ address }) => `nats://${address}`).join(',');
  const bus = await connectBus({ url, name: 'test', logger: pino({ level: 'silent' }) });
  cleanUps.push(async () => bus.close());
  return bus;
}

/** The wall clock is an hour ahead until the returned function is called. */
function clockAhead(): () => void {
  const now = Date.now.bind(Date);
  const ahead = vi.spyOn(Date, 'now').mockImplementation(() => now() + HOUR_MS);
  cleanUps.push(() => ahead.mockRestore());
  return () => ahead.mockRestore();
}

test('a connection comes back after the wall clock was set back', async () => {
  const setBack = clockAhead();
  const broker = await startBroker();
  const bus = await connected([broker]);
  setBack();
  broker.stop();
  await expect.poll(() => bus.isUp(), { timeout: 5_000 }).toBe(false);
  broker.start();
  await expect.poll(() => bus.isUp(), { timeout: 5_000 }).toBe(true);
});

test('after the wall clock was set back, each of several brokers gets its turn', async () => {
  const setBack = clockAhead();
  const brokers = [await startBroker(), await startBroker()];
  const bus = await connected(brokers);
  const first = brokers.find(({ isUsed }) => isUsed());
  first?.stop();
  const second = brokers.find((broker) => broker !== first);
  await expect.poll(() => bus.isUp() && second?.isUsed(), { timeout: 5_000 }).toBe(true);
  setBack();
  second?.stop();
  await expect.poll(() => bus.isUp(), { timeout: 5_000 }).toBe(false);
  first?.start();
  await expect.poll(() => bus.isUp(), { timeout: 5_000 }).toBe(true);
});
