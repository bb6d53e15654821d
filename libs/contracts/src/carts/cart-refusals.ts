import { refusal } from '../errors/refusal.ts';
import type { CartSession } from './cart.ts';

/** The errors of carts and tables. */

/** `path`: where the request names the session. */
export const cartAlreadyOrdered = refusal(
  'CART_ALREADY_ORDERED',
  'The cart session has already been ordered; `details` name the order.',
  (sessionId: string, orderId: string, path: string) => ({
    message: `Cart session ${sessionId} was ordered as order ${orderId}. Open a new session, or cancel the order.`,
    details: [{ path, message: `was ordered as order ${orderId}; open a new one, or cancel the order`, orderId }],
  }),
  'cart-ada-1',
  'ord_01k9q4m2x7f8vb3t6d5c0h0007',
  'id',
);
export const cartBeingOrdered = refusal(
  'CART_ALREADY_ORDERED',
  'An order of the cart session is being placed. Retry once that order completes.',
  (sessionId: string, orderId: string, path: string) => ({
    message: `Cart session ${sessionId} is being ordered as order ${orderId}. Try again in a moment.`,
    details: [{ path, message: `is being ordered as order ${orderId}; try again in a moment`, orderId }],
    retryAfterSeconds: 1,
  }),
  'cart-ada-1',
  'ord_01k9q4m2x7f8vb3t6d5c0h0007',
  'id',
);

/** `cart`: the current session. */
export const cartChanged = refusal(
  'CART_CHANGED',
  'The cart session is no longer at the version that the order names; `details` have the session as it is now.',
  (expected: number, cart: Pick<CartSession, 'id' | 'version'> & Partial<CartSession>) => ({
    message: `Cart session ${cart.id} has changed: it is at version ${cart.version}, and the order is for version ${expected}. Show the buyer the cart as it is now.`,
    details: [
      {
        path: 'order.cartVersion',
        message: `is ${expected}, and the cart session is at version ${cart.version}; show the buyer the cart as it is now`,
        cart,
      },
    ],
  }),
  3,
  { id: 'cart-ada-1', version: 4 },
);

/** Why a session cannot take a seat, as a sentence. */
export const joinRefusals = {
  otherContext: (table: string, its: string, own: string) =>
    `Table ${table} is for ${its}, and this session is for ${own}. Join a table for ${own}.`,
  closed: (table: string) => `Table ${table} is closed. Join another table.`,
  full: (table: string, seats: number) => `All ${seats} seats of table ${table} are taken. Join another table.`,
  tooFewLeft: (table: string, left: number, wanted: number) =>
    `Table ${table} has ${left} ${left === 1 ? 'seat' : 'seats'} left, and the session needs ${wanted} more. Ask for fewer seats.`,
  left: (table: string) =>
    `The cart session has left table ${table}. Join it with the session again, then reopen the order.`,
  ended: (table: string) =>
    `The cart session that sat at table ${table} has ended, and its seat with it. Place a new order.`,
  elsewhere: (table: string) =>
    `This session has already joined table ${table}, and a session can join only one. Leave that table first.`,
};
export const seatsTaken = refusal(
  'SEATS_TAKEN',
  'More seats of the table are taken than it would have.',
  (table: string, taken: number, seats: number) => ({
    message: `${taken} seats of table ${table} are taken, so it cannot have only ${seats}. Send at least ${taken}.`,
    details: [
      {
        path: 'seats',
        message: `cannot be ${seats}: ${taken} seats are taken; send at least ${taken}`,
        seatsTaken: taken,
      },
    ],
  }),
  'table-7',
  5,
  4,
);
export const tableNotJoinable = refusal(
  'TABLE_NOT_JOINABLE',
  'The table is full, closed or for another context, or the session sits elsewhere.',
  (why: string) => ({ message: why, details: [{ path: 'tableCommitmentId', message: why }] }),
  joinRefusals.full('table-7', 8),
);
