import { couponInput, couponListQuery, pathId } from '@event-commerce/contracts';
import { callerOf, type ServiceApp, toPage } from '@event-commerce/service-kit';
import { z } from 'zod';
import {
  archiveCoupon,
  changeCoupon,
  type CouponDeps,
  couponNotFound,
  createCoupon,
} from '../use-cases/change-coupon.ts';

const byId = z.object({ id: pathId });

/** `/coupons`. */
export function couponRoutes(app: ServiceApp, deps: CouponDeps): void {
  app.post('/coupons', { schema: { body: couponInput } }, async (request, reply) => {
    const coupon = await createCoupon(deps, callerOf(request), request.body);
    return reply.code(201).send({ data: coupon.shownAt(deps.clock()) });
  });

  app.get('/coupons', { schema: { querystring: couponListQuery } }, async (request) => {
    const { code, ...page } = request.query;
    const now = deps.clock();
    const { records, more } = await deps.coupons.list(request.identity.tenant, { code }, page);
    return toPage({ records: records.map((coupon) => coupon.shownAt(now)), more }, page, 'coupons');
  });

  app.get('/coupons/:id', { schema: { params: byId } }, async (request) => {
    const coupon = await deps.coupons.find(request.identity.tenant, request.params.id);
    if (coupon === undefined) throw couponNotFound(request.params.id);
    return { data: coupon.shownAt(deps.clock()) };
  });

  app.patch('/coupons/:id', { schema: { params: byId, body: couponInput } }, async (request) => {
    const coupon = await changeCoupon(deps, callerOf(request), request.params.id, request.body);
    return { data: coupon.shownAt(deps.clock()) };
  });

  app.delete('/coupons/:id', { schema: { params: byId } }, async (request) => {
    const coupon = await archiveCoupon(deps, callerOf(request), request.params.id);
    return { data: coupon.shownAt(deps.clock()) };
  });
}
