import {
  adjustmentInput,
  adjustmentListQuery,
  adjustmentPatch,
  pathId,
  redemptionInput,
  redemptionListQuery,
} from '@event-commerce/contracts';
import { callerOf, makeOnce, type ServiceApp, toPage } from '@event-commerce/service-kit';
import { z } from 'zod';
import { countingClaims } from '../metrics.ts';
import { type AdjustmentRecord, toAdjustment } from '../store/adjustment.repository.ts';
import { changeAdjustment, notFound } from '../use-cases/change-adjustment.ts';
import { releaseRedemption } from '../use-cases/release-redemption.ts';
import { redeemAdjustment } from '../use-cases/redeem-adjustment.ts';
import type { ClaimDeps } from '../use-cases/claim-redemptions.ts';

const byId = z.object({ id: pathId });
const byRedemptionId = byId.extend({ redemptionId: pathId });

export interface AdjustmentRoutesDeps extends ClaimDeps {
  /** Tells every replica that an adjustment was written; resolves when each counts on it. */
  announce: (record: AdjustmentRecord) => Promise<void>;
}

/** `/pricing/adjustments` and the redemptions below it. */
export function adjustmentRoutes(app: ServiceApp, deps: AdjustmentRoutesDeps): void {
  app.post('/pricing/adjustments', { schema: { body: adjustmentInput } }, async (request, reply) => {
    const caller = callerOf(request);
    const record = await makeOnce(caller, 'adj', {
      find: (id) => deps.adjustments.find(caller.tenant, id),
      make: (id) => deps.adjustments.create(caller, id, request.body, deps.clock()),
    });
    await deps.announce(record);
    return reply.code(201).send({ data: toAdjustment(record) });
  });

  app.get('/pricing/adjustments', { schema: { querystring: adjustmentListQuery } }, async (request) => {
    const { status, code, ...page } = request.query;
    const filter = { ...(status === undefined ? {} : { status }), ...(code === undefined ? {} : { code }) };
    const { records, more } = await deps.adjustments.list(request.identity.tenant, filter, page);
    return toPage({ records: records.map(toAdjustment), more }, page, 'adjustments');
  });

  app.get('/pricing/adjustments/:id', { schema: { params: byId } }, async (request) => {
    const record = await deps.adjustments.find(request.identity.tenant, request.params.id);
    if (record === undefined) throw notFound(request.params.id);
    return { data: toAdjustment(record) };
  });

  app.patch('/pricing/adjustments/:id', { schema: { params: byId, body: adjustmentPatch } }, async (request) => {
    const record = await changeAdjustment(deps, callerOf(request), request.params.id, request.body);
    await deps.announce(record);
    return { data: toAdjustment(record) };
  });

  app.delete('/pricing/adjustments/:id', { schema: { params: byId } }, async (request) => {
    const record = await changeAdjustment(deps, callerOf(request), request.params.id, { status: 'archived' });
    await deps.announce(record);
    return { data: toAdjustment(record) };
  });

  app.post(
    '/pricing/adjustments/:id/redemptions',
    { schema: { params: byId, body: redemptionInput } },
    async (request, reply) => {
      const { repeated, ...redeemed } = await countingClaims(
        redeemAdjustment(deps, callerOf(request), request.params.id, request.body),
        (answer) => ({ outcome: answer.repeated ? 'repeated' : 'claimed', count: 1 }),
      );
      return reply.code(repeated ? 200 : 201).send({ data: redeemed });
    },
  );

  app.get(
    '/pricing/adjustments/:id/redemptions',
    { schema: { params: byId, querystring: redemptionListQuery } },
    async (request) => {
      const { tenant } = request.identity;
      if ((await deps.adjustments.find(tenant, request.params.id)) === undefined) throw notFound(request.params.id);
      return toPage(
        await deps.redemptions.list(tenant, request.params.id, request.query),
        request.query,
        'redemptions',
      );
    },
  );

  app.delete(
    '/pricing/adjustments/:id/redemptions/:redemptionId',
    { schema: { params: byRedemptionId } },
    async (request) => {
      const { id, redemptionId } = request.params;
      return { data: await releaseRedemption(deps, callerOf(request), id, redemptionId) };
    },
  );
}
