import { setTimeout as delay } from 'node:timers/promises';
import type { ApiClient, Reply } from '@event-commerce/test-kit';
import type { Entry, Places } from '../faults/history.ts';
import type { Sale } from './sale.ts';

const RETRY_DELAY_MS = 100;
const GIVE_UP_MS = 90_000;
/** How a change of a pending order is refused once it has expired. */
const EXPIRED = new Set(['ORDER_EXPIRED', 'ORDER_STATUS_CONFLICT']);
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

interface Tickets {
  offeringId: string;
  quantity: number;
}

/** What a buyer does with the order once it is made; after a change it has only these tickets. */
export type Step = 'confirm' | 'cancel' | 'reopen' | { change: Tickets };

/** What a buyer wants, and does with the order once it is made. */
export interface Plan extends Tickets {
  wantsSeat: boolean;
  wantsDiscount: boolean;
  clicks: number;
  pending: boolean;
  steps: readonly Step[];
}

/** What a buyer was told: an order, or the code of the refusal that ended the purchase. */
export type Outcome = ({ told: Told } | { refused: string }) & {
  notes: string[];
  /** What was asked about tickets, and the responses. */
  history: Entry[];
};

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
  const history: Entry[] = [];
  const set = async (send: () => Promise<Reply>) => {
    const reply = await ask(send);
    if (reply.status >= 300) notes.push(`${buyer}: the cart answered ${reply.status} ${reply.body.error?.code}`);
    return reply;
  };
  await set(() =>
    api.post(`${cart}/item`, { offeringId: plan.offeringId, quantity: plan.quantity, contextId: sale.eventId }),
  );
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
    const beganMs = performance.now();
    const replies = await Promise.all(Array.from({ length: plan.clicks }, async (_, click) => place(click)));
    const made = replies.filter(({ status }) => status < 300).map(({ body }) => body.data.order);
    const ids = new Set(made.map(({ id }) => id as string));
    if (ids.size > 1) notes.push(`${buyer}: ${plan.clicks} clicks made ${ids.size} orders`);
    const [first] = made;
    if (first !== undefined) {
      // One click may have come just before somebody returned a ticket, and another just after. When repeated, it must
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
      const takes = placesOf(sale, first.items);
      history.push({ what: 'write', order: first.id, takes, told: 'done', beganMs, endedMs: performance.now() });
      const own: Own = { told, takes, notes, history };
      for (const step of plan.steps) await take(sale, api, own, step);
      if (told.state === 'pending') history.push(expiryOf(told.orderId, history, Infinity));
      // The cart of a cancelled order is open again, and keeps its seat.
      if (plan.wantsSeat && told.state === 'cancelled') await ask(() => api.post(`${cart}/leave-table`));
      return { told, notes, history };
    }
    const refusal = replies[0]?.body.error?.code as string;
    const takes = placesOf(sale, [plan]);
    const why = refusal === 'SOLD_OUT' ? 'full' : 'refused';
    history.push({ what: 'write', order: order.orderNumber, takes, told: why, beganMs, endedMs: performance.now() });
    if (refusal === 'REDEMPTION_LIMIT_REACHED') await set(() => api.patch(cart, { coupons: [] }));
    else if (refusal !== 'PRICE_CHANGED') {
      if (plan.wantsSeat) await ask(() => api.post(`${cart}/leave-table`));
      return { refused: refusal, notes, history };
    }
  }
  if (plan.wantsSeat) await ask(() => api.post(`${cart}/leave-table`));
  return { refused: 'the price kept changing', notes, history };
}

/** An order as its buyer knows it, and all that the buyer was told about it. */
interface Own {
  told: Told;
  /** What it takes, or took before it was cancelled. */
  takes: Places;
  notes: string[];
  history: Entry[];
}

async function take(sale: Sale, api: ApiClient, own: Own, step: Step): Promise<void> {
  const { told, notes, history } = own;
  const path = `/v1/orders/${told.orderId}`;
  const beganMs = performance.now();
  const write = (takes: Places, answer: 'done' | 'full' | 'refused') => {
    history.push({ what: 'write', order: told.orderId, takes, told: answer, beganMs, endedMs: performance.now() });
  };
  const isChange = typeof step === 'object';
  const { status, body } = await ask(() =>
    isChange
      ? api.post(`${path}/amendments`, { mode: 'keep', items: only(step.change, sale) })
      : api.post(`${path}/${step}`, {}),
  );
  const wanted = isChange ? placesOf(sale, [step.change]) : step === 'cancel' ? {} : own.takes;
  if (status < 300) {
    const order = isChange ? body.data.order : body.data;
    Object.assign(told, { state: order.status, charged: order.costs.total });
    own.takes = placesOf(sale, order.items);
    write(order.status === 'cancelled' ? {} : own.takes, 'done');
  } else if (status === 409 && EXPIRED.has(body.error.code) && told.state === 'pending') {
    told.state = 'expired';
    history.push(expiryOf(told.orderId, history, performance.now()));
  } else {
    write(wanted, body.error?.code === 'SOLD_OUT' ? 'full' : 'refused');
    const mayBeRefused = status === 409 && (step === 'reopen' || body.error.code === 'SOLD_OUT');
    if (!mayBeRefused) notes.push(`${told.orderId}: ${JSON.stringify(step)} returned ${status} ${body.error?.code}`);
  }
}

/** The entry that an order expired at some time after its last response. */
function expiryOf(order: string, history: readonly Entry[], endedMs: number): Entry {
  return { what: 'write', order, takes: {}, told: 'done', beganMs: history.at(-1)?.endedMs ?? 0, endedMs };
}

/** The items of an amendment after which an order has only `tickets`. */
function only(tickets: Tickets, { offeringIds }: Sale): Tickets[] {
  return offeringIds.map((id) => (id === tickets.offeringId ? tickets : { offeringId: id, quantity: 0 }));
}

function placesOf({ eventId }: Sale, items: readonly Tickets[]): Places {
  const places: Record<string, number> = {};
  for (const { offeringId, quantity } of items) {
    places[offeringId] = (places[offeringId] ?? 0) + quantity;
    places[eventId] = (places[eventId] ?? 0) + quantity;
  }
  return places;
}
