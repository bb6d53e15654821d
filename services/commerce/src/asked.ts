import { PlatformError } from '@event-commerce/contracts';

/**
 * The reply of another service to a request for an order. If none came, it is unknown what the request did: whatever it claimed lapses,
 * because no order with its id is written.
 *
 * @throws {PlatformError} the refusal; SERVICE_UNAVAILABLE with `problem` if there was no reply in time
 */
export async function asked<Reply>(reply: Promise<Reply>, problem: string): Promise<Reply> {
  try {
    return await reply;
  } catch (error) {
    if (!(error instanceof PlatformError) || error.code !== 'UPSTREAM_TIMEOUT') throw error;
    const message = `${problem}; send the order again.`;
    throw new PlatformError('SERVICE_UNAVAILABLE', message, { retryAfterSeconds: 2, cause: error });
  }
}
