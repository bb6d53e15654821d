import type { ServerResponse } from 'node:http';
import { pipeline, Transform } from 'node:stream';
import { PlatformError, tryAgainShortly } from '@event-commerce/contracts';
import { BODY_BYTES_MAX } from '@event-commerce/service-kit';
import type { FastifyRequest, RequestPayload } from 'fastify';

/** Smaller bodies are not counted: the rate limit of a key limits their sum. */
const COUNTED_BYTES_MIN = 16 * 1024;

/** Room for one response that arrives in pieces. */
export interface Room {
  /** Whether there is room for `bytes` more; if so, they are counted until `release`. */
  take: (bytes: number) => boolean;
  release: () => void;
}

export type MemoryBudget = ReturnType<typeof createMemoryBudget>;

/**
 * Limits the memory of request bodies and responses in this process, from their arrival until the response has been
 * read, or the service has answered a client that disconnected. One company may hold an eighth of it, so that endless
 * uploads and unread responses hurt only their own company.
 */
export function createMemoryBudget(bytesMax: number) {
  const companyMax = Math.ceil(bytesMax / 8);
  const held = new Map<string, number>();
  let total = 0;

  function add(company: string, bytes: number): void {
    total += bytes;
    const left = (held.get(company) ?? 0) + bytes;
    if (left === 0) held.delete(company);
    else held.set(company, left);
  }

  function heldTooMuch(): PlatformError {
    return new PlatformError(
      'RATE_LIMITED',
      `Your company's requests in progress already take ${companyMax.toLocaleString('en')} bytes of memory. Send fewer large requests at once.`,
      { retryAfterSeconds: 1 },
    );
  }

  const isCompanyFull = (company: string, bytes: number): boolean => (held.get(company) ?? 0) + bytes > companyMax;
  const isFull = (bytes: number): boolean => total + bytes > bytesMax;

  /** @throws {PlatformError} RATE_LIMITED, SERVICE_UNAVAILABLE */
  function refuseAbove(company: string, bytes: number): void {
    if (isCompanyFull(company, bytes)) throw heldTooMuch();
    if (isFull(bytes)) {
      throw tryAgainShortly('Too many large requests are in progress. Try again shortly.');
    }
  }

  /** With `request`, `bytes` belong to its body: in memory until the service has it, even if its client disconnects. */
  function hold(company: string, bytes: number, response: ServerResponse, request?: FastifyRequest): void {
    if (bytes < COUNTED_BYTES_MIN) return;
    if (response.closed) return;
    add(company, bytes);
    response.once('close', () => whenOver(request, () => add(company, -bytes)));
  }

  function whenOver(request: FastifyRequest | undefined, then: () => void): void {
    const slot = request?.slot ?? null;
    if (slot === null) then();
    else void slot.released.then(then);
  }

  return {
    /**
     * Counts a response in memory. A company that holds nothing except the `bodyBytes` of its request gets one of any
     * size.
     *
     * @throws {PlatformError} RATE_LIMITED
     */
    holdResponse(company: string, bytes: number, bodyBytes: number, response: ServerResponse): void {
      const others = (held.get(company) ?? 0) - bodyBytes;
      if (others > 0 && others + bytes > companyMax) throw heldTooMuch();
      hold(company, bytes, response);
    },

    roomFor(company: string): Room {
      let bytes = 0;
      let counted = 0;
      return {
        take(more) {
          bytes += more;
          if (bytes < COUNTED_BYTES_MIN) return true;
          const added = bytes - counted;
          if (isCompanyFull(company, added) || isFull(added)) return false;
          add(company, added);
          counted = bytes;
          return true;
        },
        release() {
          add(company, -counted);
          counted = 0;
        },
      };
    },

    /**
     * Counts a request's body before it is read; one of unknown length while it is read. A body that is too large to be
     * read holds nothing.
     *
     * @throws {PlatformError} RATE_LIMITED, SERVICE_UNAVAILABLE
     */
    holdBody(
      company: string,
      request: FastifyRequest,
      payload: RequestPayload,
      response: ServerResponse,
    ): RequestPayload {
      if (request.headers['transfer-encoding'] === undefined) {
        const bytes = Number(request.headers['content-length'] ?? 0);
        if (bytes >= COUNTED_BYTES_MIN && bytes <= BODY_BYTES_MAX) {
          refuseAbove(company, bytes);
          hold(company, bytes, response, request);
        }
        return payload;
      }
      if (response.closed) return payload;
      let bytes = 0;
      response.once('close', () => whenOver(request, () => add(company, -bytes)));
      const counted = Object.assign(
        new Transform({
          transform(chunk: Buffer, _encoding, done) {
            try {
              counted.receivedEncodedLength += chunk.length;
              if (!response.closed) {
                refuseAbove(company, chunk.length);
                bytes += chunk.length;
                add(company, chunk.length);
              }
              done(null, chunk);
            } catch (error) {
              done(error as Error);
            }
          },
        }),
        // The framework compares it with the content-length.
        { receivedEncodedLength: 0 },
      );
      // Ends when the payload ends, even if the client disconnects; the framework then informs the request.
      return pipeline(payload, counted, () => undefined);
    },

    /** @throws {PlatformError} RATE_LIMITED, SERVICE_UNAVAILABLE when there is no room for another large response */
    refuseWhenFull: (company: string): void => refuseAbove(company, 0),
  };
}
