import { randomUUID } from 'node:crypto';
import { orderBody } from '@event-commerce/test-kit';
import type autocannon from 'autocannon';
import type { Company } from './adjustments.ts';

/** Orders that redeem `codes` in turn, or nothing, and take a ticket of `offeringIds` in turn, or none. */
export function orders(
  url: string,
  company: Company,
  writers: number,
  { codes = [], offeringIds = [] }: { codes?: string[]; offeringIds?: string[] } = {},
): autocannon.Options {
  let n = 0;
  return {
    connections: writers,
    url: `${url}/v1/orders`,
    method: 'POST',
    headers: company.headers,
    requests: [
      {
        setupRequest: (request) => {
          const turn = n++;
          const of = (list: string[]) => (list.length === 0 ? [] : [list[turn % list.length] as string]);
          const items = of(offeringIds).map((offeringId) => ({ offeringId, quantity: 1, unitPrice: 5000 }));
          const more = { coupons: of(codes), ...(items.length === 0 ? {} : { items }) };
          return { ...request, body: JSON.stringify(orderBody(company.companyId, more)) };
        },
      },
    ],
  };
}

/** Changes of carts, one for each writer. */
export function cartChanges(url: string, company: Company, writers: number): autocannon.Options {
  const sessions = Array.from({ length: writers }, () => `cs-${randomUUID()}`);
  let n = 0;
  return {
    connections: writers,
    url,
    method: 'POST',
    headers: company.headers,
    requests: [
      {
        setupRequest: (request) => {
          const body = { offeringId: `off_${n % 5}`, quantity: 1 + (n % 4), price: { amount: 5000, currency: 'EUR' } };
          const session = sessions[n++ % sessions.length];
          return { ...request, path: `/v1/cart/sessions/${session}/item`, body: JSON.stringify(body) };
        },
      },
    ],
  };
}
