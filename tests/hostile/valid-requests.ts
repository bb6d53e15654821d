import type { RPC } from '@event-commerce/contracts';
import { evaluationBody } from '@event-commerce/test-kit';

const claim = { redemptionId: 'rdm_1', adjustmentId: 'adj_1', customerId: 'c', quantity: 1 };
const offering = { id: 'off_1', eventId: 'evt_1', price: { amount: 5_000, currency: 'EUR' } };
/** A valid request on every subject. */
export const validRequests = (companyId: string): Record<keyof typeof RPC, unknown> => ({
  evaluate: evaluationBody(),
  evaluateCarts: { carts: [{ lines: [{ offering, quantity: 1 }], cartContext: {} }] },
  purchase: {
    orderId: 'ord_1',
    key: 'k',
    content: 'c',
    revision: 1,
    former: [claim],
    lines: [{ offering, quantity: 1, statedPrice: 4_000 }],
    cartContext: { customerId: 'c', customerSegment: 's', channelId: 'web' },
    codes: [],
    adjustmentIds: [],
    charges: 100,
    expectedTotal: 4_100,
  },
  amend: {
    orderId: 'ord_1',
    mode: 'keep',
    currency: 'EUR',
    cartContext: { customerId: 'c' },
    order: {
      lines: [
        {
          lineId: 'ln_1',
          offering,
          quantity: 2,
          remaining: 1,
          effectiveUnitPrice: 5_000,
          modifiers: [],
          bought: { quantity: 2, charged: 10_000, shares: [], withheld: 0 },
        },
      ],
      modifiers: [],
      fees: 0,
      tax: 0,
      taxed: { tax: 0, goods: 10_000 },
      codes: [],
      claims: [claim],
      isStated: false,
      basis: { at: '2027-01-01T00:00:00.000Z', lines: ['ln_1'], adjustments: [] },
    },
    added: [{ lineId: 'ln_2', offering, quantity: 1 }],
    costs: {},
    chargeDifference: false,
  },
  cancelClaims: { orderId: 'ord_1', claims: [claim] },
  claimTickets: { orderId: 'ord_1', key: 'k', content: 'c', items: [{ index: 0, offeringId: 'off_1', quantity: 1 }] },
  cancelTickets: {
    orderId: 'ord_1',
    claims: [{ claimId: 'tkt_1', poolId: 'offering\nc\noff_1', of: { offeringId: 'off_1' }, quantity: 1 }],
  },
  budgetExists: { budgetId: 'bud_1' },
  codeHolder: { code: 'X', couponId: 'cpn_1' },
  timeZones: { eventIds: ['evt_1'], venueIds: [], offeringIds: [] },
  followCoupon: {
    id: 'cpn_1',
    companyId,
    version: 1,
    enabled: true,
    code: 'X',
    percentOff: 1,
    offeringIds: [],
    contextIds: [],
  },
  offerings: { ids: ['off_1'] },
  offeringsOfEvent: { eventId: 'evt_1', limit: 1 },
  callOffOfEvent: { eventId: 'evt_1' },
  callOffOrders: {
    tenant: companyId,
    callOff: { id: 'cof_1', reason: 'A storm' },
    eventId: 'evt_1',
    offeringIds: ['off_1'],
    mode: 'list',
    place: '',
    cause: {},
  },
  eventContexts: { ids: ['evt_1'] },
  checkout: { sessionId: 's', orderId: 'ord_1', key: 'k', content: 'c', attempt: 'a' },
  releaseCheckout: { sessionId: 's', orderId: 'ord_1', attempt: 'a' },
  followAmendment: { sessionId: 's', orderId: 'ord_1', reopening: 0 },
  endCheckout: { sessionId: 's', orderId: 'ord_1', reopening: 0 },
  settleOrder: { orderId: 'ord_1' },
  couponState: { tenant: companyId, couponId: 'cpn_1' },
  ordersStanding: { orderIds: ['ord_1'] },
  findCustomer: { tenant: companyId, id: 'c' },
  countOrders: { tenant: companyId, ...PERIOD, max: 1 },
  ordersCreated: { tenant: companyId, ...PERIOD, limit: 1 },
  placesOf: { tenant: companyId, eventIds: ['evt_1'], offeringIds: ['off_1'] },
  eraseFromOrders: erasureOf(companyId),
  eraseFromCarts: erasureOf(companyId),
  eraseFromGroups: erasureOf(companyId),
  eraseFromRedemptions: erasureOf(companyId),
});

const PERIOD = { from: '2027-01-01T00:00:00Z', to: '2027-02-01T00:00:00Z' };

function erasureOf(tenant: string) {
  const customer = { ids: ['c'], emails: ['c@example.com'] };
  return { tenant, customer, pseudonym: 'erased_1', place: '', cause: { keyId: 'key_1' } };
}
