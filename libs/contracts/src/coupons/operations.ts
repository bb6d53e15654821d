import { coupon, couponInput, couponListQuery, couponPatch } from './coupon.ts';
import { changedByOthers, codeTaken, couponNotFound } from '../errors/refusals.ts';
import { type Declarations, exampleId, ids, operations } from '../operations/operation.ts';
import { EVENT } from '../events/operations.ts';

const COUPON = exampleId('cpn', 1);
const UNIQUE_COUPON = exampleId('cpn', 2);

const theCoupon = ids({ id: 'The coupon.' });

export const COUPON_OPERATIONS = operations('commerce', 'Coupons', {
  createCoupon: {
    method: 'POST',
    path: '/coupons',
    summary: 'Create a coupon',
    description: [
      'No field is required, but a coupon has no effect until it has a code, or `uniqueCodes`, and a discount: `percentOff`, or `amountOff` in minor units, not both. The discount is taken off each ticket, or once off the order with `per: "order"`. It applies to `contextIds` (events, series with all their instances, venues whose ids begin with `ven_`, organizations whose ids begin with `org_`) and `offeringIds`. If you send both, an offering must match both; if you send neither, the coupon applies to every event of the company.',
      'A coupon can do whatever a price adjustment can: `effect` takes the place of `percentOff` or `amountOff`, and every condition of an adjustment is a member of the coupon.',
      'Other names are accepted for some fields: `discountType` with `discountValue` for `percentOff` or `amountOff`, `maxUses` and `maxRedemptions` for `limit`, `endsAt` for `expiresAt`, and `limitPerCustomer` for `maxRedemptionsPerCustomer`. One that contradicts its field is refused.',
    ].join('\n\n'),
    scope: 'coupons:write',
    body: couponInput,
    grows: true,
    answer: { statuses: { 201: 'The coupon was created.' }, data: coupon },
    errors: [codeTaken],
    examples: {
      percent: {
        summary: '10 % for newsletter readers, 500 times',
        body: {
          description: 'Newsletter readers',
          code: 'NEWS10',
          type: 'percent',
          percentOff: 10,
          limit: 500,
          contextIds: [EVENT],
        },
        makes: { 'data.id': COUPON },
      },
      order: {
        summary: '10.00 EUR off, once per order',
        body: {
          code: 'WELCOME',
          amountOff: 1000,
          currency: 'EUR',
          per: 'order',
          contextIds: [EVENT],
          expiresAt: '2099-06-30T18:00:00+02:00',
        },
      },
      effect: {
        summary: 'Three for two, once per customer, for 100.00 EUR of tickets at least',
        body: {
          code: 'THREE4TWO',
          effect: { kind: 'buy_x_get_y', buy: 2, get: 1, percent: 100 },
          maxRedemptionsPerCustomer: 1,
          minEligibleTotal: { amount: 10000, currency: 'EUR' },
          startsAt: '2099-05-01T00:00:00+02:00',
          contextIds: [EVENT],
        },
      },
      unique: {
        summary: '20 %, with a code for each buyer: issue these next',
        body: { description: 'Raffle', percentOff: 20, uniqueCodes: true, contextIds: [EVENT] },
        makes: { 'data.id': UNIQUE_COUPON },
      },
      aliases: {
        summary: 'The other names',
        body: {
          code: 'EARLY5',
          discountType: 'amount',
          discountValue: 500,
          maxUses: 100,
          expiresAt: '2099-06-30T22:00:00Z',
        },
      },
    },
  },
  listCoupons: {
    method: 'GET',
    path: '/coupons',
    summary: 'List coupons',
    description: 'Returns the coupons that match all filters, newest first, without archived ones.',
    scope: 'coupons:read',
    query: couponListQuery,
    answer: { statuses: { 200: 'One page of coupons.' }, data: coupon, form: 'list' },
    examples: {
      code: { summary: 'Find one by its code', query: { code: 'news10' } },
      active: { summary: 'Find those that are active, by a word', query: { status: 'active', q: 'newsletter' } },
    },
  },
  getCoupon: {
    method: 'GET',
    path: '/coupons/{id}',
    summary: 'Read a coupon',
    scope: 'coupons:read',
    versioned: 'answers',
    params: theCoupon,
    answer: { statuses: { 200: 'The coupon.' }, data: coupon },
    errors: [couponNotFound],
    examples: { percent: { summary: 'A coupon', path: { id: COUPON } } },
  },
  updateCoupon: {
    method: 'PATCH',
    path: '/coupons/{id}',
    summary: 'Update a coupon',
    description:
      'Absent fields stay, null clears a field; `percentOff`, `amountOff` and `effect` replace each other; `effect` is replaced as a whole. Set `status` to `active`, which also restores an archived coupon, or to `inactive`. You can send a coupon back as you read it: a computed status is ignored beside other fields.',
    scope: 'coupons:write',
    versioned: 'changes',
    params: theCoupon,
    body: couponPatch,
    grows: true,
    answer: { statuses: { 200: 'The coupon as it is now.' }, data: coupon },
    errors: [couponNotFound, codeTaken, changedByOthers],
    examples: {
      raise: { summary: '15 %, and a thousand times', path: { id: COUPON }, body: { percentOff: 15, limit: 1000 } },
    },
  },
  archiveCoupon: {
    method: 'DELETE',
    path: '/coupons/{id}',
    summary: 'Archive a coupon',
    description: 'The coupon no longer applies and its code is free again.',
    scope: 'coupons:write',
    versioned: 'changes',
    params: theCoupon,
    answer: { statuses: { 200: 'The archived coupon.' }, data: coupon },
    errors: [couponNotFound, changedByOthers],
    examples: { percent: { summary: 'The campaign is over', path: { id: COUPON } } },
  },
} satisfies Declarations);
