import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** How long a request that a client has begun to send may take to arrive once the gateway closes. */
const ARRIVES_WITHIN_MS = 2_000;

/**
 * The returned function closes `app`: every request that has arrived gets its response. Node would also wait for
 * requests that have arrived in part, without a limit on how long they may take.
 */
export function closesInTime(app: FastifyInstance): () => Promise<void> {
  /** What each connection is answering: undefined while no request has begun. */
  const connections = new Map<Socket, IncomingMessage | undefined>();
  app.server.on('connection', (socket: Socket) => {
    connections.set(socket, undefined);
    socket.once('close', () => connections.delete(socket));
  });
  app.server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    connections.set(socket, request);
    response.once('close', () => {
      if (connections.get(socket) === request) connections.set(socket, undefined);
    });
  });

  return async () => {
    const ending = setTimeout(() => {
      for (const [socket, request] of connections) if (request?.complete !== true) socket.destroy();
    }, ARRIVES_WITHIN_MS);
    await app.close();
    clearTimeout(ending);
  };
}
