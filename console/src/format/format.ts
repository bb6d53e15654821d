import { minorUnitDigits } from '@event-commerce/money';

/** `amount` is in minor units. In the language of the visitor. */
export function money(amount: number, currency: string, sign: 'auto' | 'always' = 'auto'): string {
  return moneyFormat(currency, sign).format(amount / 10 ** minorUnitDigits(currency));
}

/** What a person typed, `49.90` or `49,90`, in minor units; undefined if that is not an amount of the currency. */
export function minorUnitsOf(typed: string, currency: string): number | undefined {
  const digits = minorUnitDigits(currency);
  const match = /^(\d{1,13})(?:[.,](\d+))?$/.exec(typed.trim());
  if (match === null) return undefined;
  const [, whole = '', decimals = ''] = match;
  if (decimals.length > digits) return undefined;
  return Number(whole + decimals.padEnd(digits, '0'));
}

/** An amount in minor units as a person would type it. */
export function typedAmount(amount: number, currency: string): string {
  const digits = minorUnitDigits(currency);
  return (amount / 10 ** digits).toFixed(digits);
}

export function isCurrency(code: string): boolean {
  return /^[A-Z]{3}$/.test(code);
}

const moneyFormats = new Map<string, Intl.NumberFormat>();

function moneyFormat(currency: string, sign: 'auto' | 'always'): Intl.NumberFormat {
  const known = moneyFormats.get(currency + sign);
  if (known !== undefined) return known;
  const signDisplay = sign === 'always' ? 'exceptZero' : 'auto';
  // Browsers leave out decimals that a currency has and nobody pays with, such as those of HUF.
  const digits = minorUnitDigits(currency);
  const made = new Intl.NumberFormat(undefined, {
    style: 'currency',
    currency,
    signDisplay,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  moneyFormats.set(currency + sign, made);
  return made;
}

/** With up to four decimals, as percentages have them. */
export function number(value: number): string {
  return value.toLocaleString(undefined, { maximumFractionDigits: 4 });
}

/** `2 tickets`, `1 ticket`. */
export function count(n: number, noun: string, plural = `${noun}s`): string {
  return `${number(n)} ${n === 1 ? noun : plural}`;
}

/** The visitor's time zone. */
export const OWN_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The day of a time, in the zone of the event it belongs to; UTC if that has none, as on the platform. */
export function day(instant: string, timeZone = 'UTC'): string {
  return new Date(instant).toLocaleDateString(undefined, { dateStyle: 'medium', timeZone });
}

/** A time in the zone of the event it belongs to, with the zone's name. */
export function time(instant: string, timeZone = 'UTC'): string {
  return new Date(instant).toLocaleString(undefined, {
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
    timeZone,
  });
}

/** How long something still lasts: `14:59`, `3:05:00`, `2 days 3:05:00`. Nothing is left below zero. */
export function timeLeft(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1_000));
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0');
  const [minutes, hours, days] = [(seconds / 60) % 60, (seconds / 3_600) % 24, Math.floor(seconds / 86_400)];
  const clock = seconds < 3_600 ? Math.floor(minutes) : `${Math.floor(hours)}:${two(minutes)}`;
  return `${days === 0 ? '' : `${count(days, 'day')} `}${clock}:${two(seconds % 60)}`;
}

/** A recent time, to the second, in the visitor's zone. */
export function moment(instant: string): string {
  return new Date(instant).toLocaleString(undefined, {
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    second: '2-digit',
  });
}

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** `in 3 days`, `2 hours ago`. */
export function distance(fromMs: number, toMs: number): string {
  const format = new Intl.RelativeTimeFormat('en', { numeric: 'always' });
  const ms = Math.abs(toMs - fromMs);
  const [unit, length] = UNITS.find(([, unitMs]) => ms >= unitMs) ?? (['second', 1000] as const);
  return format.format(Math.sign(toMs - fromMs) * Math.round(ms / length), unit);
}
