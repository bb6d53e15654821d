import iso4217 from 'currency-codes';

const digitsByCode = new Map(iso4217.data.map((currency) => [currency.code, currency.digits]));

/** Every currency code of ISO 4217 in force, upper case. */
export const CURRENCY_CODES: readonly string[] = [...digitsByCode.keys()];

/** Whether `code` is an ISO 4217 code, in upper case as the standard writes it. */
export function isCurrencyCode(code: string): boolean {
  return digitsByCode.has(code);
}

/** How many decimals the major unit has: 2 for EUR, 0 for JPY. An unknown code counts as 2. */
export function minorUnitDigits(code: string): number {
  return digitsByCode.get(code) ?? 2;
}
