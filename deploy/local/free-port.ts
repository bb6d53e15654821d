import { createServer } from 'node:net';

/** A TCP port of the loopback interface that nobody uses now. */
export async function freePort(): Promise<number> {
  return await listenOn(0);
}

/** Whether `port` can be listened on now. */
export async function isFree(port: number): Promise<boolean> {
  try {
    await listenOn(port);
    return true;
  } catch {
    return false;
  }
}

async function listenOn(port: number): Promise<number> {
  const server = createServer();
  return await new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host: '127.0.0.1', port, exclusive: true }, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : port));
    });
  });
}
