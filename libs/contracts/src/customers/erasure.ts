import { z } from 'zod';
import { tenantKey } from '../identity/tenant.ts';
import { externalId, timestamp } from '../schema/primitives.ts';

/** What replaces the address of an erased customer. */
export const ERASED_EMAIL = 'erased@erased.invalid';

/** How many records of each kind named the customer. */
export const erasureFound = z.object({
  orders: z.int(),
  carts: z.int(),
  groups: z.int().describe('Purchase groups with the customer as a member.'),
  redemptions: z.int(),
  activity: z.int().describe('Entries of the activity log.'),
});
export type ErasureFound = z.output<typeof erasureFound>;

const erasureRemains = z.object({
  where: z
    .enum(['order-attempts', 'event-stream', 'dead-letters'])
    .describe(
      '`order-attempts`: what orders that were refused or are being placed hold. `event-stream`: the stream between the services, with ids only. `dead-letters`: events that a service could not handle, if there were any.',
    ),
  until: timestamp,
});
export type ErasureRemains = z.output<typeof erasureRemains>;

/** The erasure of a customer as the API returns it. It does not say who the customer was. */
export const erasure = z
  .object({
    id: z.string(),
    status: z.enum(['running', 'done']),
    pseudonym: z.string().describe('The id that stands where the ids of the customer were.'),
    found: erasureFound.describe('How many records named the customer; so far, while it is running.'),
    remains: z
      .array(erasureRemains)
      .describe('Where the platform keeps ids of the customer that nobody can change, and until when.'),
    created: timestamp,
  })
  .meta({ id: 'CustomerErasure' });
export type Erasure = z.output<typeof erasure>;

/** The body of `POST /v1/customers/{id}/erase`. */
export const eraseCustomerBody = z.strictObject({}).prefault({}).meta({ id: 'EraseCustomer' });

/** What identifies a customer in records: ids, and keys of e-mail addresses (see `emailKey`). */
export const customerIdentity = z.object({ ids: z.array(z.string()), emails: z.array(z.string()) });
export type CustomerIdentity = z.output<typeof customerIdentity>;

export const findCustomerRequest = z.object({ tenant: tenantKey, id: externalId }).meta({ id: 'FindCustomerRequest' });
/** `pendingOrders`: some of the customer's orders that wait for payment. */
export const findCustomerReply = z
  .object({ customer: customerIdentity, pendingOrders: z.array(z.string()) })
  .meta({ id: 'FindCustomerReply' });

/** `place`: the `next` of the previous reply; empty at first. */
export const eraseCustomerRequest = z
  .object({
    tenant: tenantKey,
    customer: customerIdentity,
    pseudonym: z.string(),
    place: z.string(),
    /** The request that asked for the erasure, for the events about what it changes. */
    cause: z.object({
      keyId: z.string().optional(),
      keyName: z.string().optional(),
      requestId: z.string().optional(),
    }),
  })
  .meta({ id: 'EraseCustomerRequest' });
export type EraseCustomerRequest = z.output<typeof eraseCustomerRequest>;
/**
 * `found`: the records of this page that are the customer's, also if an earlier request for the page has changed them.
 * `next`: where to continue; absent after the last page. `waits`: the next page is this one, because something about
 * the customer is in progress: ask again shortly.
 */
export const eraseCustomerReply = z
  .object({ found: z.int(), next: z.string().exactOptional(), waits: z.literal(true).exactOptional() })
  .meta({ id: 'EraseCustomerReply' });
export type EraseCustomerReply = z.output<typeof eraseCustomerReply>;
