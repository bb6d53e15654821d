import type { Streamed, Tenant } from '@event-commerce/contracts';
import { type ExportAll, formatsOf } from '@event-commerce/service-kit';
import { ORDERS_CSV } from './order-csv.ts';
import type { OrderFilter } from './order-search.ts';
import type { OrderRepository } from './order.repository.ts';

const ORDER_FORMATS = formatsOf(ORDERS_CSV);

export type ExportOrders = (
  tenant: Tenant,
  filter: OrderFilter,
  format: keyof typeof ORDER_FORMATS,
) => Promise<Streamed>;

export function createExport({ orders }: { orders: OrderRepository }, exportAll: ExportAll): ExportOrders {
  return async (tenant, filter, format) =>
    exportAll(tenant, ORDER_FORMATS[format], async (query) => {
      const { data, page } = await orders.page(tenant, { ...filter, ...query });
      return { data: data.map(({ order }) => order), page };
    });
}
