import { ApiError, type Client, type components, dataOf } from '@event-commerce/client';
import { effectText } from '../format/effect-text.ts';
import { typedAmount } from '../format/format.ts';
import { localOf } from '../format/zoned-time.ts';
import { type Question, questionFrom } from './question.ts';

type Schemas = components['schemas'];
type Modifier = Schemas['Modifier'];

/** Enough for a cart that a person explains; each takes a request. */
const LINES_MAX = 20;

/** A price and how it came about, whatever it is the price of. Amounts are minor units of `currency`. */
export interface Explanation {
  currency: string;
  /** The price before adjustments, at list prices. */
  subtotal: number;
  steps: Step[];
  total: number;
  totalLabel: string;
  /** The steps would have taken more than there was. */
  clamped: boolean;
  dropped: Schemas['DroppedAdjustment'][];
  codes: Schemas['CodeResult'][];
}

/** The explanation of a cart or an order. Each line has the question that explains it by itself. */
interface StoredExplanation extends Explanation {
  lines: Line[];
}

export interface Line {
  name: string;
  question: Question;
}

/** One bar of the waterfall. */
interface Step {
  id: string;
  label: string;
  note: string;
  /** What the step adds to the price; negative for a discount. */
  amount: number;
}

/** One offering at a time: every adjustment that did not apply is listed. */
export async function explainOffering(
  client: Client,
  request: Schemas['EvaluateRequest'],
  signal: AbortSignal,
): Promise<Explanation> {
  const found = await dataOf(client.POST('/v1/pricing/adjustments/evaluate', { body: request, signal }));
  return {
    ...found.summary,
    totalLabel: 'The buyer pays',
    steps: [...found.perUnitModifiers, ...found.perOrderModifiers].map(stepOf),
    clamped: found.summary.clampedAtZero,
    dropped: found.droppedAdjustments,
    codes: found.codes,
  };
}

/** A stored cart: what its codes did, but not which other adjustments did not apply. */
export async function explainCart(client: Client, id: string, signal: AbortSignal): Promise<StoredExplanation> {
  const cart = await dataOf(client.GET('/v1/cart/sessions/{id}', { params: { path: { id } }, signal }));
  const { fees = 0, tax = 0, clampedAtZero = false, ...summary } = cart.summary;
  const items = cart.items.map(({ offeringId = '', ...item }) => ({ ...item, offeringId }));
  const isOrdered = cart.status === 'ordered';
  const lines = items.flatMap((item) =>
    item.modifiers.map((modifier) => ({ ...modifier, place: item.name ?? item.offeringId })),
  );
  return {
    ...summary,
    totalLabel: isOrdered ? 'The order’s total' : 'The buyer pays',
    // One that is ordered shows what its order costs.
    steps: isOrdered
      ? stepsOfOrder({ items, pricing: { modifiers: cart.perOrderModifiers }, costs: { ...summary, fees, tax } })
      : [...merged(lines, items.length), ...cart.perOrderModifiers.map(stepOf)],
    clamped: clampedAtZero,
    dropped: [],
    codes: cart.couponResults,
    lines: await linesOf(client, { ...cart, codes: cart.coupons }, items, signal),
  };
}

/** A stored order, by its id or number. */
export async function explainOrder(client: Client, id: string, signal: AbortSignal): Promise<StoredExplanation> {
  const order = await orderOf(client, id, signal);
  const { costs, customer, customerSegment, channelId, contextId, coupons } = order;
  const buyer = {
    ...given({ customerId: customer.id, customerSegment, channelId }),
    contextId,
    currency: costs.currency,
    codes: coupons.map(({ code }) => code),
    at: order.createdAt,
  };
  const items = order.items.map(({ offeringId = '', ...item }) => ({ ...item, offeringId }));
  return { ...explanationOf(order), lines: await linesOf(client, buyer, items, signal) };
}

async function orderOf(client: Client, id: string, signal: AbortSignal): Promise<Schemas['Order']> {
  // Only an order number has these characters. Most paths with them are refused, or changed by the browser.
  if (/[/\\%]|^\.|\.$/.test(id)) {
    const [found] = await dataOf(client.GET('/v1/orders', { params: { query: { orderNumber: id } }, signal }));
    if (found === undefined)
      throw new ApiError(404, { error: { code: 'ORDER_NOT_FOUND', message: `There is no order ${id}.` } });
    return found;
  }
  return await dataOf(client.GET('/v1/orders/{id}', { params: { path: { id } }, signal }));
}

/** What was charged, whatever campaigns there are now. */
export function explanationOf(order: Schemas['Order']): Explanation {
  const { costs, coupons, status } = order;
  return {
    currency: costs.currency,
    subtotal: costs.subtotal,
    total: costs.total,
    totalLabel: TOTAL_LABELS[status] ?? 'The buyer paid',
    steps: stepsOfOrder(order),
    clamped: false,
    dropped: [],
    codes: coupons.map(({ code, redemptionId, detail }) =>
      redemptionId === undefined ? { code, status: 'dropped', ...given({ detail }) } : { code, status: 'applied' },
    ),
  };
}

const TOTAL_LABELS: Readonly<Record<string, string>> = {
  pending: 'The buyer will pay',
  cancelled: 'The order’s total',
  expired: 'The order’s total',
};

/** What made the price of an order. Together with its subtotal, the steps always give its total. */
export function stepsOfOrder({
  items,
  pricing,
  costs,
}: {
  items: readonly { modifiers: readonly Modifier[]; name?: string; offeringId?: string }[];
  pricing: { modifiers: readonly Modifier[]; withheld?: number };
  costs: { subtotal: number; fees: number; tax: number; total: number };
}): Step[] {
  const ofItems = items.flatMap(({ modifiers, name, offeringId = '' }) =>
    modifiers.map((modifier) => ({ ...modifier, place: name ?? offeringId })),
  );
  const steps = [...merged(ofItems, items.length), ...pricing.modifiers.map(stepOf)];
  const { withheld = 0 } = pricing;
  const stated = costs.total - costs.subtotal - costs.fees - costs.tax - sumOf(steps) - withheld;
  const plain = (id: string, label: string, note: string, amount: number) =>
    amount === 0 ? [] : [{ id, label, note, amount }];
  return [
    ...steps,
    ...plain('withheld', 'Withheld', 'a discount that only returned tickets made possible', withheld),
    ...plain('stated', 'Price as stated', 'by the system that placed the order', stated),
    ...plain('fees', 'Fees', 'as the order states them', costs.fees),
    ...plain('tax', 'Tax', 'as the order states it', costs.tax),
  ];
}

function sumOf(steps: readonly Step[]): number {
  return steps.reduce((sum, { amount }) => sum + amount, 0);
}

/** What is asked about each line of a cart or an order. */
interface Bought {
  codes: readonly string[];
  customerId?: string;
  customerSegment?: string;
  channelId?: string;
  contextId?: string;
  currency: string;
  /** The time of the purchase; now if absent. */
  at?: string;
}

async function linesOf(
  client: Client,
  bought: Bought,
  items: readonly { offeringId: string; name?: string; quantity: number; unitPrice?: number | null | undefined }[],
  signal: AbortSignal,
): Promise<Line[]> {
  const zones = new Map<string, Promise<string>>();
  const zoneOf = async (id: string) => {
    const zone =
      zones.get(id) ??
      client
        .GET('/v1/events/{id}', { params: { path: { id } }, signal })
        .then(({ data }) => data?.data.timezone ?? 'UTC');
    zones.set(id, zone);
    return await zone;
  };
  return await Promise.all(
    items.slice(0, LINES_MAX).map(async ({ offeringId, name = offeringId, quantity, unitPrice }): Promise<Line> => {
      const { at, contextId = '', currency } = bought;
      const question = {
        ...questionFrom({ of: 'price' }),
        offering: offeringId,
        quantity: String(quantity),
        codes: bought.codes.join(', '),
        customer: bought.customerId ?? '',
        segment: bought.customerSegment ?? '',
        channel: bought.channelId ?? '',
        at: at === undefined ? '' : localOf(at, 'UTC'),
      };
      // If it is not in the catalogue, or not for this key, the price is the one that it has here.
      const path = { id: offeringId };
      const found =
        offeringId === '' ? undefined : (await client.GET('/v1/offerings/{id}', { params: { path }, signal })).data;
      if (found === undefined) {
        const price = typedAmount(unitPrice ?? 0, currency);
        return { name, question: { ...question, event: contextId, price, currency } };
      }
      const { eventId } = found.data;
      const local = at === undefined ? '' : localOf(at, await zoneOf(eventId));
      return { name, question: { ...question, of: 'offering', event: eventId, at: local } };
    }),
  );
}

/** `members` without those that are undefined. */
function given<T extends Record<string, string | undefined>>(members: T): { [K in keyof T]?: string } {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: string;
  };
}

/** The same adjustment on several lines of a cart is one step. */
function merged(modifiers: (Modifier & { place: string })[], lines: number): Step[] {
  return [...Map.groupBy(modifiers, ({ adjustmentId }) => adjustmentId).values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const places = group.map(({ place }) => place).join(', ');
    const step = stepOf(first);
    const note = lines === 1 ? step.note : `${step.note} · ${places}`;
    return [{ ...step, note, amount: group.reduce((sum, { total }) => sum + total, 0) }];
  });
}

function stepOf(modifier: Modifier): Step {
  const { adjustmentId, name, code, effect, total } = modifier;
  const note = [effectText(effect), ...(code === undefined || code === name ? [] : [`code ${code}`])].join(' · ');
  return { id: adjustmentId, label: name, note, amount: total };
}
