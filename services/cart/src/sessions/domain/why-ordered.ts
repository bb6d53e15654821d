import { cartAlreadyOrdered, cartBeingOrdered, type PlatformError } from '@event-commerce/contracts';

/** What decides whether a session may change. */
interface OrderableSession {
  sessionId: string;
  ordered?: { orderId: string };
  checkout?: { orderId: string };
}

/** Why a session cannot change, or be ordered, because of an order. `path`: where the request names the session. */
export function whyOrdered(
  { sessionId, ordered, checkout }: OrderableSession,
  path: string,
): PlatformError | undefined {
  if (ordered !== undefined) return cartAlreadyOrdered(sessionId, ordered.orderId, path);
  if (checkout !== undefined) return cartBeingOrdered(sessionId, checkout.orderId, path);
  return undefined;
}
