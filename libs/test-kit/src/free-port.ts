import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Below the ports that systems hand out by themselves (from 32768 on Linux): whoever starts a server again on its port finds it
 * free, whatever connections and servers without a port of their own came meanwhile.
 */
const FIRST = 20_000;
const LAST = 29_999;
const given = new Set<number>();

/** A TCP port of the loopback interface that nobody uses now; another one at each call. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST, LAST + 1);
    if (given.has(port) || !(await isFree(port))) continue;
    given.add(port);
    return port;
  }
}

/** Whether `port` can be listened on now. */
export async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return await new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen({ host: '127.0.0.1', port, exclusive: true }, () => server.close(() => resolve(true)));
  });
}
