import type { ListedOffering, Offering, Tenant } from '@event-commerce/contracts';
import { isTold, type OfferingRecord, toOffering } from './offering-record.ts';
import type { TellAvailability } from '../tickets/tell-availability.ts';
import { availabilities, type LimitDeps, withPools } from '../tickets/ticket-limits.ts';

export interface ShowOfferingsDeps extends LimitDeps {
  tellAvailability: Pick<TellAvailability, 'afterRead'>;
}

/** `offering` as the API returns it, with what is left of it. */
export async function showOffering(
  deps: ShowOfferingsDeps,
  tenant: Tenant,
  offering: OfferingRecord,
): Promise<Offering> {
  const [shown] = await showOfferings(deps, tenant, [offering]);
  if (shown === undefined) throw new TypeError(`offering ${offering.id} is not shown`);
  return shown;
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

/** `offerings` as other services know them, with the sale state of their events. */
export async function listedOfferings(
  deps: ShowOfferingsDeps,
  tenant: Tenant,
  offerings: readonly OfferingRecord[],
): Promise<ListedOffering[]> {
  const sellables = await withPools(deps, tenant, offerings);
  const counted = await availabilities(deps, [...sellables.values()]);
  const untold: string[] = [];
  const listed = counted.map((left) => {
    const { sellable, availability, ofEvent } = left;
    const { offering, sale } = sellable;
    if (!isTold(offering, left)) untold.push(offering.id);
    const event = { ...sale, ...(ofEvent === undefined ? {} : { left: ofEvent }) };
    return { ...toOffering(offering), availability, event };
  });
  deps.tellAvailability.afterRead(tenant, untold);
  return listed;
}
