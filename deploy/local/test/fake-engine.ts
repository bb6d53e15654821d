import { createServer } from 'node:http';

/** A fake engine's responses, by `METHOD /path`; everything else is a 404. */
export type Answers = Readonly<Record<string, readonly [status: number, body: unknown]>>;

interface FakeEngine {
  readonly host: string;
  /** The bodies of the requests that create containers. */
  readonly created: readonly unknown[];
  stop(): void;
}

/** An engine's API on its own socket, for what a real engine cannot be made to do. */
export async function startFakeEngine(socket: string, answers: Answers, headers = {}): Promise<FakeEngine> {
  const created: unknown[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += String(chunk)));
    request.on('end', () => {
      const { pathname } = new URL(request.url ?? '', 'http://engine');
      if (pathname === '/containers/create') created.push(JSON.parse(body));
      const [status, answer] = answers[`${request.method} ${pathname}`] ?? [404, { message: 'No such image' }];
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(answer));
    });
  });
  await new Promise<void>((resolve) => server.listen(socket, resolve));
  return {
    host: `unix://${socket}`,
    created,
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}
