import type { Company } from '../harness/companies.ts';
import type { OwnPlatform } from '../harness/own-platform.ts';
import { type ApiClient, apiClient, newCode } from '@event-commerce/test-kit';

/** What is scarce in a sale. */
export interface Supply {
  /** Tickets of each offering. */
  tickets: readonly number[];
  /** Tickets of the event: fewer than those of its offerings together. */
  capacity: number;
  /** How often the code works. */
  redemptions: number;
  /** Seats at the table. */
  seats: number;
}

/** An event that goes on sale: three offerings under one capacity, a coupon and a table. */
export interface Sale {
  company: Company;
  supply: Supply;
  eventId: string;
  offeringIds: readonly string[];
  couponId: string;
  code: string;
  tableId: string;
  /** Each buyer uses one of the gateways. */
  apiOf: (buyer: number) => ApiClient;
}

export async function openSale({ newCompany, replicas }: OwnPlatform, supply: Supply): Promise<Sale> {
  const company = await newCompany();
  const make = async (path: string, body: unknown): Promise<string> => {
    const reply = await company.api.post(path, body);
    if (reply.status !== 201) throw new Error(`${path} returned ${reply.status}: ${JSON.stringify(reply.body)}`);
    return reply.body.data.id;
  };
  const eventId = await make('/v1/events', { name: 'Midsummer', capacity: supply.capacity });
  const offeringIds: string[] = [];
  for (const [index, capacity] of supply.tickets.entries()) {
    const price = { amount: 5_000 + 1_000 * index, currency: 'EUR' };
    offeringIds.push(await make(`/v1/events/${eventId}/offerings`, { name: `Area ${index + 1}`, price, capacity }));
  }
  const code = newCode();
  const couponId = await make('/v1/coupons', {
    code,
    percentOff: 20,
    limit: supply.redemptions,
    contextIds: [eventId],
  });
  const tableId = await make('/cart/table-commitments', { contextId: eventId, seats: supply.seats });
  const headers = { authorization: `Bearer ${company.key}` };
  const apis = replicas.map(({ url }) => apiClient(url, headers));
  return {
    company,
    supply,
    eventId,
    offeringIds,
    couponId,
    code,
    tableId,
    apiOf: (buyer) => apis[buyer % apis.length] as ApiClient,
  };
}
