import { hash } from 'node:crypto';
import { Readable } from 'node:stream';
import {
  answerNotKept,
  keyInUse,
  keyOfTenant,
  keyReused,
  PlatformError,
  tenantOf,
  tryAgainShortly,
} from '@event-commerce/contracts';
import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  onSendAsyncHookHandler,
  preHandlerAsyncHookHandler,
} from 'fastify';
import type { Caller } from '../auth/caller.ts';
import type { HeldKey, IdempotencyRepository, KeptAnswer } from './idempotency.repository.ts';
import { parseIdempotencyKey } from './parse-idempotency-key.ts';
import { seal, unseal } from './seal.ts';

/** The response to a repeated request: the stored one, or an error if that contained a secret. */
type OnRepeat = 'replay' | 'refuse';

declare module 'fastify' {
  interface FastifyRequest {
    /** The record this request holds until its response is settled. */
    heldKey: HeldKey | null;
  }
  interface FastifyContextConfig {
    /** Routes without it ignore an Idempotency-Key: they change nothing. */
    onRepeat?: OnRepeat | undefined;
  }
}

/**
 * Responses after which the key is free again, because nothing was executed. After a 5xx something may have been: the
 * client can retry at once too, but the record stays, so that the retry finds what the first attempt created. The same
 * holds for a 409 that says when to try again, such as that of a cart that is being ordered.
 */
const NOT_EXECUTED = new Set([400, 401, 403, 404, 413, 415, 429]);
const isFinal = (reply: FastifyReply) =>
  reply.statusCode < 500 && !NOT_EXECUTED.has(reply.statusCode) && !reply.hasHeader('retry-after');

/** The headers that belong to a response's content; all others are set anew for each reply. */
const CONTENT_HEADERS = ['content-type', 'etag', 'last-modified', 'location'] as const;
/** A larger body is not stored: a MongoDB document is limited to 16 MiB. */
const BODY_BYTES_MAX = 8 * 1024 * 1024;
const RETRY_AFTER_SECONDS = 1;

/**
 * Makes a POST with an `Idempotency-Key` take effect once, for all routes that have `onRepeat`: the first request
 * executes, and its response is stored before it is sent; repeats get that response. Keys belong to the company in one
 * of its worlds, not to the API key.
 */
export function answerOnce(app: FastifyInstance, options: { records: IdempotencyRepository }): void {
  const { records } = options;

  /** Whether the handler should run. Otherwise the reply has been sent. */
  async function begin(request: FastifyRequest, reply: FastifyReply, field: string): Promise<boolean> {
    const id = recordId(request.caller, parseIdempotencyKey(field));
    const taken = await records.take(id, fingerprintOf(request)).catch((cause: unknown) => {
      throw tryAgainShortly('The Idempotency-Key could not be looked up; nothing was done.', {
        seconds: RETRY_AFTER_SECONDS,
        cause,
      });
    });
    if (taken.state === 'in-use') {
      throw keyInUse(RETRY_AFTER_SECONDS);
    }
    if (taken.state === 'other-request') {
      throw keyReused();
    }
    if (taken.state === 'held') hold(request, reply, taken.key);
    else replay(request, reply, taken.answer);
    return taken.state === 'held';
  }

  function hold(request: FastifyRequest, reply: FastifyReply, key: HeldKey): void {
    request.heldKey = key;
    // If the client disconnects before its body was read, the proxy drops the response, and with it the record.
    request.raw.resume();
    reply.raw.once('close', () => {
      const { heldKey } = request;
      // A service that has the request finishes it for a client that disconnected; an incomplete response never reaches
      // the hook below, nor does a request that still waited for the service.
      if (heldKey === null || !(reply.sent || request.places?.isWaiting())) return;
      request.heldKey = null;
      void settle(request, records.release(heldKey));
    });
  }

  /** The response must not fail because its record cannot be settled: the record then lapses. */
  async function settle(request: FastifyRequest, work: Promise<unknown>): Promise<void> {
    try {
      await work;
    } catch (err) {
      request.log.warn({ err }, 'the record of an idempotency key could not be settled; it will lapse');
    }
  }

  async function finish(request: FastifyRequest, reply: FastifyReply, key: HeldKey, payload: unknown) {
    const { statusCode } = reply;
    if (!isFinal(reply)) {
      // What an earlier attempt may have created must be found again, even if this one was refused.
      const hadNoEffect = NOT_EXECUTED.has(statusCode) && !key.attempt.repeated;
      await settle(request, hadNoEffect ? records.forget(key) : records.release(key));
      return payload;
    }
    let whole: Buffer | Readable;
    try {
      whole = await readWhole(payload);
    } catch (cause) {
      await settle(request, records.release(key));
      throw new PlatformError('BAD_GATEWAY', "The service's response was cut off.", { cause });
    }
    const headers: KeptAnswer['headers'] = {};
    for (const name of CONTENT_HEADERS) {
      const value = reply.getHeader(name);
      if (typeof value === 'string') headers[name] = value;
    }
    const isSecret = request.routeOptions.config.onRepeat === 'refuse' && statusCode < 400;
    const sealed =
      isSecret || whole instanceof Readable ? null : seal(whole, secretOf(request), ownerOf(request.caller));
    await settle(request, records.save(key, { statusCode, headers, sealed }));
    return whole;
  }

  app.decorateRequest('heldKey', null);
  const preHandler: preHandlerAsyncHookHandler = async (request, reply) => {
    const field = request.headers['idempotency-key'] as string | undefined;
    // A hook that sent the reply returns it, so that nothing more happens to the request.
    return field === undefined || (await begin(request, reply, field)) ? undefined : reply;
  };
  const onSend: onSendAsyncHookHandler = async (request, reply, payload) => {
    const { heldKey } = request;
    if (heldKey === null) return payload;
    request.heldKey = null;
    return await finish(request, reply, heldKey, payload);
  };
  app.addHook('onRoute', (route) => {
    if (route.config?.onRepeat === undefined) return;
    route.preHandler = [route.preHandler ?? [], preHandler].flat();
    route.onSend = [route.onSend ?? [], onSend].flat();
  });
}

function replay(request: FastifyRequest, reply: FastifyReply, { statusCode, headers, ...kept }: KeptAnswer): void {
  const body = kept.sealed === null ? kept.body : unseal(kept.sealed, secretOf(request), ownerOf(request.caller));
  if (body === null || body === undefined) {
    throw answerNotKept();
  }
  reply.code(statusCode).headers(headers).header('idempotent-replayed', 'true').send(body);
}

/** A tenant's own name for a key; the root key's records belong to the empty company. */
function recordId(caller: Caller | null, key: string): string {
  return `${ownerOf(caller)}:${hash('sha256', key, 'base64url')}`;
}

function ownerOf(caller: Caller | null): string {
  return caller?.identity === undefined ? '' : keyOfTenant(tenantOf(caller.identity));
}

function fingerprintOf(request: FastifyRequest): string {
  return hash('sha256', bytesOf(request), 'base64url');
}

/** Known only to those who can send the request again. */
function secretOf(request: FastifyRequest): Buffer {
  const key = parseIdempotencyKey(request.headers['idempotency-key'] as string);
  return Buffer.concat([Buffer.from(`${key}\n`), bytesOf(request)]);
}

function bytesOf(request: FastifyRequest): Buffer {
  // The key administration reads JSON; all others pass on the bytes they got.
  const { body } = request;
  const bytes = body === undefined ? '' : Buffer.isBuffer(body) ? body : JSON.stringify(body);
  return Buffer.concat([Buffer.from(`${request.method} ${request.url}\n`), Buffer.from(bytes as Buffer)]);
}

/** The complete `payload`; one that is too large to store stays a stream. */
async function readWhole(payload: unknown): Promise<Buffer | Readable> {
  if (!(payload instanceof Readable)) return Buffer.from((payload ?? '') as string | Buffer);
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of payload.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    pieces.push(piece);
    bytes += piece.length;
    if (bytes > BODY_BYTES_MAX) {
      payload.unshift(Buffer.concat(pieces));
      return payload;
    }
  }
  return Buffer.concat(pieces);
}
