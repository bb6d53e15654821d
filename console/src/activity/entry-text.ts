import type { components } from '@event-commerce/client';
import { money, number, OWN_ZONE, time } from '../format/format.ts';
import type { Entry } from './follow-activity.ts';

type Change = components['schemas']['RecordChange'];
type Json = Readonly<Record<string, unknown>>;

/** What happened, where the type alone does not say it well. */
const HAPPENED: Readonly<Record<string, string>> = {
  'order.pending': 'placed, waiting for payment',
  'order.expired': 'expired unpaid',
  'order.amendment_pending': 'has an amendment that waits for payment',
  'order.amendment_ended': 'stays as it was: its amendment ended',
  'instance.reverted': 'reverted to its series',
  'event.called_off': 'called off',
  'event.call_off_undone': 'is on again: its call-off was undone',
  'event.call_off_finished': 'called off: its orders are dealt with',
  'purchase_group.merged': 'merged with another group',
  'offering.available': 'available again',
  'cart.table_joined': 'joined',
  'cart.table_left': 'left its table',
  'activity.gap': 'Events before this one may be missing',
};

/** What happened to the record: `placed`, `changed`. The platform may add types. */
export function happened({ type }: Pick<Entry, 'type'>): string {
  const action = type.slice(type.indexOf('.') + 1).replaceAll('_', ' ');
  return HAPPENED[type] ?? (action === 'updated' ? 'changed' : action);
}

/** `Order S-1 placed, €50.00`. */
export function sentence(entry: Entry): string {
  if (entry.type === 'activity.gap') return happened(entry);
  const { costs, currency } = entry.data;
  const total = isObject(costs) ? costs['total'] : undefined;
  const amount = typeof total === 'number' && typeof currency === 'string' ? `, ${money(total, currency)}` : '';
  return `${recordOf(entry).name} ${happened(entry)}${amount}`;
}

/** What the entry is about, as an organiser calls it, and where the console shows it. */
export function recordOf({ type, subject, data }: Pick<Entry, 'type' | 'subject' | 'data'>): {
  name: string;
  href?: string;
} {
  const text = (member: string, of: Json = data) =>
    typeof of[member] === 'string' && of[member] !== '' ? of[member] : undefined;
  const named = (what: string) => `${what} ${text('name') === undefined ? subject : `“${text('name')}”`}`;
  const page = (path: string, id = subject) => `/console/${path}${encodeURIComponent(id)}`;
  const couponId = text('couponId');
  const kind = type.slice(0, type.indexOf('.'));
  switch (kind) {
    case 'order':
      return { name: `Order ${text('orderNumber') ?? subject}`, href: page('sales/orders/') };
    case 'coupon':
      return { name: `Coupon ${text('code') ?? subject}`, href: page('coupons/') };
    case 'adjustment':
      return couponId === undefined
        ? { name: named('Campaign'), href: page('campaigns/') }
        : { name: `Price of ${named('coupon')}`, href: page('coupons/', couponId) };
    case 'redemption': {
      const redemption = isObject(data['redemption']) ? data['redemption'] : {};
      const [adjustmentId, orderId] = [text('adjustmentId', redemption), text('orderId', redemption)];
      const of = text('code', redemption) ?? 'a campaign';
      const name = `Redemption of ${of}${orderId === undefined ? '' : ` for order ${orderId}`}`;
      if (couponId !== undefined) return { name, href: page('coupons/', couponId) };
      return adjustmentId === undefined ? { name } : { name, href: page('campaigns/', adjustmentId) };
    }
    case 'event':
    case 'instance':
      return { name: named(text('kind') === 'series' ? 'Series' : 'Event'), href: page('events/') };
    case 'offering':
      return { name: named('Offering'), href: page('events/', text('eventId')) };
    case 'webhook':
      return { name: `Webhook ${text('url') ?? subject}`, href: page('webhooks/') };
    case 'api_key':
      return { name: named('Key'), href: '/console/keys' };
    case 'cart':
      return { name: `${type === 'cart.table_joined' ? 'Table' : 'Cart'} ${subject}` };
    case 'customer':
      return { name: `Customer ${text('pseudonym') ?? subject}` };
    case 'purchase_group':
      return { name: named('Group') };
    default:
      return { name: `${kind.charAt(0).toUpperCase()}${kind.slice(1).replaceAll('_', ' ')} ${subject}` };
  }
}

/** Who did it: the name of the key, or the platform itself. */
export function actorName({ actor }: Pick<Entry, 'actor'>): string {
  return actor === undefined ? 'The platform' : (actor.name ?? actor.keyId);
}

/** A change as it is read. */
interface ReadChange {
  /** `conditions › max redemptions`. */
  name: string;
  /** Undefined where they are not kept. */
  values: readonly [before: string, after: string] | undefined;
}

const AMOUNT = /(?:amount|amountOff|total|price|costs\.\w+)$/i;

/** `data`: the record afterwards, which knows the currency of its amounts. */
export function readChange({ path, before, after, redacted, truncated }: Change, data: Json): ReadChange {
  const name = memberName(path);
  if (redacted || truncated) return { name, values: undefined };
  const isAmount = AMOUNT.test(path) && [before, after].some((value) => typeof value === 'number');
  if (!isAmount) {
    return { name, values: [before, after].some(isLongJson) ? undefined : [valueText(before), valueText(after)] };
  }
  const currency = currencyAt(path, data);
  const amount = (value: unknown) =>
    typeof value === 'number' && currency !== undefined ? money(value, currency) : valueText(value);
  // So that nobody takes cents for euros.
  return { name: currency === undefined ? `${name} (minor units)` : name, values: [amount(before), amount(after)] };
}

function memberName(path: string): string {
  if (path === '*') return 'and more';
  return path
    .split('.')
    .map((name) => name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`))
    .join(' › ');
}

/** The currency beside the member at `path`, or else that of the record. */
function currencyAt(path: string, data: Json): string | undefined {
  let [object, found]: [unknown, unknown] = [data, data['currency']];
  for (const name of path.split('.')) {
    object = isObject(object) ? object[name] : undefined;
    if (isObject(object)) found = object['currency'] ?? found;
  }
  return typeof found === 'string' ? found : undefined;
}

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;

function valueText(value: unknown): string {
  if (value === undefined || value === null || value === '') return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') return number(value);
  if (typeof value === 'string') return INSTANT.test(value) ? time(value, OWN_ZONE) : value;
  if (isObject(value) && typeof value['amount'] === 'number' && typeof value['currency'] === 'string') {
    return money(value['amount'], value['currency']);
  }
  const isPlainList = Array.isArray(value) && value.every((one) => typeof one !== 'object');
  return isPlainList ? value.map(valueText).join(', ') || 'none' : JSON.stringify(value);
}

const JSON_MAX = 120;

/** Whether a value would be shown as JSON that nobody reads. */
function isLongJson(value: unknown): boolean {
  const text = valueText(value);
  return text.length > JSON_MAX && text === JSON.stringify(value);
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const BRIEF_MAX = 60;
const NAMED_MAX = 3;

/** The changes in a few words: `percent off 10 → 15`, or only what changed if that is long. */
export function briefly({ changes = [], data }: Pick<Entry, 'changes' | 'data'>): string {
  const read = changes.map((change) => readChange(change, data));
  const full = read.map(({ name, values }) => [name, ...(values ? [values.join(' → ')] : [])].join(' ')).join(', ');
  if (full.length <= BRIEF_MAX) return full;
  const names = read.slice(0, NAMED_MAX).map(({ name }) => name);
  return `${names.join(', ')}${read.length > NAMED_MAX ? ` and ${number(read.length - NAMED_MAX)} more` : ''}`;
}
