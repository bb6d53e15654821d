import { hash } from 'node:crypto';
import { Readable } from 'node:stream';
import { answerNotKept, keyInUse, keyOfTenant, keyReused, PlatformError, tenantOf } from '@event-commerce/contracts';
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

/** What a request gets that repeats an answered one: the answer again, or, where that held a secret, a refusal. */
export type OnRepeat = 'replay' | 'refuse';

declare module 'fastify' {
  interface FastifyRequest {
    /** The record this request holds, until its answer is settled. */
    heldKey: HeldKey | null;
  }
  interface FastifyContextConfig {
    /** Routes without it take no notice of an Idempotency-Key: what they do changes nothing. */
    onRepeat?: OnRepeat | undefined;
  }
}

/**
 * Answers after which the key is free again, because nothing was executed. After a 5xx something may have been: the client can
 * try again at once too, and the record stays, so that the next try finds what this one made.
 */
const NOT_EXECUTED = new Set([400, 401, 403, 404, 413, 415, 429]);
const isFinal = (statusCode: number) => statusCode < 500 && !NOT_EXECUTED.has(statusCode);

/** The headers that belong to an answer's content; all others are made anew for each reply. */
const CONTENT_HEADERS = ['content-type', 'etag', 'last-modified', 'location'] as const;
/** A larger body is not kept: a document of the database holds 16 MiB. */
const BODY_BYTES_MAX = 8 * 1024 * 1024;
const RETRY_AFTER_SECONDS = 1;

/**
 * Lets a POST with an `Idempotency-Key` take effect once, for all routes that have `onRepeat`: the first one executes,
 * and its answer is kept before it is sent; the others get that answer. Keys belong to the company in one of its worlds, not to the API key.
 */
export function answerOnce(app: FastifyInstance, options: { records: IdempotencyRepository }): void {
  const { records } = options;

  /** Whether the handler is to run. Otherwise the reply was sent. */
  async function begin(request: FastifyRequest, reply: FastifyReply, field: string): Promise<boolean> {
    const id = recordId(request.caller, parseIdempotencyKey(field));
    const taken = await records.take(id, fingerprintOf(request)).catch((cause: unknown) => {
      throw new PlatformError('SERVICE_UNAVAILABLE', 'The Idempotency-Key could not be looked up; nothing was done.', {
        retryAfterSeconds: RETRY_AFTER_SECONDS,
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
    // Of a request whose body was not read the proxy drops the answer when the client goes away, and with it the record.
    request.raw.resume();
    reply.raw.once('close', () => {
      const { heldKey } = request;
      // A client that went away changes nothing; an answer that was broken off never reaches the hook below.
      if (heldKey === null || !reply.sent) return;
      request.heldKey = null;
      void settle(request, records.release(heldKey));
    });
  }

  /** What an answer needs to be settled is not what it may fail by: the record then lapses by itself. */
  async function settle(request: FastifyRequest, work: Promise<unknown>): Promise<void> {
    try {
      await work;
    } catch (err) {
      request.log.warn({ err }, 'the record of an idempotency key could not be settled; it lapses');
    }
  }

  async function finish(request: FastifyRequest, reply: FastifyReply, key: HeldKey, payload: unknown) {
    const { statusCode } = reply;
    if (!isFinal(statusCode)) {
      await settle(request, NOT_EXECUTED.has(statusCode) ? records.forget(key) : records.release(key));
      return payload;
    }
    let whole: Buffer | Readable;
    try {
      whole = await readWhole(payload);
    } catch (cause) {
      await settle(request, records.release(key));
      throw new PlatformError('BAD_GATEWAY', 'The service broke off its answer.', { cause });
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
    // A hook that sent the reply answers it, so that nothing more happens to the request.
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

/** What only those know who can send the request again. */
function secretOf(request: FastifyRequest): Buffer {
  const key = parseIdempotencyKey(request.headers['idempotency-key'] as string);
  return Buffer.concat([Buffer.from(`${key}\n`), bytesOf(request)]);
}

function bytesOf(request: FastifyRequest): Buffer {
  // The key administration reads JSON; all others hand on the bytes they got.
  const { body } = request;
  const bytes = body === undefined ? '' : Buffer.isBuffer(body) ? body : JSON.stringify(body);
  return Buffer.concat([Buffer.from(`${request.method} ${request.url}\n`), Buffer.from(bytes as Buffer)]);
}

/** The whole of `payload`; what is too large to keep stays a stream. */
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
