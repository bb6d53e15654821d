import { setTimeout as delay } from 'node:timers/promises';
import { type ApiClient, orderBody, type Reply } from '@event-commerce/test-kit';
import type { Entry, Places } from './history.ts';

const WORKERS = 8;
/** The pause between a client's orders, so that a fault meets orders in every state instead of a saturated machine. */
const PAUSE_MS = 80;
const CUSTOMERS = 40;
const RETRY_DELAY_MS = 50;
const GIVE_UP_MS = 60_000;
const PENDING_FOR_S = 3_600;
/** Which earlier order the nth client reads: a prime, so that old and new ones take turns. */
const SCATTER = 31;

/** What becomes of an order: placed for good, pending and then confirmed, or placed and then cancelled. */
type Course = 'placed' | 'confirmed' | 'cancelled';

/** What clients were told. */
export interface Answers {
  placed: Set<string>;
  /** The orders of `placed` that were cancelled. */
  cancelled: Set<string>;
  refused: number;
  /** What was retried: responses that were not final, and broken connections as status 0. */
  retried: { status: number }[];
  /** Every request and its response, by the coupons that its order should redeem. */
  histories: Map<string, Entry[]>;
}

export interface OrderStream {
  readonly workers: number;
  /** Rejects when a client got a response that must never happen, or no final one within a minute. */
  readonly failed: Promise<never>;
  readonly placed: () => number;
  /** How many requests were retried so far. */
  readonly retried: () => number;
  /** Starts no more orders, and resolves when every client has its response. */
  finish(): Promise<Answers>;
}

/**
 * Clients that place one order after another, and retry each request until its response is final. `couponsOf` names
 * what the nth order redeems, `courseOf` what becomes of it. After each of their own, they read an order that one of
 * them placed before.
 */
export function startOrders(
  { companyId, api }: { companyId: string; api: ApiClient },
  couponsOf: (n: number) => string[],
  courseOf: (n: number) => Course = () => 'placed',
): OrderStream {
  const answers: Answers = { placed: new Set(), cancelled: new Set(), refused: 0, retried: [], histories: new Map() };
  let done = false;
  let sent = 0;

  /** Sends a request until its response is final, and records when that began and ended. */
  const ask = async (send: () => Promise<Reply>) => {
    const beganMs = performance.now();
    for (;;) {
      const reply = await send().catch(() => undefined);
      const endedMs = performance.now();
      // A 429 had no effect: the company has too many requests in flight.
      if (reply !== undefined && reply.status < 500 && reply.status !== 429)
        return { reply, times: { beganMs, endedMs } };
      if (endedMs - beganMs > GIVE_UP_MS) {
        throw new Error(`a request got no final response, the last one was ${reply?.status ?? 'a broken connection'}`);
      }
      answers.retried.push({ status: reply?.status ?? 0 });
      await delay(RETRY_DELAY_MS);
    }
  };

  const placeOne = async (): Promise<void> => {
    const n = sent++;
    const customer = { id: `cus_${n % CUSTOMERS}`, email: 'buyer@example.com' };
    const coupons = couponsOf(n);
    const redeems = coupons.join();
    const history = answers.histories.get(redeems) ?? [];
    answers.histories.set(redeems, history);
    const takes = { [redeems]: 1 };
    const course = courseOf(n);
    const pending = course === 'confirmed' ? { expiresInSeconds: PENDING_FOR_S } : {};
    const order = orderBody(companyId, { coupons, customer, ...pending });
    const { reply, times } = await ask(() => api.post('/v1/orders', order));
    const { status, body } = reply;
    if (status === 409) {
      answers.refused += 1;
      history.push({ ...times, what: 'write', order: `number ${n}`, takes, told: 'full' });
      return;
    }
    if (status >= 300) throw new Error(`an order returned ${status}: ${JSON.stringify(body)}`);
    const { id } = body.data.order;
    answers.placed.add(id);
    history.push({ ...times, what: 'write', order: id, takes, told: 'done' });
    if (course === 'confirmed') {
      const confirmed = await ask(() => api.post(`/v1/orders/${id}/confirm`, {}));
      if (confirmed.reply.status !== 200) throw new Error(`a confirmation returned ${confirmed.reply.status}`);
    }
    if (course === 'cancelled') {
      const cancelled = await ask(() => api.post(`/v1/orders/${id}/cancel`, {}));
      if (cancelled.reply.status !== 200) throw new Error(`a cancel returned ${cancelled.reply.status}`);
      answers.cancelled.add(id);
      history.push({ ...cancelled.times, what: 'write', order: id, takes: {}, told: 'done' });
    }
    const { order: read } = history[(n * SCATTER) % history.length] as Entry;
    await readOne(history, course === 'cancelled' ? id : read, takes);
  };

  const readOne = async (history: Entry[], id: string, takes: Places): Promise<void> => {
    if (!answers.placed.has(id)) return;
    const { reply, times } = await ask(() => api.get(`/v1/orders/${id}`));
    const standing = reply.status === 200 && reply.body.data.status !== 'cancelled' ? takes : {};
    history.push({ ...times, what: 'read', order: id, told: reply.status === 404 ? 'unknown' : standing });
  };
  const workers = Array.from({ length: WORKERS }, async () => {
    while (!done) {
      await placeOne();
      await delay(PAUSE_MS);
    }
  });
  const running = Promise.all(workers);
  const failed = running.then(() => new Promise<never>(() => {}));
  // `finish` throws the same error.
  failed.catch(() => {});
  return {
    workers: WORKERS,
    failed,
    placed: () => answers.placed.size,
    retried: () => answers.retried.length,
    async finish(): Promise<Answers> {
      done = true;
      await running;
      return answers;
    },
  };
}
