import { randomInt } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { createServer } from 'node:net';

/**
 * Below the ephemeral port range (from 32768 on Linux), so that a restarted server finds its port free, whatever
 * connections and servers without a fixed port were opened in between.
 */
const FIRST = 20_000;
const LAST = 29_999;

/**
 * A free TCP port of the loopback interface. No other caller gets it, in this process or another, until this process
 * ends, even while no server listens on it yet or its server restarts.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST, LAST + 1);
    const reservation = await reserve(port);
    if (reservation === undefined) continue;
    if (await isFree(port)) return port;
    reservation.close();
  }
}

/** UDP has ports of its own, which no server here uses: the system gives one to a single process, and takes it back. */
async function reserve(port: number): Promise<Socket | undefined> {
  const socket = createSocket('udp4');
  return await new Promise((resolve) => {
    socket.once('error', () => {
      socket.close();
      resolve(undefined);
    });
    socket.bind({ address: '127.0.0.1', port, exclusive: true }, () => resolve(socket.unref()));
  });
}

/** Whether `port` is free now. */
export async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return await new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen({ host: '127.0.0.1', port, exclusive: true }, () => server.close(() => resolve(true)));
  });
}
