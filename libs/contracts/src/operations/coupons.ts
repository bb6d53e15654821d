import { coupon, couponInput, couponListQuery } from '../coupon.ts';
import { changedByOthers, codeTaken, couponNotFound } from '../refusals.ts';
import { type Declarations, exampleId, ids, operations } from './operation.ts';
import { EVENT } from './events.ts';

const COUPON = exampleId('cpn', 1);

const theCoupon = ids({ id: 'The coupon.' });

export const COUPON_OPERATIONS = operations('commerce', 'Coupons', {
  createCoupon: {
    method: 'POST',
    path: '/coupons',
    summary: 'Create a coupon',
    description: [
      'No field is required; a coupon has no effect until it has a code and a discount: `percentOff`, or `amountOff` in minor units, not both. It applies to what is in `contextIds` (events, series with all their instances, venues, organizations) and in `offeringIds`: given both, an offering must be in both; given neither, to every event of the company.',
      '`discountType` with `discountValue` are accepted for `percentOff` or `amountOff`, and `maxUses` and `maxRedemptions` for `limit`.',
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
    description: 'Newest first, without archived ones.',
    scope: 'coupons:read',
    query: couponListQuery,
    answer: { statuses: { 200: 'One page of coupons.' }, data: coupon, form: 'list' },
    examples: { code: { summary: 'Find one by its code', query: { code: 'news10' } } },
  },
  getCoupon: {
    method: 'GET',
    path: '/coupons/{id}',
    summary: 'Read a coupon',
    scope: 'coupons:read',
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
      'What is absent stays, null clears. `status` can be set to `active`, which also brings an archived coupon back, or `inactive`.',
    scope: 'coupons:write',
    params: theCoupon,
    body: couponInput,
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
    description: 'Takes it out of use and frees its code.',
    scope: 'coupons:write',
    params: theCoupon,
    answer: { statuses: { 200: 'The archived coupon.' }, data: coupon },
    errors: [couponNotFound, changedByOthers],
    examples: { percent: { summary: 'The campaign is over', path: { id: COUPON } } },
  },
} satisfies Declarations);
