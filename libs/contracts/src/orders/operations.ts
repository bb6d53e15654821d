import {
  amendedOrder,
  amendment,
  amendmentExpired,
  amendmentInput,
  amendmentListQuery,
  amendmentNotFound,
  amendmentPending,
  amendmentPreview,
  amendmentPreviewInput,
  amendmentStatusConflict,
  amendmentWithBefore,
  movedAmendment,
  orderAmendmentsFull,
} from './amendment.ts';
import {
  confirmOrderInput,
  extendOrderInput,
  order,
  orderListQuery,
  orderPatch,
  placedOrder,
  reopenOrderInput,
} from './order.ts';
import { orderRequest } from './order-input.ts';
import { cartAlreadyOrdered, cartBeingOrdered, cartChanged, tableNotJoinable } from '../carts/cart-refusals.ts';
import {
  adjustmentNotApplicable,
  amendedEventCancelled,
  cartEmpty,
  customerLimitReached,
  customerLimitReachedForNow,
  eventCancelled,
  notForSale,
  onlyPendingOrders,
  orderBeingPlaced,
  orderExpired,
  orderNumberTaken,
  orderStatusConflict,
  priceChanged,
  redemptionLimitReached,
  redemptionLimitReachedForNow,
  repriceUnavailable,
  shownAboutAmendment,
  shownAboutOrder,
  soldOut,
  soldOutForNow,
  statedPriceDiffers,
} from './purchase-refusals.ts';
import { changedByOthers, orderNotFound, otherCompany } from '../errors/refusals.ts';
import { type Declarations, exampleId, ids, operations } from '../operations/operation.ts';
import { SESSION } from '../carts/operations.ts';
import { EVENT } from '../events/operations.ts';
import { OFFERING } from '../offerings/operations.ts';

const ORDER = exampleId('ord', 1);
const NUMBER = 'SUMMER-1001';
const PENDING = 'SUMMER-1003';
const AMENDMENT = exampleId('amd', 1);
const TO_PAY = exampleId('amd', 2);
const NOT_PAID = exampleId('amd', 3);

/** The total of the example's order, with its fees and tax. */
const EXPECTED_TOTAL = 10_085;

const LABEL_HINT = 'only a placed order has a label of yours';

const theOrder = ids({
  id: 'The order, or its order number. For a number that contains /, % or a backslash, is ".", or begins or ends with "..", use `GET /orders?orderNumber=` instead.',
});

const theAmendment = ids({ id: 'The order, or its order number.', amendmentId: 'The amendment.' });

const summer = {
  orderNumber: NUMBER,
  currency: 'EUR',
  companyId: 'demo',
  organizerId: 'org_riverside',
  contextId: EVENT,
  customer: {
    id: 'cus_ada',
    email: 'ada@example.com',
    firstName: 'Ada',
    lastName: 'Lovelace',
    phone: '+49 30 1234567',
  },
  items: [{ offeringId: OFFERING, quantity: 2 }],
  coupons: ['SUMMER20'],
  expectedTotal: 9_600,
  answers: { vegetarian: true },
  context: { urn: `urn:v1:demo:orders:order/${NUMBER}` },
};

export const ORDER_OPERATIONS = operations('commerce', 'Orders', {
  createOrder: {
    method: 'POST',
    path: '/orders',
    summary: 'Create an order',
    description: [
      'Prices the order and takes everything that it needs: redemptions of what made the price, a ticket for each unit of an offering, the cart session and its seat. If any of it is not available, no order is placed and nothing is taken; the error says why. `context` may be inside `order` or beside it.',
      'An item costs what the catalogue says; an offering that is not in it costs the `unitPrice` of the item, and without one it is a 409 `NOT_FOR_SALE`. With `orders:write`, an order in which nothing has a price is accepted; its items cost 0 and are `priced: false`. An item without an `offeringId` and without a price is accepted in any order of such a key, at 0; with `orders:checkout` alone it is a 400. With `cartSessionId` and no `items`, the order is the cart. `cartVersion` is the version of the cart that the buyer was shown: if the cart has changed since, it is a 409 `CART_CHANGED`. `expectedTotal` is the total that the buyer was shown: the order costs that, or it is a 409 `PRICE_CHANGED`.',
      'A key with `orders:write` may state other prices: `unitPrice` or `total` of an item, `costs.subtotal` and `costs.total`. They stand, and `pricing` says what the platform would have charged. A key with `orders:checkout` alone cannot.',
      'A code that no active adjustment has is a 400. One that does not count for this order is a 409 with the reason that an evaluation gives. One that lost against a better one is not redeemed, and `coupons` says why.',
      'With `expiresInSeconds` the order is `pending`: its price stands, and what it needs is held, until it is confirmed or cancelled, or expires by itself and gives everything back.',
      'A repeat with the same `orderNumber` and content returns the first order, even while that one is being placed, and never takes anything twice.',
    ].join('\n\n'),
    scope: 'orders:write',
    orScope: 'orders:checkout',
    body: orderRequest,
    answer: {
      statuses: { 200: 'The order exists already.', 201: 'The order was created: it is placed, or pending.' },
      data: placedOrder,
      form: 'order-created',
    },
    errors: [
      otherCompany,
      orderNumberTaken,
      orderBeingPlaced,
      redemptionLimitReached,
      redemptionLimitReachedForNow,
      adjustmentNotApplicable,
      soldOut,
      soldOutForNow,
      customerLimitReached,
      customerLimitReachedForNow,
      notForSale,
      cartEmpty,
      cartAlreadyOrdered,
      cartBeingOrdered,
      cartChanged,
      priceChanged,
      statedPriceDiffers,
    ],
    examples: {
      coupon: {
        summary: 'Two tickets with a coupon',
        body: { order: summer },
        makes: { 'data.order.id': ORDER },
      },
      again: { summary: 'The same order again changes nothing', body: { order: summer } },
      pending: {
        summary: 'Everything held for fifteen minutes, while the buyer pays',
        body: { order: { ...summer, orderNumber: PENDING, coupons: [], expectedTotal: 12_000, expiresInSeconds: 900 } },
      },
      cart: {
        summary: 'A cart, at the version and total that the buyer was shown. The context stands beside the order',
        body: {
          order: {
            orderNumber: 'SUMMER-1002',
            currency: 'EUR',
            companyId: 'demo',
            organizerId: 'org_riverside',
            contextId: EVENT,
            customer: { email: 'grace@example.com' },
            costs: { fees: 200, tax: 285 },
            expectedTotal: EXPECTED_TOTAL,
            cartSessionId: SESSION,
            cartVersion: 6,
          },
          context: { urn: 'urn:v1:demo:orders:order/SUMMER-1002' },
        },
      },
    },
  },
  listOrders: {
    method: 'GET',
    path: '/orders',
    summary: 'List orders',
    description: [
      'Returns the orders that match all filters, newest first. `from` (inclusive) and `to` (exclusive) bound the time of creation.',
      'With `format` the response is a stream of every order that matches, without envelope and pages: `ndjson` has one order as JSON in each line, `csv` one row. If it breaks off, the connection is closed without its end.',
    ].join('\n\n'),
    scope: 'orders:read',
    query: orderListQuery,
    answer: {
      statuses: { 200: 'One page of orders, or all of them as a stream.' },
      data: order,
      form: 'list',
      streams: { 'application/x-ndjson': 'One order as JSON in each line.', 'text/csv': 'One order a row (RFC 4180).' },
    },
    examples: {
      customer: { summary: "One customer's orders", query: { customerId: 'cus_ada', limit: '10' } },
      event: { summary: 'Who has tickets for an event', query: { eventId: EVENT, state: 'placed' } },
    },
  },
  getOrder: {
    method: 'GET',
    path: '/orders/{id}',
    summary: 'Read an order',
    description:
      'By its id, or its order number. A key with `orders:checkout` alone reads the orders placed with it, or with a key that it replaces.',
    scope: 'orders:read',
    orScope: 'orders:checkout',
    versioned: 'answers',
    params: theOrder,
    answer: { statuses: { 200: 'The order.' }, data: order },
    errors: [orderNotFound],
    examples: {
      placed: { summary: 'An order', path: { id: ORDER } },
      number: { summary: 'By its number', path: { id: 'SUMMER-1002' } },
    },
  },
  updateOrder: {
    method: 'PATCH',
    path: '/orders/{id}',
    summary: 'Update an order',
    description:
      'A JSON merge patch that changes everything except what was bought: `status` (a label of your own on a placed order), `customer`, `agreements`, `answers`, `forwarded` and `meta`. Objects are merged member by member; null removes a member. Sending a different value for what was bought is a 400.',
    scope: 'orders:write',
    versioned: 'changes',
    params: theOrder,
    body: orderPatch,
    answer: { statuses: { 200: 'The order.' }, data: order },
    errors: [orderNotFound, orderStatusConflict.shownWith(ORDER, 'cancelled', LABEL_HINT), changedByOthers],
    examples: {
      shipped: {
        summary: 'A label, and a note for yourself',
        path: { id: NUMBER },
        body: { status: 'shipped', meta: { parcel: 'P-17' } },
      },
    },
  },
  extendOrder: {
    method: 'POST',
    path: '/orders/{id}/extend',
    summary: 'Give a pending order more time',
    description:
      'Moves `expiresAt`, for a buyer who is still paying: the order keeps its price and everything that it holds. It never moves closer, and at most to 7 days after the order became pending. A pending order without `expiresAt`, and a placed one, stay as they are. A key with `orders:checkout` alone extends the pending orders that were placed with it, or with a key that it replaces.',
    scope: 'orders:write',
    orScope: 'orders:checkout',
    versioned: 'changes',
    params: theOrder,
    body: extendOrderInput,
    answer: { statuses: { 200: 'The order.' }, data: order },
    errors: [orderNotFound, orderExpired, orderStatusConflict, changedByOthers],
    examples: {
      pending: { summary: 'Until 30 minutes from now', path: { id: PENDING }, body: { expiresInSeconds: 1_800 } },
    },
  },
  confirmOrder: {
    method: 'POST',
    path: '/orders/{id}/confirm',
    summary: 'Confirm a pending order',
    description:
      'Makes it `placed`. Confirming a placed order changes nothing. With `expectedTotal`, only if the order costs that. If an event of the order was cancelled in the meantime, this cancels the order, and is a 409 `NOT_FOR_SALE`: give the money back.',
    scope: 'orders:write',
    versioned: 'changes',
    params: theOrder,
    body: confirmOrderInput,
    answer: { statuses: { 200: 'The placed order.' }, data: order },
    errors: [orderNotFound, orderExpired, orderStatusConflict, priceChanged, eventCancelled, changedByOthers],
    examples: {
      pending: { summary: 'Confirm it, if that was paid', path: { id: PENDING }, body: { expectedTotal: 12_000 } },
    },
  },
  previewAmendment: {
    method: 'POST',
    path: '/orders/{id}/amendments/preview',
    summary: 'Preview a change of what an order bought',
    description:
      'What `POST /orders/{id}/amendments` would come to in both modes, or why it would be refused. Takes and changes nothing: others may buy meanwhile what it adds. Only the amendment checks how many tickets the customer may have in all.',
    scope: 'orders:write',
    orScope: 'orders:checkout',
    params: theOrder,
    body: amendmentPreviewInput,
    answer: { statuses: { 200: 'Both modes.' }, data: amendmentPreview },
    errors: [
      orderNotFound,
      onlyPendingOrders,
      orderStatusConflict,
      amendmentPending,
      shownAboutAmendment(notForSale),
      shownAboutAmendment(statedPriceDiffers),
    ],
    examples: {
      return: {
        summary: 'One of two tickets is returned',
        path: { id: NUMBER },
        body: { items: [{ lineId: 'ln_1', quantity: 1 }] },
      },
    },
  },
  amendOrder: {
    method: 'POST',
    path: '/orders/{id}/amendments',
    summary: 'Change what an order bought',
    description:
      'Returns tickets, adds others, exchanges them, or changes codes, at once and to the cent. The body says what the order should be, so a repeat changes nothing. What is added is claimed, all or nothing; what is returned can be bought by the next request. `due` is what is to be paid, or, negative, to be paid back: the platform moves no money. Try it with the preview. With `expiresInSeconds`, an amendment of a placed order is `pending`: what it adds is held while the buyer pays, and the order stays as it is until the amendment is confirmed. A key with `orders:checkout` alone amends the pending orders that were placed with it.',
    scope: 'orders:write',
    orScope: 'orders:checkout',
    versioned: 'changes',
    params: theOrder,
    body: amendmentInput,
    answer: {
      statuses: {
        201: 'The order, which is amended unless the amendment is pending, and the amendment.',
        200: 'The order, which is so already.',
      },
      data: amendedOrder,
    },
    errors: [
      orderNotFound,
      onlyPendingOrders,
      orderStatusConflict,
      amendmentPending,
      repriceUnavailable,
      ...[
        priceChanged,
        statedPriceDiffers,
        soldOut,
        soldOutForNow,
        customerLimitReached,
        customerLimitReachedForNow,
        notForSale,
        redemptionLimitReached,
        redemptionLimitReachedForNow,
        adjustmentNotApplicable,
      ].map(shownAboutAmendment),
      orderAmendmentsFull,
      changedByOthers,
    ],
    examples: {
      return: {
        summary: 'One of two tickets is returned, at the price that was paid',
        path: { id: NUMBER },
        body: { mode: 'keep', items: [{ lineId: 'ln_1', quantity: 1 }], reason: 'One guest fell ill' },
        makes: { 'data.amendment.id': AMENDMENT },
      },
      again: {
        summary: 'An order that is so already stays as it is',
        path: { id: NUMBER },
        body: { mode: 'keep', items: [{ lineId: 'ln_1', quantity: 1 }] },
      },
      held: {
        summary: 'A ticket more, held for fifteen minutes, while the buyer pays',
        path: { id: NUMBER },
        body: { mode: 'keep', items: [{ offeringId: OFFERING, quantity: 2 }], expiresInSeconds: 900 },
        makes: { 'data.amendment.id': TO_PAY },
      },
      unpaid: {
        summary: 'The same for another order',
        path: { id: PENDING },
        body: { mode: 'keep', items: [{ offeringId: OFFERING, quantity: 3 }], expiresInSeconds: 900 },
        makes: { 'data.amendment.id': NOT_PAID },
      },
    },
  },
  confirmAmendment: {
    method: 'POST',
    path: '/orders/{id}/amendments/{amendmentId}/confirm',
    summary: 'Apply a pending change of an order',
    description:
      'The order is amended: what was held for it is sold, and what it returns can be bought by the next request. Confirming an amendment that is applied changes nothing. If an event whose tickets it adds was cancelled, this cancels the amendment and returns 409 `NOT_FOR_SALE`: refund the buyer.',
    scope: 'orders:write',
    orScope: 'orders:checkout',
    versioned: 'changes',
    params: theAmendment,
    answer: { statuses: { 200: 'The amended order, and the amendment.' }, data: movedAmendment },
    errors: [
      orderNotFound,
      onlyPendingOrders,
      amendmentNotFound,
      amendmentExpired,
      amendmentStatusConflict.shownWith(TO_PAY, 'cancelled', 'make it again'),
      orderStatusConflict,
      amendedEventCancelled,
      changedByOthers,
    ],
    examples: { paid: { summary: 'Confirm it, if its `due` was paid', path: { id: NUMBER, amendmentId: TO_PAY } } },
  },
  cancelAmendment: {
    method: 'POST',
    path: '/orders/{id}/amendments/{amendmentId}/cancel',
    summary: 'Cancel a pending change of an order',
    description:
      'The order stays as it is, and what was held for the amendment can be had by the next request. Cancelling an amendment that was cancelled or has expired changes nothing. One that is applied is not cancelled: amend the order back. Cancelling the order cancels its pending amendment too.',
    scope: 'orders:write',
    orScope: 'orders:checkout',
    versioned: 'changes',
    params: theAmendment,
    answer: { statuses: { 200: 'The order, and the cancelled amendment.' }, data: movedAmendment },
    errors: [
      orderNotFound,
      onlyPendingOrders,
      amendmentNotFound,
      amendmentStatusConflict,
      orderStatusConflict,
      changedByOthers,
    ],
    examples: { unpaid: { summary: 'The buyer did not pay', path: { id: PENDING, amendmentId: NOT_PAID } } },
  },
  listAmendments: {
    method: 'GET',
    path: '/orders/{id}/amendments',
    summary: 'List the changes of an order',
    description:
      'Newest first. An order has at most 50. A key with `orders:checkout` alone reads those of the orders that were placed with it.',
    scope: 'orders:read',
    orScope: 'orders:checkout',
    params: theOrder,
    query: amendmentListQuery,
    answer: { statuses: { 200: 'The amendments.' }, data: amendment, form: 'list' },
    errors: [orderNotFound],
    examples: { all: { summary: 'All of them', path: { id: NUMBER } } },
  },
  getAmendment: {
    method: 'GET',
    path: '/orders/{id}/amendments/{amendmentId}',
    summary: 'Read a change of an order',
    description: 'A key with `orders:checkout` alone reads those of the orders that were placed with it.',
    scope: 'orders:read',
    orScope: 'orders:checkout',
    params: theAmendment,
    answer: { statuses: { 200: 'The amendment, with the order as it was before.' }, data: amendmentWithBefore },
    errors: [orderNotFound, amendmentNotFound],
    examples: { one: { summary: 'What it changed', path: { id: NUMBER, amendmentId: AMENDMENT } } },
  },
  cancelOrder: {
    method: 'POST',
    path: '/orders/{id}/cancel',
    summary: 'Cancel an order',
    description:
      'Releases its redemptions, tickets and seats: the next request can have them. Only while a part of the platform does not respond are they released later. Its cart session is open again, with its items and codes, and without a seat. Cancelling an order that was cancelled or has expired changes nothing. A key with `orders:checkout` alone cancels the pending orders that were placed with it, or with a key that it replaces.',
    scope: 'orders:write',
    orScope: 'orders:checkout',
    versioned: 'changes',
    params: theOrder,
    answer: { statuses: { 200: 'The cancelled order.' }, data: order },
    errors: [orderNotFound, onlyPendingOrders, changedByOthers],
    examples: { placed: { summary: 'Cancel it', path: { id: NUMBER } } },
  },
  reopenOrder: {
    method: 'POST',
    path: '/orders/{id}/reopen',
    summary: 'Reopen an order',
    description:
      'Makes a cancelled or expired order `placed` again, at the price that it had; with `expiresInSeconds` it becomes `pending`. Takes its redemptions, tickets and seat once more: all of them, or the order stays as it is. Reopening an order that is pending or placed changes nothing.',
    scope: 'orders:write',
    versioned: 'changes',
    params: theOrder,
    body: reopenOrderInput,
    answer: { statuses: { 200: 'The reopened order.' }, data: order },
    errors: [
      orderNotFound,
      ...[
        redemptionLimitReached,
        redemptionLimitReachedForNow,
        adjustmentNotApplicable,
        soldOut,
        soldOutForNow,
        customerLimitReached,
        customerLimitReachedForNow,
        notForSale,
        cartAlreadyOrdered,
        tableNotJoinable,
      ].map(shownAboutOrder),
      changedByOthers,
    ],
    examples: {
      cancelled: {
        summary: 'Hold everything for another ten minutes',
        path: { id: NUMBER },
        body: { expiresInSeconds: 600 },
      },
    },
  },
} satisfies Declarations);
