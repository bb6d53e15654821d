import { call } from '@event-commerce/bus';
import { RPC } from '@event-commerce/contracts';
import { expect } from 'vitest';
import type { Company, Services } from '../../../tests/harness/services.ts';
import { newShop } from './shop.ts';

export const EARLY = { kind: 'fixed_price', amount: 2_000, currency: 'EUR' };

/** A shop with an adjustment that counts for some tickets only, and what its tests do with it. */
export async function newSale(
  services: Services,
  conditions: object,
  { effect = EARLY, ...more }: { effect?: object; [member: string]: unknown } = {},
  company?: Company,
) {
  const shop = await newShop(services, company);
  const { commerce, pricing } = shop;
  const automatic = {
    name: 'Early',
    type: 'promotion',
    category: 'promotion',
    origin: 'manual',
    stacking: 'stackable',
  };
  const targets = [{ urn: `urn:v1:${shop.companyId}:events:event/*` }];
  const made = await pricing.post('/pricing/adjustments', { ...automatic, targets, conditions, effect, ...more });
  expect([made.status, made.body.error]).toEqual([201, undefined]);
  const { id } = made.body.data;
  const items = (quantity: number) => [{ offeringId: shop.ticket, quantity }];
  return {
    ...shop,
    id: id as string,
    items,
    buy: async (quantity: number, changes: object = {}) => shop.order({ items: items(quantity), ...changes }),
    evaluate: async (quantity = 1, cartContext: object = {}) => {
      const offering = { id: shop.ticket, eventId: shop.eventId, price: { amount: 5_000, currency: 'EUR' } };
      const body = { offering, cartContext: { quantity, ...cartContext } };
      return await call(services.bus, RPC.evaluate, body, shop.context());
    },
    change: async (body: object) => expect((await pricing.patch(`/pricing/adjustments/${id}`, body)).status).toBe(200),
    usage: async () => (await pricing.get(`/pricing/adjustments/${id}`)).body.data.usage,
    amend: async (order: { id: string }, body: object) => commerce.post(`/orders/${order.id}/amendments`, body),
    cancel: async (order: { id: string }) =>
      expect((await commerce.post(`/orders/${order.id}/cancel`, {})).status).toBe(200),
  };
}

/** The `tickets` of an adjustment's usage. */
export const tickets = (claimed: number, remaining: number | null) => ({ tickets: { claimed, remaining } });
/** The order in the response to placing it. */
export const orderOf = (reply: { status: number; body: any }) => {
  expect([reply.status, reply.body.error]).toEqual([201, undefined]);
  return reply.body.data.order;
};
