import { ApiError, type Client } from '@event-commerce/client';

/** Puts tickets in a cart, shows the buyer the total, and holds them for 15 minutes while the buyer pays. */
export async function checkOut(client: Client, cartId: string, offeringId: string, code: string) {
  await client.carts.setItem(cartId, { offeringId, quantity: 2 });
  const cart = await client.carts.updateSession(cartId, { coupons: [code] });

  const order = {
    orderNumber: `WEB-${cartId}`,
    currency: 'EUR',
    companyId: 'demo',
    organizerId: 'org_1',
    contextId: 'evt_1',
    customer: { email: 'ada@example.com' },
    cartSessionId: cartId,
    cartVersion: cart.version,
    expectedTotal: cart.total,
    expiresInSeconds: 900,
    context: { urn: `urn:v1:demo:orders:order/WEB-${cartId}` },
  };
  try {
    return await client.orders.create({ order });
  } catch (error) {
    // The buyer sees the cart as it is now, and decides again.
    if (error instanceof ApiError && (error.code === 'PRICE_CHANGED' || error.code === 'CART_CHANGED'))
      return undefined;
    throw error;
  }
}
