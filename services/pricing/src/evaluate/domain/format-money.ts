import { minorUnitDigits } from '@event-commerce/money';

/** `amount` minor units for merchants: `32.50 EUR`, `1500 JPY`. */
export function formatMoney(amount: number, currency: string): string {
  const decimals = minorUnitDigits(currency);
  const digits = String(Math.abs(amount)).padStart(decimals + 1, '0');
  const split = digits.length - decimals;
  const fraction = decimals === 0 ? '' : `.${digits.slice(split)}`;
  return `${amount < 0 ? '-' : ''}${digits.slice(0, split)}${fraction} ${currency}`;
}
