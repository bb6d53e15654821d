import { Readable } from 'node:stream';
import { type PlatformError, type ServiceName, serviceTooSlow, serviceUnreachable } from '@event-commerce/contracts';
import { Pool } from 'undici';
import { type Ended, observeUpstream } from './observe-upstream.ts';
import { type Headers, repeatedHeaders, type UpstreamRequest } from './service-headers.ts';

/**
 * How long an idle connection is kept: half the time for which a service that stops still serves (`DRAIN_DELAY_MS`). A
 * longer one could be closed by the service just when a write is sent on it, which could not be sent again.
 */
const KEEP_ALIVE_MS = 1_000;
/** A connection is replaced at this age, even a busy one: new connections also reach replicas that were added since. */
const CONNECTION_TTL_MS = 30_000;
const CONNECT_TIMEOUT_MS = 1_000;
const PROBE_TIMEOUT_MS = 500;
/** A response up to this size is passed on in one piece, which costs a third of streaming it. */
const WHOLE_BYTES_MAX = 256 * 1024;

/** Nobody listened: the request was never sent. */
const NEVER_SENT = 'ECONNREFUSED';
const CONNECTION_LOST = new Set([NEVER_SENT, 'ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);
const TIMED_OUT = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'UND_ERR_CONNECT_TIMEOUT', 'ETIMEDOUT']);

/** The body of a response: all of it in `head`, or its beginning, with the remainder in `rest`. */
export interface UpstreamBody {
  head: Buffer;
  rest: Readable | undefined;
  destroy(): void;
}

/** A service broke off in the middle of its response: the client must not mistake it for a complete one. */
export class AnswerCutError extends Error {
  override readonly name = 'AnswerCutError';
}

export interface UpstreamAnswer {
  statusCode: number;
  headers: Headers;
  body: UpstreamBody;
}

type Callback = (error: Error | null, answer?: UpstreamAnswer) => void;

export type Upstream = ReturnType<typeof createUpstream>;

/**
 * The connections to one service. A request whose connection failed is sent again, once, if that is safe. Responds
 * through a callback, because a body that breaks off must find its reader: a promise would resolve too late.
 */
export function createUpstream(options: {
  service: ServiceName;
  url: string;
  connectionsMax: number;
  connectionTtlMs?: number;
}) {
  const { service, url } = options;
  const pool = new Pool(new URL(url).origin, {
    connections: options.connectionsMax,
    pipelining: 1,
    keepAliveTimeout: KEEP_ALIVE_MS,
    // Otherwise the service's own time would count, which it sends with each response.
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
    clientTtl: options.connectionTtlMs ?? CONNECTION_TTL_MS,
    connect: { timeout: CONNECT_TIMEOUT_MS },
  });
  const begin = observeUpstream(new URL(url));

  function toPlatformError(cause: Error & { code?: string }): PlatformError {
    return (TIMED_OUT.has(cause.code ?? '') ? serviceTooSlow : serviceUnreachable)(service, cause);
  }

  function send(request: UpstreamRequest, attempt: number, ended: Ended, callback: Callback): void {
    let statusCode = 0;
    let headers: Headers = {};
    let wholeBytes = -1;
    let pieces: Buffer[] = [];
    let rest: Readable | undefined;

    const answer = (head: Buffer) =>
      callback(null, { statusCode, headers, body: { head, rest, destroy: () => rest?.destroy() } });

    pool.dispatch(request, {
      // Required in every handler; there is nothing to do before the response.
      onRequestStart() {},
      onResponseStart(_controller, status, fields) {
        if (status < 200) return;
        statusCode = status;
        headers = fields;
        const length = Number(fields['content-length']);
        wholeBytes = length <= WHOLE_BYTES_MAX ? length : -1;
      },
      onResponseData(controller, chunk) {
        if (wholeBytes >= 0) {
          pieces.push(chunk);
        } else if (rest === undefined) {
          rest = new Readable({
            read: () => controller.resume(),
            destroy: (error, done) => {
              if (!rest?.readableEnded) controller.abort(error ?? new Error('the client disconnected'));
              done(error);
            },
          });
          answer(chunk);
        } else if (!rest.push(chunk)) {
          controller.pause();
        }
      },
      onResponseEnd() {
        ended(statusCode);
        if (rest !== undefined) rest.push(null);
        else answer(pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces));
        pieces = [];
      },
      onResponseError(_controller, cause: Error & { code?: string }) {
        const again = attempt === 0 && statusCode === 0 ? sentAgain(request, cause.code ?? '') : undefined;
        if (again !== undefined) {
          send(again, 1, ended, callback);
          return;
        }
        ended(cause.code ?? cause.name);
        const cut = new AnswerCutError(`The ${service} service's response was cut off.`, { cause });
        if (rest !== undefined) rest.destroy(cut);
        else callback(statusCode === 0 ? toPlatformError(cause) : cut);
      },
    });
  }

  return {
    url,

    request(request: UpstreamRequest, callback: Callback): void {
      send(request, 0, begin(request), callback);
    },

    /** Whether the service is alive now; rejects when it is not. */
    async probe(): Promise<void> {
      const answer = await pool.request({
        method: 'GET',
        path: '/healthz',
        signal: AbortSignal.timeout(PROBE_TIMEOUT_MS),
      });
      await answer.body.dump();
      if (answer.statusCode !== 200) throw new Error(`${service} answers ${answer.statusCode}`);
    },

    async close(): Promise<void> {
      await pool.destroy();
    },
  };
}

/**
 * The request to send again after its connection failed with `code`. Undefined if that is not safe because the service
 * may have executed it: a write without an attempt that the service would recognise.
 */
function sentAgain(request: UpstreamRequest, code: string): UpstreamRequest | undefined {
  if (!CONNECTION_LOST.has(code)) return undefined;
  if (request.method === 'GET' || code === NEVER_SENT) return request;
  const headers = repeatedHeaders(request.headers);
  return headers && { ...request, headers };
}
