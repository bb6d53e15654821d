import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { headersTooLarge, PlatformError, requestTimeout } from '@event-commerce/contracts';
import { errorEnvelope } from './envelope.ts';
import { requestIdOf } from './request-id.ts';

const REASON: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
};

/** Responds to invalid HTTP with an error in the usual form, and closes the connection. */
export function answerClientError(error: Error & { code?: string }, socket: Socket): void {
  const { _httpMessage: answering } = socket as Socket & { _httpMessage?: ServerResponse };
  // After a reset nobody is left to respond to, and a response in progress must not be interrupted by another one.
  if (error.code === 'ECONNRESET' || !socket.writable || answering?.headersSent === true) {
    socket.destroy();
    return;
  }
  const refusal = toRefusal(error.code);
  const requestId = requestIdOf(answering?.req.headers['x-request-id']);
  const body = JSON.stringify(errorEnvelope(refusal, 'status', requestId));
  socket.end(
    [
      `HTTP/1.1 ${refusal.statusCode} ${REASON[refusal.statusCode]}`,
      'content-type: application/json; charset=utf-8',
      `content-length: ${Buffer.byteLength(body)}`,
      `x-request-id: ${requestId}`,
      'x-content-type-options: nosniff',
      'cache-control: no-store',
      'connection: close',
      '',
      body,
    ].join('\r\n'),
    // Otherwise a client that never closes its half would keep the socket open.
    () => socket.destroySoon(),
  );
}

function toRefusal(code: string | undefined): PlatformError {
  if (code === 'HPE_HEADER_OVERFLOW') return headersTooLarge();
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return requestTimeout();
  return new PlatformError('BAD_REQUEST', 'The request is not valid HTTP. Check its request line and headers.');
}
