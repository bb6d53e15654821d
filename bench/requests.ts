import { randomUUID } from 'node:crypto';
import { evaluationBody, orderBody } from '@event-commerce/test-kit';
import type autocannon from 'autocannon';
import type { Company } from './adjustments.ts';

/**
 * Orders that redeem `codes` in turn, or nothing, and take a ticket of `offeringIds` in turn, or none; with `lines`, a
 * ticket of each of that many.
 */
export function orders(
  url: string,
  company: Company,
  writers: number,
  {
    codes = [],
    offeringIds = [],
    lines = 1,
    eventId,
  }: { codes?: string[]; offeringIds?: string[]; lines?: number; eventId?: string } = {},
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
          const some = (list: string[], count: number) =>
            list.length === 0
              ? []
              : Array.from({ length: count }, (_, place) => list[(turn + place) % list.length] as string);
          const items = some(offeringIds, lines).map((offeringId) => ({ offeringId, quantity: 1, unitPrice: 5000 }));
          const more = {
            coupons: some(codes, 1),
            ...(items.length === 0 ? {} : { items }),
            ...(eventId === undefined ? {} : { contextId: eventId }),
          };
          return { ...request, body: JSON.stringify(orderBody(company.companyId, more)) };
        },
      },
    ],
  };
}

/** What is asked about an order once it is placed. */
const AFTERWARDS = {
  confirmed: { path: 'confirm', body: '{}' },
  changed: { path: 'amendments', body: JSON.stringify({ mode: 'keep', items: [{ lineId: 'ln_1', quantity: 1 }] }) },
} as const;

/**
 * Orders of two tickets with `code`, one after another for each writer; each is confirmed or loses a ticket at once, if
 * `afterwards` says so. Those that are not changed are pending.
 */
export function ordersThat(
  url: string,
  company: Company,
  writers: number,
  { eventId, offeringIds, code }: { eventId: string; offeringIds: readonly string[]; code: string },
  afterwards?: keyof typeof AFTERWARDS,
): autocannon.Options {
  let n = 0;
  const next = afterwards === undefined ? [] : [AFTERWARDS[afterwards]];
  return {
    connections: writers,
    url,
    headers: company.headers,
    requests: [
      {
        method: 'POST',
        path: '/v1/orders',
        setupRequest: (request) => {
          const items = [{ offeringId: offeringIds[n++ % offeringIds.length], quantity: 2 }];
          const hold = afterwards === 'changed' ? {} : { expiresInSeconds: 3_600 };
          const order = { contextId: eventId, items, coupons: [code], ...hold };
          return { ...request, body: JSON.stringify(orderBody(company.companyId, order)) };
        },
        onResponse: (status, body, context) => {
          if (status === 201) Object.assign(context, { order: JSON.parse(body).data.order.id });
        },
      },
      ...next.map(({ path, body }): autocannon.Request => ({
        method: 'POST',
        body,
        setupRequest: (request, context) => ({
          ...request,
          path: `/v1/orders/${(context as { order: string }).order}/${path}`,
        }),
      })),
    ],
  };
}

/** Steps of one purchase: a new cart with an item, a coupon, and the order of that cart. */
export const PURCHASE_STEPS = 3;

/** Purchases of one ticket with `code`, one after another for each writer. */
export function purchases(
  url: string,
  company: Company,
  writers: number,
  { eventId, offeringIds, code }: { eventId: string; offeringIds: readonly string[]; code: string },
): autocannon.Options {
  const items = offeringIds.map((offeringId) => JSON.stringify({ offeringId, quantity: 1 }));
  let n = 0;
  const coupons = JSON.stringify({ coupons: [code] });
  const cartOf = (context: object) => (context as { cart: string }).cart;
  return {
    connections: writers,
    url,
    headers: company.headers,
    requests: [
      {
        method: 'POST',
        setupRequest: (request, context) => {
          const cart = `cs-${randomUUID()}`;
          Object.assign(context, { cart });
          return { ...request, path: `/v1/cart/sessions/${cart}/item`, body: items[n++ % items.length] };
        },
      },
      {
        method: 'PATCH',
        setupRequest: (request, context) => {
          return { ...request, path: `/v1/cart/sessions/${cartOf(context)}`, body: coupons };
        },
      },
      {
        method: 'POST',
        path: '/v1/orders',
        setupRequest: (request, context) => {
          const fields = { contextId: eventId, items: undefined, cartSessionId: cartOf(context) };
          return { ...request, body: JSON.stringify(orderBody(company.companyId, fields)) };
        },
      },
    ],
  };
}

/** Each of `connections` repeats the request that `of` makes for it, so that no two of the same are in flight. */
export function oneEach(connections: number, of: (n: number) => autocannon.Request) {
  let n = 0;
  return (client: autocannon.Client): void => client.setRequests([of(n++ % connections)]);
}

/** What two tickets cost a shopper with a code: the shopper `n`, or one who did not sign in. */
export function question(n?: number): string {
  return JSON.stringify(evaluationBody({ codes: ['CODE-0'], ...(n === undefined ? {} : { customerId: `cus_${n}` }) }));
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
