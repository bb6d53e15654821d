import { type BusConnection, serve } from '@event-commerce/bus';
import { type OfferingsReply, offeringsRequest, RPC } from '@event-commerce/contracts';
import { parseJson, toPlatformError, validate, type VerifyIdentity } from '@event-commerce/service-kit';
import type { OfferingRepository } from './store/offering.repository.ts';

const IN_FLIGHT_MAX = 512;

/**
 * What other processes ask of the events service. The function that comes back stops answering and waits for what is under
 * way.
 */
export function serveEvents(
  bus: BusConnection,
  deps: { offerings: OfferingRepository; verifyIdentity: VerifyIdentity },
): () => Promise<void> {
  const options = { group: 'events', inFlightMax: IN_FLIGHT_MAX, toPlatformError };
  return serve(bus, RPC.offerings, options, async (request) => {
    const { tenant } = deps.verifyIdentity(request.identityToken);
    const { ids } = validate(offeringsRequest, parseJson(request.body));
    const data: OfferingsReply = { offerings: await deps.offerings.findAll(tenant, ids) };
    return JSON.stringify({ data });
  });
}
