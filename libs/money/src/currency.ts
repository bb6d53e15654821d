import iso4217 from 'currency-codes';

/** Codes of the standard that nobody pays in: metals, units of account, the test code and "no currency". */
const NOT_MONEY = new Set(['XAG', 'XAU', 'XBA', 'XBB', 'XBC', 'XBD', 'XDR', 'XPD', 'XPT', 'XSU', 'XTS', 'XUA', 'XXX']);

const digitsByCode = new Map(
  iso4217.data.filter(({ code }) => !NOT_MONEY.has(code)).map(({ code, digits }) => [code, digits]),
);

/** Every code of ISO 4217 that somebody pays in, upper case. */
export const CURRENCY_CODES: readonly string[] = [...digitsByCode.keys()];

/** Whether `code` is an ISO 4217 code that somebody pays in, in upper case as the standard writes it. */
export function isCurrencyCode(code: string): boolean {
  return digitsByCode.has(code);
}

/** How many decimals the major unit has: 2 for EUR, 0 for JPY. An unknown code counts as 2. */
export function minorUnitDigits(code: string): number {
  return digitsByCode.get(code) ?? 2;
}
