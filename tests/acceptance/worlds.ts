import { adjustmentBody, type ApiClient, orderBody } from '@event-commerce/test-kit';
import { expect } from 'vitest';

export type Environment = 'live' | 'test';

/** Values that a caller chooses, the same in both worlds: an id taken in one is free in the other. */
export interface Chosen {
  code: string;
  couponCode: string;
  orderNumber: string;
  sessionId: string;
  tableId: string;
  offeringId: string;
}

export interface World {
  environment: Environment;
  api: ApiClient;
  /** Values of the path parameters, with the ids that the platform chose. */
  ids: Record<string, Record<string, string>>;
  adjustmentId: string;
}

/** One of everything, created with a key of `environment`. */
export async function fill(
  api: ApiClient,
  companyId: string,
  environment: Environment,
  chosen: Chosen,
  percent: number,
): Promise<World> {
  const make = async (path: string, body?: unknown): Promise<any> => {
    const answer = await api.post(`/v1${path}`, body ?? {});
    expect(answer, `${environment} ${path}`).toMatchObject({ status: expect.toBeOneOf([200, 201, 202]) });
    return answer.body.data;
  };
  const series = await make('/events', { kind: 'series', name: 'Tour' });
  const instance = await make(`/events/${series.id}/instances`, { name: 'Tour in Berlin' });
  const rule = { rule: 'FREQ=DAILY;COUNT=1', startsAt: '2031-05-01T20:00' };
  const dates = await make(`/events/${series.id}/instances/by-rule`, rule);
  const offering = await make(`/events/${series.id}/offerings`, {
    name: 'Ticket',
    price: { amount: 5_000, currency: 'EUR' },
  });
  await make(`/events/${series.id}/offerings`, {
    id: chosen.offeringId,
    name: environment,
    price: { amount: percent * 100, currency: 'EUR' },
  });
  const group = await make(`/events/${series.id}/purchase-groups`, { name: 'A', size: 1 });
  const { code } = chosen;
  const effect = { kind: 'percentage_off', percent };
  const adjustment = await make(
    '/pricing/adjustments',
    adjustmentBody(code, { effect, conditions: { code, maxRedemptions: 2 } }),
  );
  const redemption = await make(`/pricing/adjustments/${adjustment.id}/redemptions`, { orderId: 'elsewhere' });
  const limit = { amount: 1_000, currency: 'EUR' };
  const budget = await make('/pricing/budgets', { name: environment, limit });
  const coupon = await make('/coupons', { code: chosen.couponCode, percentOff: percent, uniqueCodes: true });
  const issued = `BUYER-${environment}`.toUpperCase();
  const batch = await make(`/coupons/${coupon.id}/codes`, { codes: [issued] });
  const session = await make('/cart/sessions', { contextId: series.id });
  await make('/cart/sessions', {
    id: chosen.sessionId,
    contextId: series.id,
    items: [{ offeringId: chosen.offeringId, quantity: 1 }],
  });
  const table = await make('/cart/table-commitments', { contextId: series.id, seats: 2 });
  await make('/cart/table-commitments', { id: chosen.tableId, contextId: series.id, seats: 1 });
  await make(`/cart/sessions/${chosen.sessionId}/join-table`, { tableCommitmentId: chosen.tableId });
  const { order } = await make('/orders', orderBody(companyId, { orderNumber: chosen.orderNumber, coupons: [code] }));
  const fewer = { mode: 'keep', items: [{ lineId: 'ln_1', quantity: 1 }] };
  const { amendment } = await make(`/orders/${order.id}/amendments`, fewer);
  const period = { from: '2020-01-01T00:00:00Z', to: '2099-01-01T00:00:00Z' };
  const rehearsal = await make('/pricing/rehearsals', { ...period, changes: [] });
  const erasure = await make('/customers/nobody/erase');
  const webhook = await make('/webhooks', { url: 'http://127.0.0.1:1/nobody' });
  const replay = await make(`/webhooks/${webhook.id}/replay`, { after: 'oldest', types: ['table.full'] });
  return {
    environment,
    api,
    adjustmentId: adjustment.id,
    ids: {
      '/pricing/adjustments': { id: adjustment.id, redemptionId: redemption.redemption.id },
      '/pricing/budgets': { id: budget.id, budgetId: budget.id },
      '/pricing/rehearsals': { rehearsalId: rehearsal.id },
      '/coupons': { id: coupon.id, batchId: batch.id, code: issued },
      '/orders': { id: order.id, amendmentId: amendment.id },
      '/cart/sessions': { id: session.id },
      '/cart/table-commitments': { id: table.id },
      '/events': { id: series.id, seriesId: series.id, instanceId: instance.id, pgid: group.id, jobId: dates.id },
      '/offerings': { id: offering.id },
      '/customers/erasures': { id: erasure.id },
      '/activity': { id: order.id },
      '/webhooks': { id: webhook.id, eventId: 'of_nobody', replayId: replay.id },
    },
  };
}
