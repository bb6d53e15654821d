import { setTimeout as delay } from 'node:timers/promises';
import type { Reply } from './api-client.ts';

const RETRY_DELAY_MS = 50;
const GIVE_UP_MS = 90_000;

/**
 * Sends a request until its response is final, as clients do: again if the connection breaks, the platform fails, or
 * the response says when to retry. Only for requests that can be repeated. `send` gets the number of earlier attempts.
 *
 * @throws {Error} with the last response if there is no final one within 90 s
 */
export async function finalReply(send: (attempts: number) => Promise<Reply>): Promise<Reply> {
  const beganMs = performance.now();
  for (let attempts = 0; ; attempts++) {
    const reply = await send(attempts).catch(() => undefined);
    if (reply !== undefined && reply.status < 500 && !reply.headers.has('retry-after')) return reply;
    if (performance.now() - beganMs > GIVE_UP_MS) {
      const last = reply === undefined ? 'a broken connection' : `${reply.status} ${JSON.stringify(reply.body)}`;
      throw new Error(`a request got no final response; the last one was ${last}`);
    }
    await delay(RETRY_DELAY_MS);
  }
}
