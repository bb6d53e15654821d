import type { Offering, Tenant } from '@event-commerce/contracts';
import { type OfferingRecord, toOffering } from '../store/offering.repository.ts';
import type { TellAvailability } from './tell-availability.ts';
import { availabilities, type LimitDeps, withPools } from './ticket-limits.ts';

export interface ShowOfferingsDeps extends LimitDeps {
  tellAvailability: Pick<TellAvailability, 'afterRead'>;
}

/** `offerings` as the API returns them, with what is left of each. */
export async function showOfferings(
  deps: ShowOfferingsDeps,
  tenant: Tenant,
  offerings: readonly OfferingRecord[],
): Promise<Offering[]> {
  const sellables = await withPools(deps, tenant, offerings);
  const available = await availabilities(deps, [...sellables.values()]);
  const untold: string[] = [];
  const shown = offerings.map((offering) => {
    const availability = available.get(offering.id);
    if (availability !== undefined && (availability.left === 0) !== offering.soldOut) untold.push(offering.id);
    return { ...toOffering(offering), ...(availability && { availability }) };
  });
  deps.tellAvailability.afterRead(tenant, untold);
  return shown;
}
