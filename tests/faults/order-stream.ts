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
  /** How often one had to be sent again. */
  repeats: number;
  /** By the codes that an order was to redeem: everything asked and told about such orders. */
  histories: Map<string, Entry[]>;
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
 * nth order redeems, `cancels` whether it is cancelled again once it was placed.
 */
export function startOrders(
  { companyId, api }: { companyId: string; api: ApiClient },
  couponsOf: (n: number) => string[],
  cancels: (n: number) => boolean = () => false,
): OrderStream {
  const answers: Answers = { placed: new Set(), refused: 0, repeats: 0, histories: new Map() };
  let done = false;
  let sent = 0;

  /** Sends a request until it has a final answer, and notes from when to when that took. */
  const ask = async (send: () => Promise<Reply>) => {
    const beganMs = performance.now();
    for (;;) {
      const reply = await send().catch(() => undefined);
      const endedMs = performance.now();
      if (reply !== undefined && reply.status < 500) return { reply, times: { beganMs, endedMs } };
      if (endedMs - beganMs > GIVE_UP_MS) {
        throw new Error(`a request has no final answer, the last one was ${reply?.status ?? 'a broken connection'}`);
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
    if (status >= 300) throw new Error(`an order was answered ${status}: ${JSON.stringify(body)}`);
    const { id } = body.data.order;
    answers.placed.add(id);
    history.push({ what: 'place', order: id, told: 'placed', ...times });
    if (!cancels(n)) return;

    const cancelled = await ask(() => api.post(`/v1/orders/${id}/cancel`, {}));
    if (cancelled.reply.status !== 200) throw new Error(`a cancel was answered ${cancelled.reply.status}`);
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
