import { setTimeout as delay } from 'node:timers/promises';
import { type ApiClient, orderBody, type Reply } from '@event-commerce/test-kit';

const WORKERS = 8;
const CUSTOMERS = 40;
const RETRY_DELAY_MS = 50;
const GIVE_UP_MS = 60_000;

/** What clients were told. */
export interface Answers {
  placed: Set<string>;
  refused: number;
  /** How often one had to be sent again. */
  repeats: number;
}

export interface OrderStream {
  readonly workers: number;
  /** Rejects when a client was answered what it should never be, or nothing final for a minute. */
  readonly failed: Promise<never>;
  readonly placed: () => number;
  /** Begins no further order, and resolves when every client has its answer. */
  finish(): Promise<Answers>;
}

/**
 * Clients that place one order after the other, and send one again until it has a final answer. `couponsOf` says what the
 * nth order redeems.
 */
export function startOrders(
  { companyId, api }: { companyId: string; api: ApiClient },
  couponsOf: (n: number) => string[],
): OrderStream {
  const answers: Answers = { placed: new Set(), refused: 0, repeats: 0 };
  let done = false;
  let sent = 0;

  const placeOne = async (): Promise<void> => {
    const n = sent++;
    const customer = { id: `cus_${n % CUSTOMERS}`, email: 'buyer@example.com' };
    const body = orderBody(companyId, { coupons: couponsOf(n), customer });
    const sinceMs = performance.now();
    for (;;) {
      const reply: Reply | undefined = await api.post('/v1/orders', body).catch(() => undefined);
      if (reply !== undefined && reply.status < 300) {
        answers.placed.add(reply.body.data.order.id);
        return;
      }
      if (reply?.status === 409) {
        answers.refused += 1;
        return;
      }
      if (reply !== undefined && reply.status < 500) {
        throw new Error(`an order was answered ${reply.status}: ${JSON.stringify(reply.body)}`);
      }
      if (performance.now() - sinceMs > GIVE_UP_MS) {
        throw new Error(`an order has no final answer, the last one was ${reply?.status ?? 'a broken connection'}`);
      }
      answers.repeats += 1;
      await delay(RETRY_DELAY_MS);
    }
  };
  const workers = Array.from({ length: WORKERS }, async () => {
    while (!done) await placeOne();
  });
  const running = Promise.all(workers);
  const failed = running.then(() => new Promise<never>(() => {}));
  // Whoever finishes the stream learns of it, too.
  failed.catch(() => {});
  return {
    workers: WORKERS,
    failed,
    placed: () => answers.placed.size,
    async finish(): Promise<Answers> {
      done = true;
      await running;
      return answers;
    },
  };
}
