import type { FastifyReply, FastifyRequest } from 'fastify';

/** Smaller bodies are read to the end, so that the client keeps its connection. */
const UNREAD_BYTES_MIN = 64 * 1024;
/** Closing at once would reset the connection, and lose the response that the client has not read yet. */
const LINGER_MS = 1_000;

/** Whether a large body of a refused request is still arriving. */
export function isUnread({ raw, headers }: FastifyRequest): boolean {
  if (raw.complete) return false;
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) >= UNREAD_BYTES_MIN;
}

/**
 * Responds without reading the rest of the request, and then closes the connection. Reading a refused request would
 * cost more than refusing it: the framework reads as fast as the client sends.
 */
export function answerUnread(reply: FastifyReply, body: unknown): void {
  const { raw } = reply.hijack();
  const text = JSON.stringify(body);
  reply.headers({
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    connection: 'close',
  });
  for (const [name, value = ''] of Object.entries(reply.getHeaders())) raw.setHeader(name, value);
  raw.statusCode = reply.statusCode;
  raw.write(text);
  // Node.js reads the rest of a request once its response has ended.
  const timer = setTimeout(() => raw.end(), LINGER_MS);
  raw.once('close', () => clearTimeout(timer));
}
