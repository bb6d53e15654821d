import { z } from 'zod';
import {
  cartItemInput,
  cartListQuery,
  cartSession,
  cartSessionInput,
  cartSessionPatch,
  joinTableInput,
} from './cart.ts';
import { recordId } from '../schema/primitives.ts';
import { tableCommitment, tableCommitmentInput, tableCommitmentPatch, tableListQuery } from './table-commitment.ts';
import { cartAlreadyOrdered, cartBeingOrdered, seatsTaken, tableNotJoinable } from './cart-refusals.ts';
import { alreadyExists, changedByOthers, sessionNotFound, tableNotFound } from '../errors/refusals.ts';
import { type Declarations, ids, operations } from '../operations/operation.ts';
import { EVENT } from '../events/operations.ts';
import { OFFERING } from '../offerings/operations.ts';

export const SESSION = 'cart-ada-1';
const OTHER_SESSION = 'cart-grace-1';
const TABLE = 'table-7';

/** The errors that every change of a session can return. */
const ORDERED = [cartAlreadyOrdered, cartBeingOrdered];

const theSession = ids({ id: 'The cart session.' });
const theTable = ids({ id: 'The table commitment.' });

export const CART_OPERATIONS = operations('cart', 'Carts', {
  createCartSession: {
    method: 'POST',
    path: '/cart/sessions',
    summary: 'Create a cart session',
    description:
      'The body is optional. Adding an item to an unknown id creates a session too. A session that does not change for some days, 7 by default, expires.',
    scope: 'carts:write',
    versioned: 'changes',
    changesAlways: 'pricedAt',
    body: cartSessionInput,
    grows: true,
    answer: { statuses: { 201: 'The session was created.' }, data: cartSession },
    errors: [changedByOthers, alreadyExists.shownWith('cart session', SESSION)],
    examples: {
      empty: {
        summary: 'An empty cart, under an id of your own',
        body: { id: SESSION, contextId: EVENT, currency: 'EUR', customerId: 'cus_ada', channelId: 'web' },
      },
    },
  },
  setCartItem: {
    method: 'POST',
    path: '/cart/sessions/{id}/item',
    summary: 'Add, update or remove a cart item',
    description:
      'Sets the quantity of one offering; 0 removes it. The price comes from the offering catalogue; send `price` for an offering that is not in it. Creates the session if there is none with this id.',
    scope: 'carts:write',
    versioned: 'changes',
    changesAlways: 'pricedAt',
    params: z.object({ id: recordId.describe('The cart session.') }),
    body: cartItemInput,
    grows: true,
    answer: { statuses: { 200: 'The session, priced.' }, data: cartSession },
    errors: [changedByOthers, ...ORDERED],
    examples: {
      two: {
        summary: 'Two tickets of the catalogue',
        path: { id: SESSION },
        body: { offeringId: OFFERING, quantity: 2 },
      },
      new: {
        summary: 'A new session, with an offering and its price',
        path: { id: OTHER_SESSION },
        body: { offeringId: 'poster', quantity: 1, name: 'Poster', price: { amount: 1500, currency: 'EUR' } },
      },
    },
  },
  updateCartSession: {
    method: 'PATCH',
    path: '/cart/sessions/{id}',
    summary: 'Update a cart session',
    description: '`items` and `coupons` each replace the whole list. Absent fields stay.',
    scope: 'carts:write',
    versioned: 'changes',
    changesAlways: 'pricedAt',
    params: theSession,
    body: cartSessionPatch,
    grows: true,
    answer: { statuses: { 200: 'The session, priced.' }, data: cartSession },
    errors: [sessionNotFound, changedByOthers, ...ORDERED],
    examples: {
      code: {
        summary: 'Attach a code: couponResults says what it did',
        path: { id: SESSION },
        body: { coupons: ['summer20'] },
      },
    },
  },
  getCartSession: {
    method: 'GET',
    path: '/cart/sessions/{id}',
    summary: 'Read a cart session',
    description:
      'Returns current prices: adjustments start and end without a change of the cart. While pricing does not respond, it returns those of the last change (`priceStatus` is `stored`).',
    scope: 'carts:read',
    versioned: 'answers',
    changesAlways: 'pricedAt',
    params: theSession,
    answer: { statuses: { 200: 'The session, priced.' }, data: cartSession },
    errors: [sessionNotFound],
    examples: { priced: { summary: 'A cart', path: { id: SESSION } } },
  },
  listCartSessions: {
    method: 'GET',
    path: '/cart/sessions',
    summary: 'List cart sessions',
    description:
      'Sessions that have not expired, with current prices, in the order of their ids, the last one first: newest first, unless they have ids of your own.',
    scope: 'carts:read',
    query: cartListQuery,
    answer: { statuses: { 200: 'One page of sessions, each priced.' }, data: cartSession, form: 'list' },
    examples: { all: { summary: 'What is in the carts' } },
  },
  createTableCommitment: {
    method: 'POST',
    path: '/cart/table-commitments',
    summary: 'Create a table commitment',
    description: 'Cart sessions of the same context can join the table, each with one seat or more.',
    scope: 'carts:write',
    body: tableCommitmentInput,
    grows: true,
    answer: { statuses: { 201: 'The table commitment was created.' }, data: tableCommitment },
    errors: [alreadyExists.shownWith('table commitment', TABLE)],
    examples: {
      table: {
        summary: 'Eight seats',
        body: { id: TABLE, contextId: EVENT, seats: 8, minimumSpend: { amount: 40000, currency: 'EUR' } },
      },
    },
  },
  listTableCommitments: {
    method: 'GET',
    path: '/cart/table-commitments',
    summary: 'List table commitments',
    description: 'In the order of their ids, the last one first: newest first, unless they have ids of your own.',
    scope: 'carts:read',
    query: tableListQuery,
    answer: { statuses: { 200: 'One page of table commitments.' }, data: tableCommitment, form: 'list' },
    examples: { event: { summary: 'The tables of an event', query: { contextId: EVENT } } },
  },
  joinTable: {
    method: 'POST',
    path: '/cart/sessions/{id}/join-table',
    summary: 'Join a table commitment',
    description:
      'Takes 1 seat, or as many as `seats` says; joining the same table again with another number changes that. A session joins at most one table. Seats are never oversold. Without an order they are free again at `seatHeldUntil`: an hour after the last change of the session, by default.',
    scope: 'carts:write',
    versioned: 'changes',
    changesAlways: 'pricedAt',
    params: theSession,
    body: joinTableInput,
    answer: { statuses: { 200: 'The session, with a seat.' }, data: cartSession },
    errors: [sessionNotFound, tableNotFound, changedByOthers, tableNotJoinable, ...ORDERED],
    examples: {
      table: { summary: 'Take a seat', path: { id: SESSION }, body: { tableCommitmentId: TABLE } },
      party: { summary: 'A party of four', path: { id: SESSION }, body: { tableCommitmentId: TABLE, seats: 4 } },
    },
  },
  leaveTable: {
    method: 'POST',
    path: '/cart/sessions/{id}/leave-table',
    summary: 'Leave a table commitment',
    description:
      'Frees the seat of the session; a table that was full is open again. Leaving without a seat is no error.',
    scope: 'carts:write',
    versioned: 'changes',
    changesAlways: 'pricedAt',
    params: theSession,
    answer: { statuses: { 200: 'The session, without a seat.' }, data: cartSession },
    errors: [sessionNotFound, changedByOthers, ...ORDERED],
    examples: { table: { summary: 'Give the seat back', path: { id: SESSION } } },
  },
  getTableCommitment: {
    method: 'GET',
    path: '/cart/table-commitments/{id}',
    summary: 'Read a table commitment',
    scope: 'carts:read',
    versioned: 'answers',
    params: theTable,
    answer: { statuses: { 200: 'The table commitment.' }, data: tableCommitment },
    errors: [tableNotFound],
    examples: { table: { summary: 'Who sits there', path: { id: TABLE } } },
  },
  updateTableCommitment: {
    method: 'PATCH',
    path: '/cart/table-commitments/{id}',
    summary: 'Change the number of seats of a table commitment',
    description:
      'Not below the number of seats that are taken. A table that was full is open again if it gets more seats; a closed one stays closed.',
    scope: 'carts:write',
    versioned: 'changes',
    params: theTable,
    body: tableCommitmentPatch,
    answer: { statuses: { 200: 'The table commitment.' }, data: tableCommitment },
    errors: [tableNotFound, changedByOthers, seatsTaken],
    examples: { seats: { summary: 'Two more chairs', path: { id: TABLE }, body: { seats: 10 } } },
  },
  closeTableCommitment: {
    method: 'POST',
    path: '/cart/table-commitments/{id}/close',
    summary: 'Close a table commitment',
    description: 'No more sessions can join. Those that have a seat keep it.',
    scope: 'carts:write',
    versioned: 'changes',
    params: theTable,
    answer: { statuses: { 200: 'The closed table commitment.' }, data: tableCommitment },
    errors: [tableNotFound, changedByOthers],
    examples: { table: { summary: 'Close it', path: { id: TABLE } } },
  },
} satisfies Declarations);
