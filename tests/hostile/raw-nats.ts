import { once } from 'node:events';
import { connect } from 'node:net';

/** A message as its bytes, which a client library would refuse to send. */
interface RawMessage {
  subject: string;
  /** What follows `NATS/1.0` and its line break. */
  headers: string;
  body: string;
}

/** Publishes `messages` unchanged; resolves once the broker has received them. */
export async function publishRaw(url: string, messages: readonly RawMessage[]): Promise<void> {
  const { hostname, port, username, password } = new URL(url);
  const login = username === '' ? {} : { user: decodeURIComponent(username), pass: decodeURIComponent(password) };
  const socket = connect(Number(port), hostname);
  let said = '';
  socket.setEncoding('latin1').on('data', (chunk: string) => (said += chunk));
  await once(socket, 'connect');
  socket.write(`CONNECT ${JSON.stringify({ ...login, verbose: false, pedantic: false, headers: true })}\r\n`);
  for (const { subject, headers, body } of messages) {
    const head = `NATS/1.0\r\n${headers}\r\n\r\n`;
    const headBytes = Buffer.byteLength(head, 'latin1');
    socket.write(`HPUB ${subject} _INBOX.raw ${headBytes} ${headBytes + body.length}\r\n${head}${body}\r\n`, 'latin1');
  }
  socket.write('PING\r\n');
  while (!said.includes('PONG')) {
    if (said.includes('-ERR')) throw new Error(said);
    await once(socket, 'data');
  }
  socket.destroy();
}
