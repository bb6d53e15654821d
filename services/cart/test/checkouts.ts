import { randomUUID } from 'node:crypto';
import { call } from '@event-commerce/bus';
import {
  accepted,
  type CheckedOut,
  type CheckoutRequest,
  type OrderChange,
  type OrderState,
  type ReleaseCheckoutRequest,
  RPC,
} from '@event-commerce/contracts';
import { newId } from '@event-commerce/service-kit';
import { expect } from 'vitest';
import type { Company, Services } from '../../../tests/harness/services.ts';
import type { SimulatedOrders } from './simulated-commerce.ts';
import { newCart } from './sessions.ts';

/**
 * Checks out as the commerce service does for an order of the company, on any replica. Fails as `call` does, and then
 * releases the session.
 */
export async function checkOut(
  { bus }: Services,
  company: Company,
  request: Partial<CheckoutRequest> & { sessionId: string },
): Promise<CheckedOut & { orderId: string }> {
  const whole = { orderId: newId('ord'), ...request };
  const { orderId, sessionId, reopening } = whole;
  const reply = await call(bus, RPC.checkout, whole, company.context());
  if ('refusal' in reply) {
    await call(bus, RPC.releaseCheckout, { orderId, sessionId, reopening }, company.context());
  }
  return { orderId, ...accepted(reply) };
}

/** Releases a session as the commerce service does when it writes no order. */
export async function release({ bus }: Services, company: Company, request: ReleaseCheckoutRequest): Promise<void> {
  await call(bus, RPC.releaseCheckout, request, company.context());
}

/** What an event says about an order. */
interface OrderEvent {
  orderId: string;
  sessionId: string;
  state: OrderState;
  reopenings?: number;
  /** The event to publish; by default the one that leads to `state`. */
  type?: OrderChange;
}

/** Publishes an order's event as the commerce service does. */
export async function tell(
  { publish }: Services,
  { companyId }: Company,
  { orderId, sessionId, state, reopenings = 0, type = `order.${state}` }: OrderEvent,
): Promise<void> {
  const known = { id: orderId, companyId, orderNumber: 'N-1', version: 1, customer: {} };
  await publish({
    specversion: '1.0',
    id: randomUUID(),
    source: '/commerce',
    type,
    subject: orderId,
    time: new Date().toISOString(),
    datacontenttype: 'application/json',
    companyid: companyId,
    environment: 'live',
    schemaversion: 1,
    data: { ...known, state, reopenings, claims: [], tickets: [], cartSessionId: sessionId },
  });
}

/** A cart, and the orders that a simulated commerce service places for it. */
export async function newOrderableCart(services: Services, orders: SimulatedOrders) {
  const cart = await newCart(services);
  const { company, sessionId } = cart;
  return {
    ...cart,
    /**
     * Reserves the session and writes its order. Unless not `told`, also sends cart the event and waits until cart has
     * handled it.
     */
    order: async (state: 'pending' | 'placed' = 'placed', { told = true } = {}) => {
      const { orderId, items } = await checkOut(services, company, { sessionId });
      orders.price(orderId, items);
      orders.write(orderId, state);
      if (!told) return orderId;
      await tell(services, company, { orderId, sessionId, state });
      const stored = async () => await services.models.cart.sessions.collection.findOne({ sessionId });
      await expect.poll(stored).toMatchObject({ ordered: { orderId } });
      return orderId;
    },
  };
}
