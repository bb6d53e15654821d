export { CURRENCY_CODES, isCurrencyCode, minorUnitDigits } from './currency.ts';
export { PERCENT_SCALE, isExactPercent, percentOf, percentUnits } from './percent.ts';
export { allocate } from './allocate.ts';
