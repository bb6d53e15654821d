import { orderRequest } from '@event-commerce/contracts';
import { callerOf, type ServiceApp } from '@event-commerce/service-kit';
import { placeOrder, type PlaceOrderDeps } from '../use-cases/place-order.ts';

/** `/orders`. */
export function orderRoutes(app: ServiceApp, deps: PlaceOrderDeps): void {
  app.post('/orders', { schema: { body: orderRequest } }, async (request, reply) => {
    const { order, repeated } = await placeOrder(deps, callerOf(request), request.body);
    return reply.code(repeated ? 200 : 201).send({ data: { order } });
  });
}
