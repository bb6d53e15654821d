import type { components } from '@event-commerce/client';
import { count, money, number } from './format.ts';

type Effect = components['schemas']['Effect'];

/** What an adjustment does, in a few words: `20% off each ticket`. */
export function effectText(effect: Effect): string {
  const what = whatItDoes(effect);
  const most = effect.maxAmount === undefined ? '' : `, at most ${amountText(effect.maxAmount, currencyOf(effect))}`;
  return `${what}${most}${unitsText(effect)}`;
}

function unitsText(effect: Effect): string {
  const units = 'units' in effect ? effect.units : undefined;
  if (units === undefined) return '';
  const { max, pick } = units;
  return max === 1 ? `, for the ${pick} ticket` : `, for the ${number(max)} ${pick} tickets`;
}

function whatItDoes(effect: Effect): string {
  const each = effect.per === 'order' ? 'the order' : 'each ticket';
  switch (effect.kind) {
    case 'percentage_off':
      return `${number(effect.percent)}% off ${each}`;
    case 'amount_off':
      return `${amountText(effect.amount, effect.currency)} off ${each}`;
    case 'fixed_price':
      return `${each} for ${amountText(effect.amount, effect.currency)}`;
    case 'percentage_surcharge':
      return `${number(effect.percent)}% on top of ${each}`;
    case 'amount_surcharge':
      return `${amountText(effect.amount, effect.currency)} on top of ${each}`;
    case 'tiered':
      return effect.tiers
        .toSorted((a, b) => a.minQuantity - b.minQuantity)
        .map((tier) => `${tierText(tier, effect.currency)} from ${count(tier.minQuantity, 'ticket')}`)
        .join(', ');
    case 'buy_x_get_y':
      return `buy ${number(effect.buy)}, get ${number(effect.get)} ${effect.percent === 100 ? 'free' : `at ${number(effect.percent)}% off`}`;
    default:
      return effect satisfies never;
  }
}

function tierText(tier: { percent?: number; amount?: number }, currency: string | undefined): string {
  return tier.amount === undefined ? `${number(tier.percent ?? 0)}% off` : `${amountText(tier.amount, currency)} off`;
}

/** The currency of its amounts; undefined for one without, or one that takes the price's. */
export function currencyOf(effect: Effect): string | undefined {
  return 'currency' in effect ? effect.currency : undefined;
}

/** Without a currency, it is minor units of whatever currency the price is in. */
function amountText(amount: number, currency: string | undefined): string {
  return currency === undefined ? (amount / 100).toFixed(2) : money(amount, currency);
}
