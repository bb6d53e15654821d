import { z } from 'zod';
import { externalId } from '../schema/primitives.ts';
import { type Declarations, exampleId, ids, operations } from '../operations/operation.ts';
import { eraseCustomerBody, erasure } from './erasure.ts';
import { customerHasPendingOrders, erasureNotFound } from './refusals.ts';

const ERASURE = exampleId('ers', 1);
/** How long the response waits for a small erasure to end. */
const WAIT_MS = 4_000;

export const CUSTOMER_OPERATIONS = operations('activity', 'Customers', {
  eraseCustomer: {
    method: 'POST',
    path: '/customers/{id}/erase',
    summary: 'Erase a customer',
    description: [
      'Removes what the company’s records say about one person: `{id}` is the `id` of a customer, a `uid`, or an e-mail address. It finds orders by `customer.id`, `uid` and `customer.email`, carts and redemptions by `customerId`, and members of purchase groups. An id and an address that only ever stand together are one person: either erases both.',
      'Ids become `pseudonym`, the address `erased@erased.invalid`. Names, phone numbers, `uid`, `meta`, `answers`, `agreements`, `forwarded`, notes and other members of your own go. What was sold, what it cost, what was redeemed, and the ids of records stay. This cannot be undone.',
      'Answers 200 when it is done within a few seconds, else 202: then read `/customers/erasures/{id}` until its `status` is `done`.',
    ].join('\n\n'),
    scope: 'customers:erase',
    waitsMs: WAIT_MS,
    params: z.object({ id: externalId.describe('The id or the e-mail address of the customer.') }),
    body: eraseCustomerBody,
    answer: {
      statuses: { 200: 'The customer is erased.', 202: 'The erasure is running.' },
      data: erasure,
    },
    errors: [customerHasPendingOrders],
    examples: {
      address: {
        summary: 'Somebody whom no record names',
        path: { id: 'nobody@example.com' },
        body: {},
        makes: { 'data.id': ERASURE },
      },
    },
  },
  getErasure: {
    method: 'GET',
    path: '/customers/erasures/{id}',
    summary: 'Read an erasure',
    description: 'Its progress, and what it found. It does not say who was erased.',
    scope: 'customers:erase',
    params: ids({ id: 'The erasure: `ers_...`.' }),
    answer: { statuses: { 200: 'The erasure.' }, data: erasure },
    errors: [erasureNotFound],
    examples: { address: { summary: 'Its progress', path: { id: ERASURE } } },
  },
} satisfies Declarations);
