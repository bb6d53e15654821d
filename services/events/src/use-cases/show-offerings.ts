import type { ListedOffering, Offering, Tenant } from '@event-commerce/contracts';
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
    const { availability, ofEvent: left } = counted.get(offering.id) ?? {};
    if (availability !== undefined && (availability.left === 0) !== offering.soldOut) untold.push(offering.id);
    return {
      ...toOffering(offering),
      ...(availability && { availability }),
      event: { status, ...(left === undefined ? {} : { left }) },
    };
  });
  deps.tellAvailability.afterRead(tenant, untold);
  return listed;
}
