import type { ActivityEntry, AttemptError, DeliveryAttempt } from '@event-commerce/contracts';
import { counter } from '@event-commerce/telemetry';
import { Agent, request } from 'undici';
import { signedHeaders } from './domain/signature.ts';
import {
  type AddressPolicy,
  checkedLookup,
  RefusedAddressError,
  UnknownNameError,
  whyNotAUrl,
} from './public-address.ts';

const ATTEMPT_TIMEOUT_MS = 15_000;
const BODY_BYTES_MAX = 64 * 1024;
/** How much of a response is read, so that its connection can be used again, and how much is kept. */
const RESPONSE_READ_BYTES = 64 * 1024;
const RESPONSE_KEPT_BYTES = 1024;
const GONE = 410;

const countAttempts = counter('webhooks.attempts', 'Attempts to deliver an event to a webhook, by outcome.');

/** What is sent: an entry of the log, as its company sees it. */
export type Message = Omit<ActivityEntry, 'cursor'>;

export interface Outcome {
  succeeded: boolean;
  attempt: DeliveryAttempt;
  /** The endpoint says that it will never take anything again. */
  isGone: boolean;
  /** How long the endpoint asked to be left alone. */
  retryAfterMs?: number;
}

/** Sends messages to endpoints of companies, which may be anything. */
export function webhookSender(policy: AddressPolicy, clock: () => Date) {
  const agent = new Agent({
    connect: { lookup: checkedLookup(policy), timeout: ATTEMPT_TIMEOUT_MS },
    // No limit on connections to one host: endpoints that hang would use up those of other companies' endpoints there.
    // How many attempts are made at once is limited elsewhere.
    pipelining: 1,
    keepAliveTimeout: 10_000,
    maxHeaderSize: 16 * 1024,
  });

  return {
    /** Makes one attempt. Never rejects; one that `stopped` ends has failed. */
    async send(
      { url, secrets }: { url: string; secrets: readonly string[] },
      message: Message,
      { timeoutMs = ATTEMPT_TIMEOUT_MS, stopped }: { timeoutMs?: number; stopped?: AbortSignal } = {},
    ): Promise<Outcome> {
      const [at, beganMs] = [clock(), performance.now()];
      const done = (about: Partial<DeliveryAttempt>, more: Partial<Outcome> = {}): Outcome => {
        countAttempts(1, { outcome: about.error ?? 'delivered' });
        return {
          succeeded: about.error === undefined,
          attempt: { at: at.toISOString(), durationMs: Math.round(performance.now() - beganMs), ...about },
          isGone: false,
          ...more,
        };
      };
      // An address in the URL is not looked up, so it is checked here.
      if (whyNotAUrl(url, policy) !== undefined) return done({ error: 'address-refused' });
      const body = bodyOf(message);
      try {
        const {
          statusCode,
          headers,
          body: response,
        } = await request(url, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            'user-agent': 'Event-Commerce-Webhooks',
            ...signedHeaders(secrets, { id: message.id, sentAt: at, body }),
          },
          body,
          dispatcher: agent,
          signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(stopped === undefined ? [] : [stopped])]),
        });
        const responseBody = await beginningOf(response);
        const about = { responseStatus: statusCode, ...(responseBody === '' ? {} : { responseBody }) };
        if (statusCode >= 200 && statusCode < 300) return done(about);
        const error = statusCode >= 300 && statusCode < 400 ? 'redirect' : 'status';
        const retryAfterMs = retryAfterIn(headers['retry-after'], at);
        return done(
          { ...about, error },
          { isGone: statusCode === GONE, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) },
        );
      } catch (error) {
        return done({ error: errorOf(error) });
      }
    },

    async close(): Promise<void> {
      await agent.destroy();
    },
  };
}

export type WebhookSender = ReturnType<typeof webhookSender>;

function bodyOf(message: Message): string {
  const body = JSON.stringify(message);
  if (Buffer.byteLength(body) <= BODY_BYTES_MAX) return body;
  const { changes: _, ...rest } = message;
  return JSON.stringify({ ...rest, data: { id: message.subject } });
}

/** Reads a response to its end or to the limit, and returns its beginning as text. */
async function beginningOf(response: AsyncIterable<Buffer> & { destroy: () => unknown }): Promise<string> {
  const kept: Buffer[] = [];
  let [read, keptBytes] = [0, 0];
  for await (const chunk of response) {
    if (keptBytes < RESPONSE_KEPT_BYTES) {
      kept.push(chunk.subarray(0, RESPONSE_KEPT_BYTES - keptBytes));
      keptBytes += chunk.length;
    }
    read += chunk.length;
    if (read > RESPONSE_READ_BYTES) break;
  }
  response.destroy();
  return Buffer.concat(kept).toString('utf8').replaceAll('\0', '');
}

/** `Retry-After` in milliseconds: seconds, or a date. */
function retryAfterIn(header: string | string[] | undefined, now: Date): number | undefined {
  if (typeof header !== 'string') return undefined;
  const ms = /^\d{1,9}$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - now.getTime();
  return ms > 0 ? ms : undefined;
}

const TIMEOUT_CODES = new Set(['UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT']);
const TLS_CODE = /^(?:ERR_TLS|ERR_SSL|CERT_|EPROTO|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|HOSTNAME_MISMATCH)/;

function errorOf(error: unknown): AttemptError {
  if (error instanceof RefusedAddressError) return 'address-refused';
  if (error instanceof UnknownNameError) return 'dns';
  const { name, code = '' } = error as { name?: string; code?: string | number };
  if (name === 'TimeoutError' || TIMEOUT_CODES.has(String(code))) return 'timeout';
  return TLS_CODE.test(String(code)) ? 'tls' : 'connection';
}
