export { isCurrencyCode, minorUnitDigits } from './currency.ts';
export { isExactPercent, percentOf, percentUnits } from './percent.ts';
export { allocate } from './allocate.ts';
export { prorate } from './prorate.ts';
