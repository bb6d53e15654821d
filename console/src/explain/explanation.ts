import { type Client, type components, dataOf } from '@event-commerce/client';
import { effectText } from '../shell/effect-text.ts';
import { typedAmount } from '../shell/format.ts';
import { type Question, questionFrom } from './question.ts';

type Schemas = components['schemas'];
type Modifier = Schemas['Modifier'];

/** Enough for a cart that a person explains; each takes a request. */
const LINES_MAX = 20;

/** A price and how it came about, whatever it is the price of. Amounts are minor units of `currency`. */
export interface Explanation {
  currency: string;
  /** At list prices. */
  subtotal: number;
  steps: Step[];
  total: number;
  /** The steps would have taken more than there was. */
  clamped: boolean;
  dropped: Schemas['DroppedAdjustment'][];
  codes: Schemas['CodeResult'][];
  /** The lines of a cart, each with the question that explains it by itself. */
  lines: Line[];
}

export interface Line {
  name: string;
  question: Question;
}

/** One bar of the waterfall. */
export interface Step {
  id: string;
  label: string;
  note: string;
  /** Signed: what it adds to the price. */
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
    steps: [...found.perUnitModifiers, ...found.perOrderModifiers].map(stepOf),
    clamped: found.summary.clampedAtZero,
    dropped: found.droppedAdjustments,
    codes: found.codes,
    lines: [],
  };
}

/** A stored cart: what its codes did, but not which other adjustments did not apply. */
export async function explainCart(client: Client, id: string, signal: AbortSignal): Promise<Explanation> {
  const cart = await dataOf(client.GET('/v1/cart/sessions/{id}', { params: { path: { id } }, signal }));
  const lines = cart.items.flatMap((item) =>
    item.modifiers.map((modifier) => ({ ...modifier, place: item.name ?? item.offeringId })),
  );
  return {
    ...cart.summary,
    steps: [...merged(lines), ...cart.perOrderModifiers.map(stepOf)],
    clamped: cart.summary.clampedAtZero,
    dropped: [],
    codes: cart.couponResults,
    lines: await Promise.all(cart.items.slice(0, LINES_MAX).map(async (item) => lineOf(client, cart, item))),
  };
}

async function lineOf(
  client: Client,
  cart: Schemas['CartSession'],
  item: Schemas['CartSession']['items'][number],
): Promise<Line> {
  const bought = {
    ...questionFrom({ of: 'price' }),
    offering: item.offeringId,
    quantity: String(item.quantity),
    codes: cart.coupons.join(', '),
    customer: cart.customerId ?? '',
    segment: cart.customerSegment ?? '',
    channel: cart.channelId ?? '',
  };
  const name = item.name ?? item.offeringId;
  // Not in the catalogue, or not for this key: then at the price that the cart has.
  const { data } = await client.GET('/v1/offerings/{id}', { params: { path: { id: item.offeringId } } });
  if (data !== undefined) return { name, question: { ...bought, of: 'offering', event: data.data.eventId } };
  const { currency, contextId = '' } = cart;
  const price = typedAmount(item.unitPrice ?? 0, currency);
  return { name, question: { ...bought, event: contextId, price, currency } };
}

/** The same adjustment on several lines of a cart is one step. */
function merged(modifiers: (Modifier & { place: string })[]): Step[] {
  return [...Map.groupBy(modifiers, ({ adjustmentId }) => adjustmentId).values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const places = group.map(({ place }) => place).join(', ');
    const step = stepOf(first);
    return [{ ...step, note: `${step.note} · ${places}`, amount: group.reduce((sum, { total }) => sum + total, 0) }];
  });
}

function stepOf(modifier: Modifier): Step {
  const { adjustmentId, name, code, effect, total } = modifier;
  const note = [effectText(effect), ...(code === undefined || code === name ? [] : [`code ${code}`])].join(' · ');
  return { id: adjustmentId, label: name, note, amount: total };
}
