import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Below the ephemeral port range (from 32768 on Linux), so that a restarted server finds its port free, whatever
 * connections and servers without a fixed port were opened in between.
 */
const FIRST = 20_000;
const LAST = 29_999;
const given = new Set<number>();

/** A free TCP port of the loopback interface; a different one at each call. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST, LAST + 1);
    if (given.has(port) || !(await isFree(port))) continue;
    given.add(port);
    return port;
  }
}

/** Whether `port` is free now. */
export async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return await new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen({ host: '127.0.0.1', port, exclusive: true }, () => server.close(() => resolve(true)));
  });
}
