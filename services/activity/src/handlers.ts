import type { Handlers } from '@event-commerce/service-kit';
import type { Erasures } from './erasure/erasures.ts';
import { type FeedDeps, readFeed } from './feed/read-feed.ts';
import { streamFeed } from './feed/stream-feed.ts';
import { readAdjustmentSales, readSales, type ReadSalesDeps } from './sales/read-sales.ts';
import { adjustmentSalesCsv, salesCsv } from './sales/sales-csv.ts';
import {
  changeWebhook,
  type ChangeWebhookDeps,
  createWebhook,
  deleteWebhook,
  findWebhook,
  resendDelivery,
  rotateSecret,
  showReplay,
  showWebhook,
  showWebhooks,
  startReplay,
  testWebhook,
} from './webhooks/change-webhook.ts';
import { listDeliveries } from './webhooks/show-deliveries.ts';

/** The handlers of activity's operations. */
export function activityHandlers(
  feed: FeedDeps,
  deps: ChangeWebhookDeps,
  erasures: Pick<Erasures, 'start' | 'find'>,
  sales: ReadSalesDeps,
): Handlers<'activity'> {
  return {
    listActivity: async ({ identity, query }) => readFeed(feed, identity, query),

    streamActivity: async ({ identity, headers, query }) =>
      streamFeed(feed, identity, query, headers['last-event-id']?.toString()),

    getSales: async ({ identity: { tenant }, query }) => {
      const found = await readSales(sales, tenant, query);
      return query.format === 'csv' ? salesCsv(found) : found;
    },

    getSalesByAdjustment: async ({ identity: { tenant }, query }) => {
      const found = await readAdjustmentSales(sales, tenant, query);
      return query.format === 'csv' ? adjustmentSalesCsv(found) : found;
    },

    createWebhook: async ({ caller, identity: { scopes }, body }) => createWebhook(deps, { caller, scopes }, body),

    listWebhooks: async ({ identity: { tenant }, query }) => {
      const { data, page } = await deps.webhooks.page(tenant, query);
      return { data: await showWebhooks(deps, data), page };
    },

    getWebhook: async ({ identity: { tenant }, params: { id } }) =>
      showWebhook(deps, await findWebhook(deps, tenant, id)),

    updateWebhook: async ({ caller, identity: { scopes }, ifMatch, params: { id }, body }) =>
      changeWebhook(deps, { caller, scopes }, id, body, ifMatch),

    rotateWebhookSecret: async ({ caller, params: { id }, body }) => rotateSecret(deps, caller, id, body),

    testWebhook: async ({ identity: { tenant }, params: { id }, body: { type } }) =>
      testWebhook(deps, tenant, id, type),

    listDeliveries: async ({ identity: { tenant }, params: { id }, query }) => listDeliveries(deps, tenant, id, query),

    resendDelivery: async ({ identity: { tenant }, params: { id, eventId } }) =>
      resendDelivery(deps, tenant, id, eventId),

    replayWebhook: async ({ identity: { tenant }, params: { id }, body }) => startReplay(deps, tenant, id, body),

    getWebhookReplay: async ({ identity: { tenant }, params: { id, replayId } }) =>
      showReplay(deps, tenant, id, replayId),

    eraseCustomer: async ({ caller, params: { id } }) => {
      const data = await erasures.start(caller, id);
      return { status: data.status === 'done' ? 200 : 202, data };
    },

    getErasure: async ({ identity: { tenant }, params: { id } }) => erasures.find(tenant, id),

    deleteWebhook: async ({ caller, ifMatch, params: { id } }) => deleteWebhook(deps, caller, id, ifMatch),
  };
}
