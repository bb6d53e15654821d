import type { z } from 'zod';
import { allows, type ProcessName, type Scope, type ServiceName } from '../identity/identity.ts';
import type { Page } from '../schema/primitives.ts';
import { ACTIVITY_OPERATIONS } from '../activity/operations.ts';
import { BUDGET_OPERATIONS } from '../budgets/operations.ts';
import { CART_OPERATIONS } from '../carts/operations.ts';
import { CUSTOMER_OPERATIONS } from '../customers/operations.ts';
import { CODE_OPERATIONS } from '../coupons/code-operations.ts';
import { COUPON_OPERATIONS } from '../coupons/operations.ts';
import { CALL_OFF_OPERATIONS } from '../events/call-off-operations.ts';
import { EVENT_OPERATIONS } from '../events/operations.ts';
import { HEALTH_OPERATIONS } from '../health/operations.ts';
import { KEY_OPERATIONS } from '../keys/operations.ts';
import { OFFERING_OPERATIONS } from '../offerings/operations.ts';
import type { Declaration, Operation } from './operation.ts';
import { ORDER_OPERATIONS } from '../orders/operations.ts';
import { PRICING_OPERATIONS } from '../adjustments/operations.ts';
import { PURCHASE_GROUP_OPERATIONS } from '../purchase-groups/operations.ts';
import { WEBHOOK_OPERATIONS } from '../webhooks/operations.ts';
import { REHEARSAL_OPERATIONS } from '../rehearsals/operations.ts';
import { SALES_OPERATIONS } from '../sales/operations.ts';
import { USAGE_OPERATIONS } from '../quotas/operations.ts';

export { exampleId, isRevalidated, type Operation, TAGS } from './operation.ts';

/** Every endpoint of the platform, by id. Their examples, sent in this order, form one scenario. */
export const OPERATIONS = {
  ...EVENT_OPERATIONS,
  ...PURCHASE_GROUP_OPERATIONS,
  ...OFFERING_OPERATIONS,
  ...BUDGET_OPERATIONS,
  ...PRICING_OPERATIONS,
  ...COUPON_OPERATIONS,
  ...CODE_OPERATIONS,
  ...CART_OPERATIONS,
  ...ORDER_OPERATIONS,
  ...SALES_OPERATIONS,
  ...REHEARSAL_OPERATIONS,
  ...CALL_OFF_OPERATIONS,
  ...ACTIVITY_OPERATIONS,
  ...WEBHOOK_OPERATIONS,
  ...CUSTOMER_OPERATIONS,
  ...KEY_OPERATIONS,
  ...USAGE_OPERATIONS,
  ...HEALTH_OPERATIONS,
};
type Table = typeof OPERATIONS;
export type OperationId = keyof Table;

/** The same endpoints as a list, each as a plain `Operation`. */
export const ALL_OPERATIONS: readonly Operation<OperationId>[] = Object.values(OPERATIONS);

/** The operations that the gateway forwards to a service. */
export const FORWARDED_OPERATIONS: readonly ForwardedOperation[] = ALL_OPERATIONS.filter(isForwarded);
export type ForwardedOperation = Operation<OperationId, ServiceName> & { scope: Scope };

function isForwarded(operation: Operation<OperationId>): operation is ForwardedOperation {
  return operation.service !== 'gateway';
}

/** The path as callers see it: with the version, except for health checks. */
export function publicPath({ path, scope }: Pick<Declaration, 'path' | 'scope'>): string {
  return scope === undefined ? path : `/v1${path}`;
}

/** The ids of the operations that `Service` has handlers for. */
export type ServedBy<Service extends ProcessName> = {
  [Id in OperationId]: Table[Id] extends { service: Service }
    ? Table[Id] extends { rpc: string }
      ? never
      : Id
    : never;
}[OperationId];

/** The input of an operation's handler, parsed by the operation's schemas. */
export type InputOf<Id extends OperationId> = {
  [Part in 'params' | 'query' | 'body']: Table[Id] extends Record<Part, infer Schema extends z.ZodType>
    ? z.output<Schema>
    : undefined;
};

/** What a handler has returned is read-only. */
type Shown<T> = T extends readonly (infer Element)[]
  ? readonly Shown<Element>[]
  : T extends object
    ? { readonly [Member in keyof T]: Shown<T[Member]> }
    : T;
type DataOf<Id extends OperationId> = Shown<z.output<Table[Id]['answer']['data']>>;

/** Everything that is listed, as text of the media type `type`, produced as fast as it is read. */
export interface Streamed {
  type: string;
  body: AsyncIterable<string>;
}

/**
 * What the handler of an operation returns: its data, a page of it, or both data and status if more than one status is
 * possible.
 */
export type ResultOf<Id extends OperationId> = Table[Id]['answer'] extends { form: 'stream' }
  ? Streamed
  : Table[Id]['answer'] extends { form: 'list' }
    ? PageOf<Id> | (Table[Id]['answer'] extends { streams: object } ? Streamed : never)
    : Table[Id]['answer']['statuses'] extends
          | Record<200 | 201, string>
          | Record<200 | 202, string>
          | Record<201 | 202, string>
      ? { status: keyof Table[Id]['answer']['statuses']; data: DataOf<Id> }
      : DataOf<Id> | (Table[Id]['answer'] extends { streams: object } ? Streamed : never);

type PageOf<Id extends OperationId> = Table[Id]['answer'] extends { page: infer P extends z.ZodType }
  ? { data: DataOf<Id>[]; page: z.output<P> }
  : Page<DataOf<Id>>;

/**
 * The services that accept the token of a request to a service: itself, and those that it asks on behalf of the caller.
 */
export const AUDIENCE: Readonly<Record<ServiceName, readonly ServiceName[]>> = {
  pricing: ['pricing', 'events'],
  commerce: ['commerce', 'pricing', 'cart', 'events'],
  cart: ['cart', 'pricing', 'events'],
  events: ['events', 'pricing'],
  activity: ['activity'],
};

/**
 * The scopes of a caller with `granted` that a service sees: those that the operation needs, and no more. So a token
 * that leaks there is of no other use.
 */
export function scopesFor(
  { scope, also, orScope }: Pick<Declaration, 'scope' | 'also' | 'orScope'>,
  granted: readonly Scope[],
): Scope[] {
  if (scope === undefined || scope === 'any') return [];
  if (orScope !== undefined && !allows(granted, scope)) return [orScope];
  return [scope, ...(also ?? []).filter((one) => allows(granted, one))];
}

/** Whether a caller with the scopes `granted` may request an operation. */
export function mayAsk(
  { scope, orScope }: { scope?: Scope | 'any' | undefined; orScope?: Scope | undefined },
  granted: readonly Scope[],
): boolean {
  if (scope === undefined || scope === 'any') return true;
  return allows(granted, scope) || (orScope !== undefined && allows(granted, orScope));
}

/** The scopes that an operation needs, as shown to callers: `orders:write or orders:checkout`. */
export function scopesOf({
  scope,
  orScope,
}: {
  scope?: Scope | 'any' | undefined;
  orScope?: Scope | undefined;
}): string {
  return [scope, orScope].filter((one) => one !== undefined).join(' or ');
}
