export interface RetryOptions {
  /** The maximum number of retries. */
  retries: number;
  /** The upper bound of the first pause; it doubles with every retry. `Retry-After` is honoured beyond it. */
  delayMs: number;
  /** The longest pause: a response that asks for more is returned instead. */
  delayMaxMs: number;
}

/** The request may have taken effect: it is retried only if that does no harm. */
const EFFECT_UNKNOWN = new Set([502, 503, 504]);

/**
 * Retries requests that were refused temporarily (429, a 409 with `Retry-After`) and, where that is safe, those that
 * may have taken effect (502, 503, 504, a lost response). A POST without an Idempotency-Key gets one, the same for all
 * attempts, and so is safe. A PATCH is not: it could undo what somebody else changed in between. Nor is a DELETE: a
 * repeat could be refused because the first one took effect.
 */
export function retryingFetch(
  fetch: (request: Request) => Promise<Response>,
  { retries, delayMs, delayMaxMs }: RetryOptions,
): (request: Request) => Promise<Response> {
  return async (request) => {
    if (request.method === 'POST' && !request.headers.has('idempotency-key')) {
      request.headers.set('idempotency-key', randomKey());
    }
    const safe = request.method === 'GET' || request.method === 'POST';

    for (let attempt = 0; ; attempt++) {
      const backoffMs = Math.min(delayMaxMs, delayMs * 2 ** attempt) * (0.5 + Math.random() / 2);
      const isLast = attempt >= retries;
      try {
        const response = await fetch(request.clone());
        if (isLast || !isForNow(response, safe)) return response;
        const waitMs = Math.max(retryAfterMs(response), backoffMs);
        if (waitMs > delayMaxMs) return response;
        await response.body?.cancel();
        await pause(waitMs, request.signal);
      } catch (error) {
        // Do not retry a request that the caller aborted, or one that may have taken effect and is not safe to repeat.
        if (isLast || !safe || request.signal.aborted) throw error;
        await pause(backoffMs, request.signal);
      }
    }
  };
}

/** Not `randomUUID`, which browsers do not offer to pages served over plain HTTP. */
function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function isForNow(response: Response, safe: boolean): boolean {
  if (response.status === 429) return true;
  if (EFFECT_UNKNOWN.has(response.status)) return safe;
  // For example, an earlier attempt, whose response was lost, is still in progress.
  return response.status === 409 && response.headers.has('retry-after');
}

/** Seconds, as the platform sends them; 0 without the header. */
function retryAfterMs(response: Response): number {
  const seconds = Number(response.headers.get('retry-after') ?? 0);
  return Number.isFinite(seconds) ? seconds * 1000 : 0;
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', abort);
      resolve();
    }, ms);
    signal.addEventListener('abort', abort, { once: true });
  });
}
