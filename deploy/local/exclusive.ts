import { createHash } from 'node:crypto';
import { createConnection, createServer, type Socket } from 'node:net';
import { resolve as absolute } from 'node:path';

/** Locks between processes that end with the process that holds them, however it ends: a listening abstract Unix socket. */

export interface Lock {
  release(): Promise<void>;
}

/** The lock on `path`, or undefined if another process has it. */
export async function tryLock(path: string): Promise<Lock | undefined> {
  const waiting = new Set<Socket>();
  const server = createServer((socket) => {
    socket.unref();
    socket.on('error', () => undefined);
    socket.on('close', () => waiting.delete(socket));
    waiting.add(socket);
  });
  const locked = await new Promise<boolean>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(false);
      else reject(error);
    });
    server.listen(address(path), () => resolve(true));
  });
  server.unref();
  if (!locked) return undefined;
  return {
    async release() {
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        for (const socket of waiting) socket.destroy();
      });
    },
  };
}

/** Runs `work` while no other process runs it for the same path; waits for its turn. */
export async function exclusively<T>(path: string, work: () => Promise<T>): Promise<T> {
  let lock = await tryLock(path);
  while (lock === undefined) {
    await holderGone(path);
    lock = await tryLock(path);
  }
  try {
    return await work();
  } finally {
    await lock.release();
  }
}

/** Connections to the lock end when its holder lets go of it, or dies. */
async function holderGone(path: string): Promise<void> {
  await new Promise<void>((resolve) => {
    const socket = createConnection(address(path));
    socket.on('error', () => undefined);
    socket.on('close', () => resolve());
    socket.resume();
  });
}

function address(path: string): string {
  return `\0event-commerce-${createHash('sha256').update(absolute(path)).digest('hex').slice(0, 32)}`;
}
