import { hash } from 'node:crypto';
import { Readable } from 'node:stream';
import { answerNotKept, keyInUse, keyReused, PlatformError, tryAgainShortly } from '@event-commerce/contracts';
import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  onSendAsyncHookHandler,
  preHandlerAsyncHookHandler,
} from 'fastify';
import type { Caller } from '../auth/caller.ts';
import { companyKey, tenantKey } from '../auth/tenant-key.ts';
import type { MemoryBudget, Room } from '../limit/memory-budget.ts';
import type { AnsweredKey, HeldKey, IdempotencyRepository, KeptAnswer } from './idempotency.repository.ts';
import { parseIdempotencyKey } from './parse-idempotency-key.ts';
import { readWhole } from './read-whole.ts';
import { requestContent } from './request-content.ts';
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
 * client can retry at once too, but the record stays, so that the retry finds what the first attempt created, and no
 * other request takes the key. The same applies to a 409 that says when to retry, such as for a cart that is being
 * ordered.
 */
const NOT_EXECUTED = new Set([400, 401, 403, 404, 413, 415, 429]);
const isFinal = (reply: FastifyReply) =>
  reply.statusCode < 500 && !NOT_EXECUTED.has(reply.statusCode) && !reply.hasHeader('retry-after');

/** The headers that belong to a response's content; all others are set for each reply. */
const CONTENT_HEADERS = ['content-type', 'etag', 'last-modified', 'location'] as const;
const RETRY_AFTER_SECONDS = 1;

/**
 * Makes a POST with an `Idempotency-Key` take effect once, for all routes that have `onRepeat`: the first request
 * executes, and its response is stored before it is sent; repeats get that response. If it is too large to store, or
 * there is no room for it, repeats of a request that took effect get an error that says so; a refused one is executed
 * again. Keys belong to the company in one environment, not to the API key.
 */
export function idempotency(
  app: FastifyInstance,
  options: { records: IdempotencyRepository; memoryBudget: MemoryBudget },
): void {
  const { records, memoryBudget } = options;

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
    else replay(request, reply, taken);
    return taken.state === 'held';
  }

  function hold(request: FastifyRequest, reply: FastifyReply, key: HeldKey): void {
    request.heldKey = key;
    reply.raw.once('close', () => {
      const { heldKey } = request;
      // A service that has the request finishes it even for a client that disconnected. An incomplete response never
      // reaches the hook below, nor does a request that was still waiting for the service.
      if (heldKey === null || (heldKey.begun && !reply.sent)) return;
      request.heldKey = null;
      void letGo(request, heldKey, !heldKey.begun);
    });
  }

  function replay(request: FastifyRequest, reply: FastifyReply, { answer, idSuffix }: AnsweredKey): void {
    const { statusCode, headers, sealed } = answer;
    if (sealed === null) throw answerNotKept(idSuffix);
    const identity = request.caller?.identity;
    memoryBudget.refuseWhenFull(companyKey(identity));
    const bodyBytes = Buffer.isBuffer(request.body) ? request.body.length : 0;
    memoryBudget.holdResponse(companyKey(identity), sealed.length, bodyBytes, reply.raw);
    const body = unseal(sealed, secretOf(request), tenantKey(identity));
    reply.code(statusCode).headers(headers).header('idempotent-replayed', 'true').send(body);
  }

  /** The response must not fail because its record cannot be settled: the record then lapses. */
  async function settle<T>(request: FastifyRequest, work: Promise<T>): Promise<T | undefined> {
    try {
      return await work;
    } catch (err) {
      request.log.warn({ err }, 'settling the record of an idempotency key failed, it will lapse');
      return undefined;
    }
  }

  async function letGo(request: FastifyRequest, key: HeldKey, hadNoEffect: boolean): Promise<void> {
    // What an earlier attempt may have created must be found again, even if this one was refused.
    const mayForget = hadNoEffect && !key.attempt.repeated;
    await settle(request, mayForget ? records.forget(key) : records.release(key));
  }

  async function finish(request: FastifyRequest, reply: FastifyReply, key: HeldKey, payload: unknown) {
    // Nobody else listens before the response is sent, and a stream that breaks off before must not crash the process.
    if (payload instanceof Readable) payload.on('error', () => {});
    if (!isFinal(reply)) {
      await letGo(request, key, !key.begun || NOT_EXECUTED.has(reply.statusCode));
      refuseCutOff(payload);
      return payload;
    }
    const room = memoryBudget.roomFor(companyKey(request.caller?.identity));
    try {
      return await store(request, reply, key, payload, room);
    } finally {
      if (reply.raw.closed) room.release();
      else reply.raw.once('close', () => room.release());
    }
  }

  /** Stores the response, with its body if that may be stored, and returns the body for the client. */
  async function store(request: FastifyRequest, reply: FastifyReply, key: HeldKey, payload: unknown, room: Room) {
    const { statusCode } = reply;
    const isSecret = request.routeOptions.config.onRepeat === 'refuse' && statusCode < 400;
    let whole: Buffer | undefined;
    try {
      if (!isSecret) whole = await readWhole(reply, payload, room);
    } catch (cause) {
      await settle(request, records.release(key));
      throw cutOff(cause);
    }
    const headers: KeptAnswer['headers'] = {};
    for (const name of CONTENT_HEADERS) {
      const value = reply.getHeader(name);
      if (typeof value === 'string') headers[name] = value;
    }
    const sealed = whole === undefined ? null : seal(whole, secretOf(request), tenantKey(request.caller?.identity));
    // A refusal had no effect: if its body cannot be stored, a repeat is executed again. Nobody has seen the secret of
    // a client that disconnected: the repeat gets another one.
    const isKept = (sealed !== null || statusCode < 400) && !(isSecret && reply.raw.closed);
    const kept = { statusCode, headers, sealed };
    const saving = async () => (isSecret ? records.saveOrRelease(key, kept) : records.save(key, kept));
    const saved = await settle<unknown>(request, isKept ? saving() : records.release(key));
    // A later attempt replaced the secret in this response, or may have: it must not be shown.
    if (isSecret && isKept && saved !== true) {
      throw saved === false ? keyInUse(RETRY_AFTER_SECONDS) : tryAgainShortly('The new key could not be stored.');
    }
    refuseCutOff(payload);
    return whole ?? payload;
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
    const { handler } = route;
    route.handler = function begun(request, reply) {
      if (request.heldKey !== null) request.heldKey.begun = true;
      return handler.call(this, request, reply);
    };
    route.preHandler = [route.preHandler ?? [], preHandler].flat();
    route.onSend = [route.onSend ?? [], onSend].flat();
  });
}

function refuseCutOff(payload: unknown): void {
  if (payload instanceof Readable && payload.errored !== null) throw cutOff(payload.errored);
}

function cutOff(cause: unknown): PlatformError {
  return new PlatformError('BAD_GATEWAY', "The service's response was cut off.", { cause });
}

/** The tenant's own name for a key; the root key's records belong to the empty company. */
function recordId(caller: Caller | null, key: string): string {
  return `${tenantKey(caller?.identity)}:${hash('sha256', key, 'base64url')}`;
}

/** Identifies the request and what may be shown: a stored response may contain what another scope must not see. */
function fingerprintOf(request: FastifyRequest): string {
  const scopes = (request.caller?.scopes ?? []).toSorted().join();
  return hash('sha256', Buffer.concat([Buffer.from(`${scopes}\n`), requestContent(request)]), 'base64url');
}

/** A secret known only to those who can send the request again. */
function secretOf(request: FastifyRequest): Buffer {
  const key = parseIdempotencyKey(request.headers['idempotency-key'] as string);
  return Buffer.concat([Buffer.from(`${key}\n`), requestContent(request)]);
}
