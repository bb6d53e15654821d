import { deserialize, serialize } from 'bson';
import { request } from 'node:http';
import { createConnection } from 'node:net';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Whether something answers, asked in its own protocol. */

const answerWithinMs = 1000;
const loopback = '127.0.0.1';

export async function mongoAnswers(port: number, host = loopback): Promise<boolean> {
  const body = serialize({ hello: 1, $db: 'admin' });
  const message = Buffer.alloc(21 + body.length);
  message.writeInt32LE(message.length, 0);
  message.writeInt32LE(2013, 12);
  message.set(body, 21);
  const answer = await exchange(
    port,
    host,
    message,
    (bytes) => bytes.length >= 4 && bytes.length >= bytes.readInt32LE(0),
  );
  return answer !== undefined && deserialize(answer.subarray(21))['isWritablePrimary'] === true;
}

export async function redisAnswers(port: number, host = loopback): Promise<boolean> {
  const answer = await exchange(port, host, Buffer.from('PING\r\n'), (bytes) => bytes.includes('\r\n'));
  return answer?.toString().startsWith('+PONG') === true;
}

export async function natsAnswers(port: number, host = loopback): Promise<boolean> {
  const hello = Buffer.from('CONNECT {"verbose":false}\r\nPING\r\n');
  const answer = await exchange(port, host, hello, (bytes) => bytes.includes('PONG\r\n'));
  return answer?.toString().startsWith('INFO ') === true;
}

/** A container engine's API, at DOCKER_HOST or the usual socket. */
export async function containerEngineAnswers(env: NodeJS.ProcessEnv): Promise<boolean> {
  const host = env['DOCKER_HOST'];
  const sockets = ['/var/run/docker.sock'];
  if (env['XDG_RUNTIME_DIR']) sockets.push(join(env['XDG_RUNTIME_DIR'], 'docker.sock'));
  if (host?.startsWith('unix://')) sockets.splice(0, sockets.length, host.slice('unix://'.length));
  const socketPath = sockets.find((path) => existsSync(path));
  const tcp = host !== undefined && /^(tcp|https?):/.test(host) ? new URL(host) : undefined;
  if (socketPath === undefined && tcp === undefined) return false;
  return new Promise((resolve) => {
    const where = tcp === undefined ? { socketPath: socketPath ?? '' } : { host: tcp.hostname, port: tcp.port || 2375 };
    const asked = request({ ...where, path: '/_ping', signal: AbortSignal.timeout(answerWithinMs) }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    asked.on('error', () => resolve(false));
    asked.end();
  });
}

/** What the server sends until `complete`, or undefined if it refuses, hangs up or takes too long. */
async function exchange(
  port: number,
  host: string,
  message: Buffer,
  complete: (received: Buffer) => boolean,
): Promise<Buffer | undefined> {
  return new Promise((resolve) => {
    const socket = createConnection({ port, host, timeout: answerWithinMs });
    let received = Buffer.alloc(0);
    const end = (answer?: Buffer): void => {
      socket.destroy();
      resolve(answer);
    };
    socket.on('connect', () => socket.write(message));
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      if (complete(received)) end(received);
    });
    socket.on('timeout', () => end());
    socket.on('error', () => end());
    socket.on('close', () => end());
  });
}
