import { orderListQuery, orderRequest, pathId } from '@event-commerce/contracts';
import { callerOf, type ServiceApp, toPage } from '@event-commerce/service-kit';
import { z } from 'zod';
import { cancelOrder, orderNotFound } from '../use-cases/cancel-order.ts';
import { placeOrder, type PlaceOrderDeps } from '../use-cases/place-order.ts';

const byId = z.object({ id: pathId });

/** `/orders`. */
export function orderRoutes(app: ServiceApp, deps: PlaceOrderDeps): void {
  app.post('/orders', { schema: { body: orderRequest } }, async (request, reply) => {
    const { order, repeated } = await placeOrder(deps, callerOf(request), request.body);
    return reply.code(repeated ? 200 : 201).send({ data: { order } });
  });

  app.get('/orders', { schema: { querystring: orderListQuery } }, async (request) => {
    const { limit, cursor, ...filter } = request.query;
    const page = { limit, ...(cursor === undefined ? {} : { cursor }) };
    return toPage(await deps.orders.list(request.identity.tenant, filter, page), page, 'orders');
  });

  app.get('/orders/:id', { schema: { params: byId } }, async (request) => {
    const order = await deps.orders.find(request.identity.tenant, request.params.id);
    if (order === undefined) throw orderNotFound(request.params.id);
    return { data: order };
  });

  app.post('/orders/:id/cancel', { schema: { params: byId } }, async (request) => ({
    data: await cancelOrder(deps, callerOf(request), request.params.id),
  }));
}
