import { setTimeout as delay } from 'node:timers/promises';
import type { ApiClient, Reply } from '@event-commerce/test-kit';
import type { Sale } from './sale.ts';

const RETRY_DELAY_MS = 100;
const GIVE_UP_MS = 90_000;
/** Prices and seats change while a buyer hesitates: how often one tries again with what is true now. */
const TRIES_MAX = 8;

type State = 'pending' | 'placed' | 'cancelled' | 'expired';

/** An order as its buyer was told. */
interface Told {
  orderId: string;
  /** The last state that a response named. */
  state: State;
  /** Minor units: what the cart showed, and what the order charges. */
  shown: number;
  charged: number;
}

type Step = 'confirm' | 'cancel' | 'reopen';

/** What a buyer wants, and does with the order once it is made. */
export interface Plan {
  offeringId: string;
  wantsSeat: boolean;
  wantsDiscount: boolean;
  clicks: number;
  pending: boolean;
  steps: readonly Step[];
}

/** What a buyer was told: an order, or the code of the refusal that ended the purchase. */
export type Outcome = { told: Told; notes: string[] } | { refused: string; notes: string[] };

/**
 * Sends a request until its response is final: neither a failure nor a request to come back. The request has to be one
 * that may be repeated.
 */
export async function ask(send: () => Promise<Reply>): Promise<Reply> {
  const beganMs = performance.now();
  for (;;) {
    const reply = await send().catch(() => undefined);
    if (reply !== undefined && reply.status < 500 && !isForLater(reply)) return reply;
    if (performance.now() - beganMs > GIVE_UP_MS) {
      throw new Error(`a request got no final response, the last one was ${JSON.stringify(reply?.body ?? 'none')}`);
    }
    await delay(RETRY_DELAY_MS);
  }
}

function isForLater({ status, headers }: Reply): boolean {
  return status === 409 && headers.get('retry-after') !== null;
}

/** One buyer: fills a cart, orders what it shows, and does with the order what the plan says. */
export async function buy(sale: Sale, buyer: string, n: number, plan: Plan): Promise<Outcome> {
  const api = sale.apiOf(n);
  const cart = `/cart/sessions/${buyer}`;
  const notes: string[] = [];
  const set = async (send: () => Promise<Reply>) => {
    const reply = await ask(send);
    if (reply.status >= 300) notes.push(`${buyer}: the cart answered ${reply.status} ${reply.body.error?.code}`);
    return reply;
  };
  await set(() => api.post(`${cart}/item`, { offeringId: plan.offeringId, quantity: 1, contextId: sale.eventId }));
  if (plan.wantsDiscount) await set(() => api.patch(cart, { coupons: [sale.code] }));
  const join = `${cart}/join-table`;
  if (plan.wantsSeat) await ask(() => api.post(join, { tableCommitmentId: sale.tableId }));

  for (let attempt = 1; attempt <= TRIES_MAX; attempt++) {
    const { total: shown } = (await ask(() => api.get(cart))).body.data;
    const order = {
      orderNumber: `${buyer}-${attempt}`,
      currency: 'EUR',
      companyId: sale.company.companyId,
      organizerId: 'org_1',
      contextId: sale.eventId,
      customer: { id: buyer, email: `${buyer}@example.com` },
      cartSessionId: buyer,
      expectedTotal: shown,
      ...(plan.pending ? { expiresInSeconds: 60 } : {}),
      context: { urn: `urn:v1:${sale.company.companyId}:orders:order/${buyer}` },
    };
    const place = async (click: number) => ask(() => sale.apiOf(n + click).post('/v1/orders', { order }));
    const replies = await Promise.all(Array.from({ length: plan.clicks }, async (_, click) => place(click)));
    const made = replies.filter(({ status }) => status < 300).map(({ body }) => body.data.order);
    const ids = new Set(made.map(({ id }) => id as string));
    if (ids.size > 1) notes.push(`${buyer}: ${plan.clicks} clicks made ${ids.size} orders`);
    const [first] = made;
    if (first !== undefined) {
      // One click may have come just before somebody gave a ticket back, and another one after. Repeated, it has to
      // return the order.
      for (const { body } of replies.filter(({ status }) => status >= 300)) {
        const repeated = await place(n);
        if (repeated.body.data?.order.id !== first.id)
          notes.push(
            `${buyer}: a click got ${body.error.code}, and repeated ${repeated.body.error?.code}, not the order`,
          );
      }
      if (first.costs.total !== shown) notes.push(`${buyer}: shown ${shown}, charged ${first.costs.total}`);
      const told: Told = { orderId: first.id, state: first.status, shown, charged: first.costs.total };
      for (const step of plan.steps) await take(api, told, step, notes);
      // The cart of a cancelled order is open again, and keeps its seat.
      if (plan.wantsSeat && told.state === 'cancelled') await ask(() => api.post(`${cart}/leave-table`));
      return { told, notes };
    }
    const refusal = replies[0]?.body.error?.code as string;
    if (refusal === 'REDEMPTION_LIMIT_REACHED') await set(() => api.patch(cart, { coupons: [] }));
    else if (refusal !== 'PRICE_CHANGED') {
      if (plan.wantsSeat) await ask(() => api.post(`${cart}/leave-table`));
      return { refused: refusal, notes };
    }
  }
  if (plan.wantsSeat) await ask(() => api.post(`${cart}/leave-table`));
  return { refused: 'the price kept changing', notes };
}

async function take(api: ApiClient, told: Told, step: Step, notes: string[]): Promise<void> {
  const { status, body } = await ask(() => api.post(`/v1/orders/${told.orderId}/${step}`, {}));
  if (status === 200) told.state = body.data.status;
  else if (status === 409 && body.error.code === 'ORDER_EXPIRED') told.state = 'expired';
  else if (status !== 409 || step !== 'reopen')
    notes.push(`${told.orderId}: ${step} returned ${status} ${body.error?.code}`);
}
