import { deserialize, type Document, serialize } from 'bson';
import { createConnection } from 'node:net';

/** Checks whether something responds, in its own protocol. */

const answerWithinMs = 1000;

export async function mongoAnswers(port: number): Promise<boolean> {
  return (await mongoCommand(port, { hello: 1 }))?.['isWritablePrimary'] === true;
}

/** MongoDB's reply to a command on its database `admin`; undefined if it does not respond. */
export async function mongoCommand(port: number, command: Document): Promise<Document | undefined> {
  const body = serialize({ ...command, $db: 'admin' });
  const message = Buffer.alloc(21 + body.length);
  message.writeInt32LE(message.length, 0);
  message.writeInt32LE(2013, 12);
  message.set(body, 21);
  const whole = (bytes: Buffer): boolean => bytes.length >= 4 && bytes.length >= bytes.readInt32LE(0);
  const reply = await exchange(port, message, whole);
  return reply && deserialize(reply.subarray(21));
}

export async function redisAnswers(port: number): Promise<boolean> {
  const answer = await exchange(port, Buffer.from('PING\r\n'), (bytes) => bytes.includes('\r\n'));
  return answer?.toString().startsWith('+PONG') === true;
}

export async function natsAnswers(port: number): Promise<boolean> {
  const hello = Buffer.from('CONNECT {"verbose":false}\r\nPING\r\n');
  // A server with users refuses this one, which is a response too.
  const answer = await exchange(port, hello, (bytes) => /PONG\r\n|-ERR 'Auth/.test(bytes.toString()));
  return answer?.toString().startsWith('INFO ') === true;
}

/** What the server sends until `complete`; undefined if it refuses, hangs up or takes too long. */
async function exchange(
  port: number,
  message: Buffer,
  complete: (received: Buffer) => boolean,
): Promise<Buffer | undefined> {
  return new Promise((resolve) => {
    const socket = createConnection({ port, host: '127.0.0.1', timeout: answerWithinMs });
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
