import { type Client, type components, dataOf } from '@event-commerce/client';
import { count, distance, money } from '../format/format.ts';

type Schemas = components['schemas'];
type Dropped = Schemas['DroppedAdjustment'];
type Adjustment = Schemas['Adjustment'];

/** How far away an adjustment is from counting. */
export interface HowFar {
  /** `2 more tickets`. */
  text: string;
  /** How much of what is needed is there: 0 to 1. Absent if nothing is counted. */
  share?: number;
}

/** More thresholds than anybody reads: each takes a request. */
const READ_MAX = 20;
const THRESHOLDS: ReadonlySet<Dropped['reason']> = new Set([
  'quantity-below-minimum',
  'quantity-above-maximum',
  'order-total-below-minimum',
  'order-total-above-maximum',
  'not-started',
  'ended',
]);

function hasThreshold({ reason }: Dropped): boolean {
  return THRESHOLDS.has(reason);
}

/** How far away each of `dropped` is that has a threshold, by its adjustment's id. */
export async function loadHowFar(
  client: Client,
  dropped: readonly Dropped[],
  { cartContext, proposed = [] }: Schemas['EvaluateRequest'],
  signal: AbortSignal,
): Promise<Map<string, HowFar>> {
  // What is not saved cannot be read.
  const conditions = new Map(proposed.map((one, n) => [one.id ?? `proposed_${n}`, one.conditions ?? {}]));
  const found = await Promise.all(
    dropped
      .filter(hasThreshold)
      .slice(0, READ_MAX)
      .map(async (one) => {
        const path = { id: one.adjustmentId };
        const stated = conditions.get(one.adjustmentId);
        const adjustment =
          stated === undefined
            ? await dataOf(client.GET('/v1/pricing/adjustments/{id}', { params: { path }, signal }))
            : { conditions: stated };
        return [one.adjustmentId, howFar(one.reason, adjustment, cartContext)] as const;
      }),
  );
  return new Map(found.filter((entry): entry is [string, HowFar] => entry[1] !== undefined));
}

export function howFar(
  reason: Dropped['reason'],
  { conditions }: { conditions: Schemas['ConditionsInput'] | Adjustment['conditions'] },
  asked: Schemas['EvaluateRequest']['cartContext'],
): HowFar | undefined {
  const { minQuantity, maxQuantity, minOrderTotal, maxOrderTotal, startsAt, endsAt } = conditions;
  const quantity = asked.quantity ?? 1;
  const orderTotal = asked.orderTotal?.amount ?? 0;
  const nowMs = asked.now === undefined ? Date.now() : Date.parse(asked.now);

  // An effect may need more tickets than the conditions do.
  if (reason === 'quantity-below-minimum' && minQuantity !== undefined && quantity < minQuantity) {
    return { text: count(minQuantity - quantity, 'more ticket'), share: quantity / minQuantity };
  }
  if (reason === 'quantity-above-maximum' && maxQuantity !== undefined) {
    return { text: `${count(quantity - maxQuantity, 'ticket')} too many` };
  }
  if (reason === 'order-total-below-minimum' && minOrderTotal !== undefined) {
    const missing = money(minOrderTotal.amount - orderTotal, minOrderTotal.currency);
    return { text: `${missing} more`, share: orderTotal / minOrderTotal.amount };
  }
  if (reason === 'order-total-above-maximum' && maxOrderTotal !== undefined) {
    return { text: `${money(orderTotal - maxOrderTotal.amount, maxOrderTotal.currency)} too much` };
  }
  if (reason === 'not-started' && startsAt !== undefined) {
    return { text: `starts ${distance(nowMs, Date.parse(startsAt))}` };
  }
  if (reason === 'ended' && endsAt !== undefined) return { text: `ended ${distance(nowMs, Date.parse(endsAt))}` };
  return undefined;
}
