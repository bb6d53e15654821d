import type { ListedOffering, Offering, Tenant } from '@event-commerce/contracts';
import { isTold, type OfferingRecord, toOffering } from './offering-record.ts';
import type { TellAvailability } from '../tickets/tell-availability.ts';
import { availabilities, type LimitDeps, withPools } from '../tickets/ticket-limits.ts';

export interface ShowOfferingsDeps extends LimitDeps {
  tellAvailability: Pick<TellAvailability, 'afterRead'>;
}

/** `offerings` as the API returns them, with what is left of each. */
export async function showOfferings(
  deps: ShowOfferingsDeps,
  tenant: Tenant,
  offerings: readonly OfferingRecord[],
): Promise<Offering[]> {
  const listed = await listedOfferings(deps, tenant, offerings);
  return listed.map(({ event: _event, ...shown }) => shown);
}

/** `offerings` as other services know them: with what their events say of the sale too. */
export async function listedOfferings(
  deps: ShowOfferingsDeps,
  tenant: Tenant,
  offerings: readonly OfferingRecord[],
): Promise<ListedOffering[]> {
  const sellables = await withPools(deps, tenant, offerings);
  const counted = await availabilities(deps, [...sellables.values()]);
  const untold: string[] = [];
  const listed = [...sellables.values()].map(({ offering, eventStatus: status }) => {
    const left = counted.get(offering.id);
    if (left !== undefined && !isTold(offering, left)) untold.push(offering.id);
    return {
      ...toOffering(offering),
      ...(left && { availability: left.availability }),
      event: { status, ...(left?.ofEvent === undefined ? {} : { left: left.ofEvent }) },
    };
  });
  deps.tellAvailability.afterRead(tenant, untold);
  return listed;
}
