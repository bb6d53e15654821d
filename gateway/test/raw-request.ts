import { connect } from 'node:net';

/** What was received over one connection, even if it is not valid HTTP. */
interface RawReply {
  status: number;
  text: string;
  /** The JSON body; undefined when there is none. */
  body: any;
}

/** Sends `bytes` unchanged, and returns everything received until the other side closed or `deadlineMs` passed. */
export async function rawRequest(baseUrl: string, bytes: string, deadlineMs = 5_000): Promise<RawReply> {
  const { hostname, port } = new URL(baseUrl);
  return await new Promise((resolve) => {
    let text = '';
    const socket = connect(Number(port), hostname, () => socket.write(bytes, 'latin1'));
    const finish = () => {
      clearTimeout(deadline);
      socket.destroy();
      const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0);
      const json = text.slice(text.indexOf('\r\n\r\n') + 4);
      let body: unknown;
      try {
        body = JSON.parse(json);
      } catch {
        body = undefined;
      }
      resolve({ status, text, body });
    };
    const deadline = setTimeout(finish, deadlineMs);
    socket.setEncoding('utf8');
    socket.on('data', (chunk: string) => (text += chunk));
    socket.on('error', finish);
    socket.on('close', finish);
  });
}
