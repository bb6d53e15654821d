import type { Abuse } from './abuse.ts';
import { connectionAbuses } from './connection-abuses.ts';
import { pricingAbuses } from './pricing-abuses.ts';
import { recordAbuses } from './record-abuses.ts';

/** Everything that a company does at its worst, with its own keys. */
export const abuses: readonly Abuse[] = [...pricingAbuses, ...recordAbuses, ...connectionAbuses];
