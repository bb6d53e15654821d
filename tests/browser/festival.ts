import { type Client, type components, dataOf } from '@event-commerce/client';
import { expect } from 'vitest';

type Schemas = components['schemas'];

interface Festival {
  event: Schemas['Event'];
  offering: Schemas['Offering'];
}

/** A festival with an offering at 50.00 EUR, and five price rules. */
export async function newFestival(client: Client): Promise<Festival> {
  const event = await dataOf(
    client.POST('/v1/events', {
      body: {
        name: 'Summer festival',
        status: 'published',
        startsAt: '2027-07-10T18:00',
        timezone: 'Europe/Berlin',
      },
    }),
  );
  const price = { amount: 5000, currency: 'EUR' };
  const offering = await dataOf(
    client.POST('/v1/events/{id}/offerings', {
      params: { path: { id: event.id } },
      body: { name: 'Standing', price, capacity: 100 },
    }),
  );
  const rules: Omit<Schemas['AdjustmentInput'], 'targets'>[] = [
    {
      name: 'Summer sale',
      type: 'coupon',
      category: 'discount-coupon',
      stacking: 'replace-within-category',
      conditions: { code: 'SUMMER20', maxRedemptions: 100 },
      effect: { kind: 'percentage_off', percent: 20 },
    },
    {
      name: 'Groups save',
      category: 'group',
      conditions: { minQuantity: 4 },
      effect: { kind: 'amount_off', amount: 500, currency: 'EUR' },
    },
    {
      name: 'Busloads save',
      category: 'group',
      conditions: { minQuantity: 20 },
      effect: { kind: 'percentage_off', percent: 30 },
    },
    {
      name: 'Members save',
      category: 'membership',
      conditions: { customerSegments: ['member'] },
      effect: { kind: 'percentage_off', percent: 10 },
    },
    {
      name: 'Booking fee',
      category: 'fee',
      effect: { kind: 'amount_surcharge', amount: 250, currency: 'EUR', per: 'order' },
    },
  ];
  for (const rule of rules) {
    await dataOf(client.POST('/v1/pricing/adjustments', { body: { targets: [{ eventId: event.id }], ...rule } }));
  }
  return { event, offering };
}

export async function placeOrder(
  client: Client,
  { event, offering }: Festival,
  {
    quantity = 1,
    ...given
  }: {
    orderNumber: string;
    quantity?: number;
    expiresInSeconds?: number;
    coupons?: string[];
    contextId?: string;
    items?: { name: string; unitPrice: number }[];
  },
): Promise<void> {
  const { companyId } = event;
  const { error } = await client.POST('/v1/orders', {
    body: {
      order: {
        currency: 'EUR',
        companyId,
        organizerId: 'org_1',
        contextId: event.id,
        customer: { email: 'ada@example.com' },
        items: [{ offeringId: offering.id, quantity }],
        context: { urn: `urn:v1:${companyId}:orders:order/${given.orderNumber}` },
        ...given,
      },
    },
  });
  expect(error).toBeUndefined();
}

/** Redeems an adjustment once, as an order does. */
export async function redeem(client: Client, id: string): Promise<void> {
  const params = { path: { id } };
  await dataOf(client.POST('/v1/pricing/adjustments/{id}/redemptions', { params, body: { orderId: 'shop-1' } }));
}

/** What tickets of the festival cost now. */
export async function total(
  client: Client,
  { offering }: Festival,
  quantity: number,
  codes: string[] = [],
): Promise<number> {
  const body = { offering, cartContext: { quantity, codes } };
  return (await dataOf(client.POST('/v1/pricing/adjustments/evaluate', { body }))).summary.total;
}
