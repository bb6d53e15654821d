import { setTimeout as delay } from 'node:timers/promises';
import { type ApiClient, orderBody, type Reply } from '@event-commerce/test-kit';
import type { Entry } from './history.ts';

const WORKERS = 8;
const CUSTOMERS = 40;
const RETRY_DELAY_MS = 50;
const GIVE_UP_MS = 60_000;

/** What clients were told. */
export interface Answers {
  placed: Set<string>;
  refused: number;
  /** The number of retries. */
  repeats: number;
  /** By the coupons that an order was to redeem: every request for such orders, and its response. */
  histories: Map<string, Entry[]>;
}

export interface OrderStream {
  readonly workers: number;
  /** Rejects when a client got a response that must never happen, or no final one within a minute. */
  readonly failed: Promise<never>;
  readonly placed: () => number;
  /** Starts no further order, and resolves when every client has its response. */
  finish(): Promise<Answers>;
}

/**
 * Clients that place one order after another, and retry each until its response is final. `couponsOf` names what the
 * nth order redeems, `cancels` whether it is cancelled after it was placed.
 */
export function startOrders(
  { companyId, api }: { companyId: string; api: ApiClient },
  couponsOf: (n: number) => string[],
  cancels: (n: number) => boolean = () => false,
): OrderStream {
  const answers: Answers = { placed: new Set(), refused: 0, repeats: 0, histories: new Map() };
  let done = false;
  let sent = 0;

  /** Sends a request until its response is final, and records when that began and ended. */
  const ask = async (send: () => Promise<Reply>) => {
    const beganMs = performance.now();
    for (;;) {
      const reply = await send().catch(() => undefined);
      const endedMs = performance.now();
      if (reply !== undefined && reply.status < 500) return { reply, times: { beganMs, endedMs } };
      if (endedMs - beganMs > GIVE_UP_MS) {
        throw new Error(`a request got no final response, the last one was ${reply?.status ?? 'a broken connection'}`);
      }
      answers.repeats += 1;
      await delay(RETRY_DELAY_MS);
    }
  };

  const placeOne = async (): Promise<void> => {
    const n = sent++;
    const customer = { id: `cus_${n % CUSTOMERS}`, email: 'buyer@example.com' };
    const coupons = couponsOf(n);
    const history = answers.histories.get(coupons.join()) ?? [];
    answers.histories.set(coupons.join(), history);
    const order = orderBody(companyId, { coupons, customer });
    const { reply, times } = await ask(() => api.post('/v1/orders', order));
    const { status, body } = reply;
    if (status === 409) {
      answers.refused += 1;
      history.push({ what: 'place', order: `number ${n}`, told: 'refused', ...times });
      return;
    }
    if (status >= 300) throw new Error(`an order returned ${status}: ${JSON.stringify(body)}`);
    const { id } = body.data.order;
    answers.placed.add(id);
    history.push({ what: 'place', order: id, told: 'placed', ...times });
    if (!cancels(n)) return;

    const cancelled = await ask(() => api.post(`/v1/orders/${id}/cancel`, {}));
    if (cancelled.reply.status !== 200) throw new Error(`a cancel returned ${cancelled.reply.status}`);
    history.push({ ...cancelled.times, what: 'cancel', order: id, told: 'cancelled' });
    const read = await ask(() => api.get(`/v1/orders/${id}`));
    const told = read.reply.status === 404 ? 'unknown' : read.reply.body.data.status;
    history.push({ ...read.times, what: 'read', order: id, told });
  };
  const workers = Array.from({ length: WORKERS }, async () => {
    while (!done) await placeOne();
  });
  const running = Promise.all(workers);
  const failed = running.then(() => new Promise<never>(() => {}));
  // Whoever finishes the stream learns of it too.
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
