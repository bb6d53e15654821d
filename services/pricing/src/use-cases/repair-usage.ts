import { companyIdOf, environmentOf, type KeyEnvironment, type Tenant } from '@event-commerce/contracts';
import type { UsageRepairRepository } from '../store/usage-repair.repository.ts';

/** An adjustment whose counters are not what the ledger and the pending claims add up to. */
export interface UsageDifference {
  adjustmentId: string;
  companyId: string;
  environment: KeyEnvironment;
  counted: { confirmed: number; claimed: number };
  expected: { confirmed: number; claimed: number };
  repaired: boolean;
}

/** Readings of one adjustment before a difference counts as real: redemptions go on while it is read. */
const READINGS = 3;

/**
 * Compares every adjustment's counters with the ledger, and with `repair` sets them right. Safe beside running services: a
 * counter is set only if nothing changed it since it was read.
 */
export async function* repairUsage(
  usage: UsageRepairRepository,
  options: { repair: boolean; tenant?: Tenant | undefined },
): AsyncGenerator<UsageDifference> {
  for await (const { adjustmentId, tenant } of usage.countedUsage(options.tenant)) {
    for (let reading = 1; reading <= READINGS; reading++) {
      const { counted, expected, version } = await usage.readUsage(adjustmentId);
      if (counted.confirmed === expected.confirmed && counted.claimed === expected.claimed) break;
      if (reading < READINGS) continue;
      const repaired = options.repair && (await usage.setUsage(adjustmentId, version, expected));
      yield {
        adjustmentId,
        companyId: companyIdOf(tenant),
        environment: environmentOf(tenant),
        counted,
        expected,
        repaired,
      };
    }
  }
}
