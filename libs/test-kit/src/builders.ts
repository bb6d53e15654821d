import { randomUUID } from 'node:crypto';
import { type Tenant, tenantOf } from '@event-commerce/contracts';

/** A company that no other test uses. */
export function newCompanyId(): string {
  return `company-${randomUUID()}`;
}

/** The stores' key of a company's live world. */
export function liveTenant(companyId: string): Tenant {
  return tenantOf({ companyId, environment: 'live' });
}

/** A coupon code that no other test uses. */
export function newCode(): string {
  return `CODE-${randomUUID().slice(0, 8).toUpperCase()}`;
}

/** The body of a coupon adjustment for every event: 20 % off with `code`. `changes` replace top-level fields. */
export function adjustmentBody(code: string, changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    name: `Sale ${code}`,
    type: 'coupon',
    category: 'discount-coupon',
    origin: 'coupon',
    application: 'at-checkout',
    stacking: 'replace-within-category',
    effectBase: 'list-price',
    targets: [{ urn: 'urn:v1:any:events:event/*' }],
    conditions: { code },
    effect: { kind: 'percentage_off', percent: 20 },
    status: 'active',
    ...changes,
  };
}

/** The body of an evaluation of two tickets at 50.00 EUR. */
export function evaluationBody(cartContext: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    offering: { id: 'off_1', eventId: 'evt_1', price: { amount: 5000, currency: 'EUR' } },
    cartContext: { quantity: 2, ...cartContext },
  };
}

/** The body of an order of two tickets at 50.00 EUR with a new number. */
export function orderBody(
  companyId: string,
  changes: Record<string, unknown> = {},
): { order: Record<string, unknown> } {
  return {
    order: {
      orderNumber: `N-${randomUUID()}`,
      currency: 'EUR',
      companyId,
      organizerId: 'org_1',
      contextId: 'evt_1',
      customer: { id: 'cus_1', email: 'ada@example.com', firstName: 'Ada', lastName: 'Lovelace' },
      items: [{ offeringId: 'off_1', name: 'Ticket', quantity: 2, unitPrice: 5000 }],
      context: { urn: `urn:v1:${companyId}:orders:order/1` },
      ...changes,
    },
  };
}
