import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { FaultProxy } from './fault-proxy.ts';
import { seededRandom } from './seeded-random.ts';

/** Replies to each request with `echo:` and the request; `received` has what it got. */
let server: Server;
let received: string;
let proxy: FaultProxy;
const clients: Socket[] = [];

beforeEach(async () => {
  received = '';
  server = createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', (bytes) => {
      received += bytes.toString();
      socket.write(`echo:${bytes.toString()}`);
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  proxy = await FaultProxy.start(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, seededRandom(1));
});
afterEach(async () => {
  for (const client of clients.splice(0)) client.destroy();
  await proxy?.stop();
  server?.close();
});

/** A client whose `ended` resolves with how its connection ended: an error code, or `end`. */
async function connected() {
  const socket = connect(Number(new URL(proxy.replaceIn('http://127.0.0.1:1')).port), '127.0.0.1');
  clients.push(socket);
  let said = '';
  socket.on('data', (bytes) => {
    said += bytes.toString();
  });
  const ended = new Promise<string>((resolve) => {
    socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'error'));
    socket.on('end', () => resolve('end'));
  });
  await Promise.race([once(socket, 'connect'), ended]);
  return { socket, ended, said: () => said };
}

describe('a fault proxy', () => {
  test('passes everything on, and counts requests that contain a marker, split or not', async () => {
    const tally = proxy.count('marker');
    const { socket, said } = await connected();
    socket.write('a mar');
    await expect.poll(said).toBe('echo:a mar');
    socket.write('ker, no markers');
    await expect.poll(said).toBe('echo:a marecho:ker, no markers');
    expect(tally.seen).toBe(1);
    socket.write('marker');
    await expect.poll(() => tally.seen).toBe(2);
  });

  test('that refuses does not listen, and later listens on the same port again', async () => {
    const before = await connected();
    await proxy.set({ kind: 'refuse' });
    expect(await before.ended).toBe('ECONNRESET');
    expect(await (await connected()).ended).toBe('ECONNREFUSED');
    await proxy.set({ kind: 'pass' });
    const { socket, said } = await connected();
    socket.write('x');
    await expect.poll(said).toBe('echo:x');
  });

  test('that resets accepts a connection and drops it at its first request', async () => {
    await proxy.set({ kind: 'reset' });
    const { socket, ended } = await connected();
    socket.write('x');
    expect(await ended).toBe('ECONNRESET');
    expect(received).toBe('');
  });

  test('that hangs delivers nothing until it ends, and then everything', async () => {
    const { socket, said } = await connected();
    await proxy.set({ kind: 'hang' });
    const tally = proxy.count('x');
    socket.write('x');
    await expect.poll(() => tally.seen).toBe(1);
    expect(received).toBe('');
    await proxy.set({ kind: 'pass' });
    await expect.poll(said).toBe('echo:x');
  });

  test('that is slow keeps the order, and delays both directions', async () => {
    await proxy.set({ kind: 'slow', delayMs: 50, loss: 0.5 });
    const { socket, said } = await connected();
    const beganMs = performance.now();
    socket.write('one ');
    socket.write('two');
    await expect.poll(said, { timeout: 4_000 }).toMatch(/one.*two$/);
    expect(performance.now() - beganMs).toBeGreaterThanOrEqual(99);
  });

  test.each([
    ['reset', 'ECONNRESET'],
    ['end', 'end'],
  ] as const)('that cuts by %s delivers exactly that many bytes of the response', async (how, end) => {
    const { socket, ended, said } = await connected();
    await proxy.set({ kind: 'cut', afterBytes: 7, how });
    socket.write('0123456789');
    expect(await ended).toBe(end);
    expect(said()).toBe('echo:01');
  });

  test('holds a request with a marker back, and never delivers it once it is reset', async () => {
    const { socket, ended } = await connected();
    const held = proxy.holdAt('commit', 'request');
    socket.write('commit');
    await held;
    await proxy.set({ kind: 'refuse' });
    await proxy.set({ kind: 'pass' });
    await ended;
    expect(received).toBe('');
  });

  test('holds one connection back while the others continue', async () => {
    const [one, other] = [await connected(), await connected()];
    const held = proxy.holdAt('commit', 'connection');
    one.socket.write('commit');
    await held;
    other.socket.write('x');
    await expect.poll(other.said).toBe('echo:x');
    expect(received).toBe('x');
    await proxy.set({ kind: 'pass' });
    await expect.poll(one.said).toBe('echo:commit');
  });

  test('delivers a request with a marker and holds its response back', async () => {
    const { socket, said } = await connected();
    const held = proxy.holdAt('commit', 'answer');
    socket.write('commit');
    await held;
    expect([received, said()]).toEqual(['commit', '']);
    await proxy.set({ kind: 'pass' });
    await expect.poll(said).toBe('echo:commit');
  });
});
