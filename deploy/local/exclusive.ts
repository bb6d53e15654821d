import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { createConnection, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve as absolute } from 'node:path';

/**
 * Locks between processes, released when the holder exits, however it ends. A lock is a listening socket. On Linux and
 * Windows its name disappears with the process; elsewhere it is a file that stays but refuses connections.
 */

export interface Lock {
  release(): Promise<void>;
}

/** Takes the lock on `path`; undefined if another process has it. */
export async function tryLock(path: string): Promise<Lock | undefined> {
  const waiting = new Set<Socket>();
  const server = createServer((socket) => {
    socket.unref();
    socket.on('error', () => undefined);
    socket.on('close', () => waiting.delete(socket));
    waiting.add(socket);
  });
  const listens = async (): Promise<boolean> =>
    await new Promise((resolve, reject) => {
      server.once('error', (error: NodeJS.ErrnoException) => {
        if (error.code === 'EADDRINUSE') resolve(false);
        else reject(error);
      });
      server.listen(address(path), () => resolve(true));
    });
  let locked = await listens();
  if (!locked && isFile(address(path)) && !(await answers(path))) {
    await rm(address(path), { force: true });
    locked = await listens();
  }
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

/** Runs `work` while no other process runs it for the same path. Waits for its turn. */
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

/** Connections to the lock close when its holder releases it or dies. */
async function holderGone(path: string): Promise<void> {
  await new Promise<void>((resolve) => {
    const socket = createConnection(address(path));
    socket.on('error', () => undefined);
    socket.on('close', () => resolve());
    socket.resume();
  });
}

async function answers(path: string): Promise<boolean> {
  return await new Promise((resolve) => {
    const socket = createConnection(address(path));
    socket.on('error', () => resolve(false));
    socket.on('connect', () => {
      socket.destroy();
      resolve(true);
    });
  });
}

function address(path: string): string {
  const name = `event-commerce-${createHash('sha256').update(absolute(path)).digest('hex').slice(0, 32)}`;
  if (process.platform === 'linux') return `\0${name}`;
  return process.platform === 'win32' ? `\\\\.\\pipe\\${name}` : join(tmpdir(), `${name}.sock`);
}

function isFile(socket: string): boolean {
  return socket.endsWith('.sock');
}
