import { randomUUID } from 'node:crypto';
import { channel } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { connectMongo } from '../src/mongo/mongo.ts';

const sockets = new Set<Socket>();
const created = channel('net.client.socket');
const collect = (message: unknown) => void sockets.add((message as { socket: Socket }).socket);
let connection: Awaited<ReturnType<typeof connectMongo>>;

beforeAll(async () => {
  created.subscribe(collect);
  connection = await connectMongo(inject('mongoUrl'), { dbName: `t${randomUUID().slice(0, 8)}`, appName: 'test' });
});
afterAll(async () => connection?.close());

// Decision 15: without its patch the driver waits for such a socket to drain, which it never does.
test('a command for a connection that has just ended fails, and the next one succeeds', async () => {
  const ping = async () => await connection.db?.command({ ping: 1 });
  await ping();
  // Later ones may be of others in this process.
  created.unsubscribe(collect);
  // As when a server ends: the sockets are gone, and nobody has noticed yet.
  for (const socket of sockets) socket.destroy();
  await expect(ping()).rejects.toThrow(/closed/);
  await expect.poll(() => ping().catch(() => undefined)).toMatchObject({ ok: 1 });
});
