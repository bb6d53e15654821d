import iso4217 from 'currency-codes';

/** Codes of the list that are not used for payments. */
const NOT_MONEY = new Set(
  [
    // Metals, units of account, the test code and "no currency".
    'XAG XAU XBA XBB XBC XBD XDR XPD XPT XSU XTS XUA XXX',
    // Fund codes and units of account of single countries.
    'BOV CHE CHW CLF COU MXV USN UYI UYW',
    // Withdrawn: the Netherlands Antillean guilder, the Bulgarian lev and the convertible peso of Cuba.
    'ANG BGN CUC',
  ].flatMap((codes) => codes.split(' ')),
);
/** Codes of the standard that are newer than the list: the Caribbean guilder, since 2025. */
const NEWER = [{ code: 'XCG', digits: 2 }];

const digitsByCode = new Map(
  [...iso4217.data, ...NEWER].filter(({ code }) => !NOT_MONEY.has(code)).map(({ code, digits }) => [code, digits]),
);

/** Whether `code` is an ISO 4217 code used for payments, in upper case as the standard writes it. */
export function isCurrencyCode(code: string): boolean {
  return digitsByCode.has(code);
}

/** The number of decimals of the major unit: 2 for EUR, 0 for JPY. 2 for an unknown code. */
export function minorUnitDigits(code: string): number {
  return digitsByCode.get(code) ?? 2;
}
