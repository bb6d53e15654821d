import { companyIdOf, environmentOf, type KeyEnvironment, type Tenant } from '@event-commerce/contracts';
import type { Counts, UsageRepairRepository } from '../store/usage-repair.repository.ts';

/** Counters that are not what the ledger and the pending claims add up to: an adjustment's, or one customer's of it. */
export interface UsageDifference {
  adjustmentId: string;
  customerId?: string;
  companyId: string;
  environment: KeyEnvironment;
  counted: Counts;
  expected: Counts;
  repaired: boolean;
}

/** Readings of the same counters before a difference counts as real: redemptions go on while they are read. */
const READINGS = 3;

/**
 * Compares every adjustment's and every customer's counters with the ledger, and with `repair` sets them right. Safe beside running
 * services: a counter is set only if nothing changed it since it was read.
 */
export async function* repairUsage(
  usage: UsageRepairRepository,
  options: { repair: boolean; tenant?: Tenant | undefined },
): AsyncGenerator<UsageDifference> {
  for await (const { tenant, read, ...about } of usage.countedUsage(options.tenant)) {
    for (let reading = 1; reading <= READINGS; reading++) {
      const { counted, expected, repair } = await read();
      if (counted.confirmed === expected.confirmed && counted.claimed === expected.claimed) break;
      if (reading < READINGS) continue;
      yield {
        ...about,
        companyId: companyIdOf(tenant),
        environment: environmentOf(tenant),
        counted,
        expected,
        repaired: options.repair && (await repair()),
      };
    }
  }
}
