import { z } from 'zod';
import { adjustment, adjustmentInput, adjustmentListQuery, adjustmentPatch } from './adjustment.ts';
import { evaluateRequest, evaluation } from './evaluation.ts';
import { redeemed, redemption, redemptionInput, redemptionListQuery } from './redemption.ts';
import { heldByOrder, LIMITS_BY_HAND } from '../orders/purchase-refusals.ts';
import {
  adjustmentNotFound,
  adjustmentsTooLarge,
  changedByOthers,
  codeTaken,
  otherCompany,
  redemptionNotFound,
} from '../errors/refusals.ts';
import { type Declarations, exampleId, ids, operations } from '../operations/operation.ts';
import { EVENT } from '../events/operations.ts';

const ADJUSTMENT = exampleId('adj', 1);
const GROUP_ADJUSTMENT = exampleId('adj', 2);
const REDEMPTION = exampleId('rdm', 1);

const codeOfAdjustmentTaken = codeTaken.shownWith('SUMMER20', 'conditions.code');
const theAdjustment = ids({ id: 'The adjustment.' });

export const PRICING_OPERATIONS = operations('pricing', 'Pricing', {
  createAdjustment: {
    method: 'POST',
    path: '/pricing/adjustments',
    summary: 'Create a price adjustment',
    description: [
      'The company is always that of the key, also inside each `targets[].urn`. `id`, `companyId`, `created` and `changed` are ignored.',
      '`stacking` says how adjustments combine: `replace-within-category` keeps the best one for the buyer of each category, `stackable` adds up, `exclusive` applies alone if the buyer then pays no more than with all others together. `effectBase` is what the effect is computed on: the list price, or the price after the previous adjustments.',
      '`application` says when: an adjustment `at-listing` changes what a ticket is listed at, and everything `at-checkout` starts from that price. Adjustments at listing compete and exclude each other among themselves, and so do those at checkout.',
      'An adjustment of type `coupon` needs `conditions.code`, kept trimmed and upper-cased.',
    ].join('\n\n'),
    scope: 'pricing:write',
    body: adjustmentInput,
    grows: true,
    answer: { statuses: { 201: 'The adjustment was created and applies at once.' }, data: adjustment },
    errors: [codeOfAdjustmentTaken],
    examples: {
      coupon: {
        summary: '20 % with a code, a hundred times',
        body: {
          name: 'Summer sale',
          type: 'coupon',
          category: 'discount-coupon',
          origin: 'coupon',
          application: 'at-checkout',
          stacking: 'replace-within-category',
          effectBase: 'list-price',
          targets: [{ eventId: EVENT }],
          conditions: { code: 'SUMMER20', maxRedemptions: 100 },
          effect: { kind: 'percentage_off', percent: 20 },
          status: 'active',
        },
        makes: { 'data.id': ADJUSTMENT },
      },
      groups: {
        summary: '5.00 EUR off each of four or more tickets, no code',
        body: {
          name: 'Groups save',
          category: 'group',
          targets: [{ urn: 'urn:v1:demo:events:event/*' }],
          conditions: { minQuantity: 4 },
          effect: { kind: 'amount_off', amount: 500, currency: 'EUR' },
        },
        makes: { 'data.id': GROUP_ADJUSTMENT },
      },
      happyHour: {
        summary: '10 % on weekday evenings',
        body: {
          name: 'After work',
          category: 'happy-hour',
          targets: [{ eventId: EVENT }],
          conditions: {
            recurring: [
              { days: ['mon', 'tue', 'wed', 'thu', 'fri'], from: '17:00', to: '19:00', timezone: 'Europe/Berlin' },
            ],
            startsAt: '2099-05-01T00:00:00+02:00',
          },
          effect: { kind: 'percentage_off', percent: 10 },
        },
      },
    },
  },
  listAdjustments: {
    method: 'GET',
    path: '/pricing/adjustments',
    summary: 'List price adjustments',
    description: 'Newest first, including the adjustments of coupons, each with its `usage`.',
    scope: 'pricing:read',
    query: adjustmentListQuery,
    answer: { statuses: { 200: 'One page of adjustments.' }, data: adjustment, form: 'list' },
    examples: {
      code: { summary: 'Who holds a code', query: { code: 'summer20' } },
      everywhere: { summary: 'What groups save at every event', query: { category: 'group', eventId: '*' } },
    },
  },
  getAdjustment: {
    method: 'GET',
    path: '/pricing/adjustments/{id}',
    summary: 'Read a price adjustment',
    scope: 'pricing:read',
    versioned: 'answers',
    params: theAdjustment,
    answer: { statuses: { 200: 'The adjustment.' }, data: adjustment },
    errors: [adjustmentNotFound],
    examples: { groups: { summary: 'The discount for groups', path: { id: GROUP_ADJUSTMENT } } },
  },
  updateAdjustment: {
    method: 'PATCH',
    path: '/pricing/adjustments/{id}',
    summary: 'Change a price adjustment',
    description:
      "A JSON merge patch: what is absent stays, in `conditions` and `effect` too; null removes a field. An `effect` of another `kind` replaces the one there is. The whole result is validated as if it were new, unless `status` alone is changed to `paused` or `archived`. To change a coupon's adjustment, change the coupon.",
    scope: 'pricing:write',
    versioned: 'changes',
    params: theAdjustment,
    body: adjustmentPatch,
    grows: true,
    answer: { statuses: { 200: 'The adjustment as it is now.' }, data: adjustment },
    errors: [adjustmentNotFound, codeOfAdjustmentTaken, changedByOthers],
    examples: {
      until: {
        summary: 'Ends with the year',
        path: { id: GROUP_ADJUSTMENT },
        body: { conditions: { endsAt: '2099-12-31T23:59:59Z' } },
      },
    },
  },
  evaluateAdjustments: {
    method: 'POST',
    path: '/pricing/adjustments/evaluate',
    rpc: 'evaluate',
    summary: 'Evaluate price adjustments for an offering',
    description: [
      'Changes nothing. Loads every active or scheduled adjustment of the company, keeps those whose targets and conditions match, resolves stacking, and applies the rest: at-listing adjustments, then exclusive ones, then per unit, then per order; within each, by priority, then oldest first.',
      '`droppedAdjustments` lists what did not apply, with the reason as a code and as a sentence. `codes` has a result for every presented code. Evaluating checks caps but claims nothing: placing the order decides.',
      'With `proposed` you get the price as if those adjustments were saved; nothing is saved. New ones are called `proposed_0`, `proposed_1` and so on, in your order. They are validated as if you saved them: an invalid field is a 400, a code that another adjustment holds a 409.',
      'Codes are secrets: to a key without `pricing:read`, an adjustment that needs a code that was not presented shows neither its name nor its code.',
    ].join('\n\n'),
    scope: 'pricing:evaluate',
    also: ['pricing:read'],
    query: z.object({
      dropped: z
        .enum(['all', 'candidates'])
        .default('all')
        .describe(
          '`candidates` leaves out adjustments that are for other offerings or need a code that was not presented.',
        ),
    }),
    body: evaluateRequest,
    answer: { statuses: { 200: 'The price and how it was computed.' }, data: evaluation },
    errors: [
      otherCompany.shownWith('offering.companyId'),
      adjustmentsTooLarge,
      adjustmentNotFound,
      codeTaken.shownWith('SUMMER20', 'proposed[0].conditions.code'),
    ],
    examples: {
      two: {
        summary: 'Two tickets with a code',
        body: {
          offering: { id: 'off_standing', eventId: EVENT, price: { amount: 5000, currency: 'EUR' } },
          cartContext: { quantity: 2, codes: ['summer20'] },
        },
      },
      four: {
        summary: 'Four tickets, and a code that nobody knows',
        query: { dropped: 'candidates' },
        body: {
          offering: { id: 'off_standing', eventId: EVENT, price: { amount: 5000, currency: 'EUR' } },
          cartContext: { quantity: 4, codes: ['FREE-BEER'], now: '2027-06-01T12:00:00Z' },
        },
      },
      proposed: {
        summary: 'What members would pay, before the discount is created',
        body: {
          offering: { id: 'off_standing', eventId: EVENT, price: { amount: 5000, currency: 'EUR' } },
          cartContext: { quantity: 2, customerSegment: 'member' },
          proposed: [
            {
              name: 'Members save',
              targets: [{ eventId: EVENT }],
              conditions: { customerSegments: ['member'] },
              effect: { kind: 'percentage_off', percent: 10 },
            },
          ],
        },
      },
    },
  },
  redeemAdjustment: {
    method: 'POST',
    path: '/pricing/adjustments/{id}/redemptions',
    summary: 'Redeem an adjustment for an order in another system',
    description:
      'For orders that you keep in another system; orders placed through this API redeem automatically. A repeat for the same adjustment and order returns the first redemption. A cap is never exceeded. Where the adjustment counts tickets or draws on a budget, `tickets` and `amount` are required, and given back with the redemption.',
    scope: 'pricing:redeem',
    also: ['pricing:read'],
    params: theAdjustment,
    body: redemptionInput,
    answer: {
      statuses: { 200: 'The order had redeemed it before.', 201: 'It was redeemed.' },
      data: redeemed,
    },
    errors: [adjustmentNotFound, ...LIMITS_BY_HAND],
    examples: {
      order: {
        summary: 'For an order of a shop',
        path: { id: ADJUSTMENT },
        body: { orderId: 'shop-4711', customerId: 'cus_ada' },
        makes: { 'data.redemption.id': REDEMPTION },
      },
      again: {
        summary: 'A repeat changes nothing',
        path: { id: ADJUSTMENT },
        body: { orderId: 'shop-4711', customerId: 'cus_ada' },
      },
    },
  },
  listRedemptions: {
    method: 'GET',
    path: '/pricing/adjustments/{id}/redemptions',
    summary: 'List the redemptions of an adjustment',
    description: 'The ledger, newest first, including released redemptions.',
    scope: 'pricing:read',
    params: theAdjustment,
    query: redemptionListQuery,
    answer: { statuses: { 200: 'One page of redemptions.' }, data: redemption, form: 'list' },
    errors: [adjustmentNotFound],
    examples: { all: { summary: 'Who redeemed it', path: { id: ADJUSTMENT } } },
  },
  releaseRedemption: {
    method: 'DELETE',
    path: '/pricing/adjustments/{id}/redemptions/{redemptionId}',
    summary: 'Release a redemption',
    description:
      'Releases a redemption, so that another order can use its place. Releasing it again is no error. A redemption of an order placed through this API is released when the order is cancelled.',
    scope: 'pricing:redeem',
    also: ['pricing:read'],
    params: ids({ id: 'The adjustment.', redemptionId: 'The redemption.' }),
    answer: { statuses: { 200: 'It was released.' }, data: redeemed },
    errors: [adjustmentNotFound, redemptionNotFound, heldByOrder],
    examples: { order: { summary: 'The order was returned', path: { id: ADJUSTMENT, redemptionId: REDEMPTION } } },
  },
  archiveAdjustment: {
    method: 'DELETE',
    path: '/pricing/adjustments/{id}',
    summary: 'Archive a price adjustment',
    description: 'The adjustment no longer applies and its code is free again. Its redemptions stay in the ledger.',
    scope: 'pricing:write',
    versioned: 'changes',
    params: theAdjustment,
    answer: { statuses: { 200: 'The archived adjustment.' }, data: adjustment },
    errors: [adjustmentNotFound, changedByOthers],
    examples: { groups: { summary: 'Groups save no more', path: { id: GROUP_ADJUSTMENT } } },
  },
} satisfies Declarations);
