import { companyIdOf, environmentOf, type KeyEnvironment, type Tenant } from '@event-commerce/contracts';
import { orderIdOf, sessionIdOf } from './table-record.ts';
import { type SeatDeps, settleSeat } from './follow-seat.ts';

/** A seat of an order that does not stand any more. */
interface LostSeat {
  companyId: string;
  environment: KeyEnvironment;
  tableId: string;
  orderId: string;
  sessionId: string;
  repaired: boolean;
}

/** How many orders are queried together. */
const ASKED_MAX = 200;

/**
 * Finds seats of orders that were cancelled, and with `repair` returns them to the session, or frees them. Safe while
 * services run.
 */
export async function* repairSeats(
  deps: SeatDeps,
  options: { repair: boolean; tenant?: Tenant | undefined },
): AsyncGenerator<LostSeat> {
  let held: { tenant: Tenant; tableId: string; orderId: string; sessionId: string }[] = [];
  const lost = async (): Promise<LostSeat[]> => {
    const standing = await deps.orders.standing(held.map(({ orderId }) => orderId));
    const gone = held.filter(({ orderId }) => !standing.has(orderId));
    held = [];
    if (options.repair) {
      for (const { tenant, orderId, sessionId } of gone) {
        await settleSeat(deps, { tenant }, orderId, sessionId);
      }
    }
    return gone.map(({ tenant, ...seat }) => ({
      companyId: companyIdOf(tenant),
      environment: environmentOf(tenant),
      ...seat,
      repaired: options.repair,
    }));
  };
  for await (const { tenant, tableId, seat } of deps.tables.soldSeats(options.tenant)) {
    held.push({ tenant, tableId, orderId: orderIdOf(seat), sessionId: sessionIdOf(seat) });
    if (held.length === ASKED_MAX) yield* await lost();
  }
  yield* await lost();
}
