import { companyIdOf, environmentOf, type KeyEnvironment, type Tenant } from '@event-commerce/contracts';
import { orderIdOf, sessionIdOf } from './table-record.ts';
import { endOrder, type FollowOrderDeps } from '../sessions/follow-order.ts';

/** A seat of an order that is over. */
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

/** Finds seats of orders that were cancelled, and frees them if `repair` is set. Safe while services run. */
export async function* repairSeats(
  deps: FollowOrderDeps,
  options: { repair: boolean; tenant?: Tenant | undefined },
): AsyncGenerator<LostSeat> {
  let held: { tenant: Tenant; tableId: string; orderId: string; sessionId: string; reopening: number }[] = [];
  const lost = async (): Promise<LostSeat[]> => {
    const { over } = await deps.orders.shown(held.map(({ orderId }) => orderId));
    const gone = held.filter(({ orderId, reopening }) => (over.get(orderId) ?? -1) >= reopening);
    held = [];
    if (options.repair) {
      for (const { tenant, sessionId, ...order } of gone) await endOrder(deps, { tenant }, sessionId, order);
    }
    return gone.map(({ tenant, reopening: _reopening, ...seat }) => ({
      companyId: companyIdOf(tenant),
      environment: environmentOf(tenant),
      ...seat,
      repaired: options.repair,
    }));
  };
  for await (const { tenant, tableId, seat } of deps.tables.soldSeats(options.tenant)) {
    held.push({ tenant, tableId, orderId: orderIdOf(seat), sessionId: sessionIdOf(seat), reopening: seat.reopening });
    if (held.length === ASKED_MAX) yield* await lost();
  }
  yield* await lost();
}
