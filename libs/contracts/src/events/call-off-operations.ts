import { changedByOthers, eventNotFound } from '../errors/refusals.ts';
import { scopeMissing } from '../errors/general-refusals.ts';
import { type Declarations, exampleId, ids, operations } from '../operations/operation.ts';
import {
  calledOffOrder,
  calledOffOrdersQuery,
  callOff,
  callOffInput,
  callOffNotFound,
  callOffRunning,
  undoCallOffInput,
} from './call-off.ts';
import { EVENT } from './operations.ts';

const CALL_OFF = exampleId('cof', 1);
/** How long a request waits for the orders to be dealt with. */
const WAIT_MS = 4_000;

const theEvent = ids({ id: 'A single event, or an instance of a series.' });

const CALLING_OFF = operations('events', 'Events', {
  callOffEvent: {
    method: 'POST',
    path: '/events/{id}/call-off',
    summary: 'Call off an event',
    description: [
      'The sale stops with the response: the event is `cancelled`, no order gets tickets of it, and pending ones can no longer be confirmed. Then its orders are cancelled, with everything that they hold: redemptions, tickets and seats. Of an order that also has something else, only the tickets of the event are returned, at the price that was paid. Orders that were being placed are either refused or among them.',
      'Many orders take longer than a request: then the response is 202, and `GET /events/{id}/call-off` shows its progress. With `cancelOrders` false the orders stay, and are listed. A call-off that is running or done does not start again; one that only listed the orders can be followed by one that cancels them.',
      'A series is called off date by date: each instance is called off alone. Cancelling orders also needs `orders:write`.',
    ].join('\n\n'),
    scope: 'events:write',
    also: ['orders:write'],
    versioned: 'changes',
    waitsMs: WAIT_MS,
    params: theEvent,
    body: callOffInput,
    answer: {
      statuses: {
        200: 'The event is called off, and its orders are dealt with.',
        202: 'The sale has stopped; the orders are being dealt with.',
      },
      data: callOff,
    },
    errors: [eventNotFound, callOffRunning, scopeMissing.shownWith('orders:write'), changedByOthers],
    examples: {
      storm: {
        summary: 'A storm. Its orders are cancelled',
        path: { id: EVENT },
        body: { reason: 'A storm is coming. You get your money back.', cancelOrders: true },
        makes: { 'data.id': CALL_OFF },
      },
    },
  },
  getCallOff: {
    method: 'GET',
    path: '/events/{id}/call-off',
    summary: 'See how far a call-off is',
    description: 'The last call-off of the event, with what became of its orders. For a year.',
    scope: 'events:read',
    params: theEvent,
    answer: { statuses: { 200: 'The call-off.' }, data: callOff },
    errors: [eventNotFound, callOffNotFound],
    examples: { storm: { summary: 'What there is to pay back', path: { id: EVENT } } },
  },
} satisfies Declarations);

const ITS_ORDERS = operations('commerce', 'Events', {
  listCalledOffOrders: {
    method: 'GET',
    path: '/events/{id}/call-off/orders',
    summary: 'List the orders of a called-off event',
    description:
      'Newest first: whom to tell, and what to pay back. While the call-off is running, those that are dealt with. With `format` the response is a stream of all of them, without envelope and pages.',
    scope: 'orders:read',
    params: theEvent,
    query: calledOffOrdersQuery,
    answer: {
      statuses: { 200: 'One page of orders, or all of them as a stream.' },
      data: calledOffOrder,
      form: 'list',
      streams: { 'application/x-ndjson': 'One order as JSON in each line.', 'text/csv': 'One order a row (RFC 4180).' },
    },
    errors: [eventNotFound, callOffNotFound],
    examples: { all: { summary: 'All of them', path: { id: EVENT }, query: { limit: '50' } } },
  },
} satisfies Declarations);

const UNDOING = operations('events', 'Events', {
  undoCallOff: {
    method: 'POST',
    path: '/events/{id}/call-off/undo',
    summary: 'Undo a call-off',
    description:
      'The event has the status from before, and what was not cancelled yet stays. Orders that were cancelled stay cancelled: `POST /orders/{id}/reopen` brings one back. Undoing it again changes nothing.',
    scope: 'events:write',
    versioned: 'changes',
    waitsMs: WAIT_MS,
    params: theEvent,
    body: undoCallOffInput,
    answer: {
      statuses: { 200: 'The event is on sale again, if it was.', 202: 'Some orders are still being dealt with.' },
      data: callOff,
    },
    errors: [eventNotFound, callOffNotFound, changedByOthers],
    examples: { storm: { summary: 'The storm passes', path: { id: EVENT }, body: {} } },
  },
} satisfies Declarations);

export const CALL_OFF_OPERATIONS = { ...CALLING_OFF, ...ITS_ORDERS, ...UNDOING };
