import { offering, offeringInput, offeringListQuery, offeringPatch } from './offering.ts';
import { EVENT } from '../events/operations.ts';
import { alreadyExists, changedByOthers, eventNotFound, offeringNotFound } from '../errors/refusals.ts';
import { type Declarations, ids, operations } from '../operations/operation.ts';

export const OFFERING = 'off_standing';

export const OFFERING_OPERATIONS = operations('events', 'Offerings', {
  createOffering: {
    method: 'POST',
    path: '/events/{id}/offerings',
    summary: 'Create an offering',
    description:
      'It is sold for this event alone. Instances do not inherit the offerings of their series: what is created on the series counts against the series.',
    scope: 'events:write',
    params: ids({ id: 'The event.' }),
    body: offeringInput,
    grows: true,
    answer: { statuses: { 201: 'The offering was created.' }, data: offering },
    errors: [eventNotFound, alreadyExists],
    examples: {
      ticket: {
        summary: 'A ticket at 50.00 EUR, under an id of your own',
        path: { id: EVENT },
        body: { id: OFFERING, name: 'Standing ticket', price: { amount: 5000, currency: 'EUR' }, tags: ['standing'] },
      },
    },
  },
  listOfferings: {
    method: 'GET',
    path: '/events/{id}/offerings',
    summary: 'List the offerings of an event',
    description: 'Newest first.',
    scope: 'events:read',
    params: ids({ id: 'The event.' }),
    query: offeringListQuery,
    answer: { statuses: { 200: 'One page of offerings.' }, data: offering, form: 'list' },
    errors: [eventNotFound],
    examples: { all: { summary: 'All of them', path: { id: EVENT } } },
  },
  getOffering: {
    method: 'GET',
    path: '/offerings/{id}',
    summary: 'Read an offering',
    scope: 'events:read',
    versioned: 'answers',
    params: ids({ id: 'The offering.' }),
    answer: { statuses: { 200: 'The offering.' }, data: offering },
    errors: [offeringNotFound],
    examples: { ticket: { summary: 'A ticket', path: { id: OFFERING } } },
  },
  updateOffering: {
    method: 'PATCH',
    path: '/offerings/{id}',
    summary: 'Change an offering',
    description:
      'A JSON merge patch: absent fields stay. Carts show the new price the next time they are read. A new capacity holds for every order after the response, and counts every ticket since the first order. A new `maxPerCustomer` holds for every order after the response, too.',
    scope: 'events:write',
    versioned: 'changes',
    params: ids({ id: 'The offering.' }),
    body: offeringPatch,
    grows: true,
    answer: { statuses: { 200: 'The offering as it is now.' }, data: offering },
    errors: [offeringNotFound, changedByOthers],
    examples: {
      price: {
        summary: 'The box office opens: 60.00 EUR',
        path: { id: OFFERING },
        body: { price: { amount: 6000, currency: 'EUR' } },
      },
      capacity: {
        summary: 'At most 300 tickets, 6 to an order and 8 to a customer, until the doors open',
        path: { id: OFFERING },
        body: { capacity: 300, maxPerOrder: 6, maxPerCustomer: 8, onSaleUntil: '2027-07-01T19:00:00+02:00' },
      },
    },
  },
} satisfies Declarations);
