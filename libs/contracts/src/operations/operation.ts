import { z } from 'zod';
import type { ProcessName, Scope } from '../identity/identity.ts';
import { pathId } from '../schema/primitives.ts';
import type { Refusal } from '../errors/refusal.ts';
import type { RPC } from '../messages/rpc-endpoints.ts';

export const TAGS = {
  Events: 'Events, series with their sparse instances, and the groups that buy together.',
  Offerings: 'What can be bought for an event, and what it costs before adjustments.',
  Pricing: 'Price adjustments, what they make of an offering, and how often they were redeemed.',
  Coupons: 'Codes for buyers. A coupon with a code and a discount is a price adjustment too.',
  Carts: 'Cart sessions, priced at every change, and table commitments that sessions join.',
  Orders:
    'Placing an order charges what pricing says, redeems what made that price, and takes its tickets: all of it, or there is no order.',
  'API keys': 'Issue, rotate and revoke keys.',
  Sales: 'What was sold and returned over time, counted as it happens.',
  Activity: 'What happened, as a feed to read, follow and search.',
  Webhooks: 'Send what happens to your own servers.',
  Customers: 'Erase what the records of the company say about a person.',
  Usage: 'What the company keeps of each kind, and how much it may.',
  Health: 'Whether the platform is alive and ready.',
} as const;
type Tag = keyof typeof TAGS;

/** A request that works after the examples before it were sent. */
interface Example {
  summary: string;
  /** Values of the path's parameters. */
  path?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, string>>;
  body?: unknown;
  /** The ids that the response creates: their dotted paths in it, and the ids that the examples use for them. */
  makes?: Readonly<Record<string, string>>;
}

/** An endpoint, declared once: routes, scopes, validation, handler types and documents are derived from it. */
export interface Declaration {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** The path without the version: `/coupons/{id}`. */
  path: string;
  summary: string;
  description?: string;
  /** The scope that the key needs; `any` if every key of a company will do, absent if no key is needed. */
  scope?: Scope | 'any';
  /** Scopes that let the caller see more. */
  also?: readonly Scope[];
  /** Another scope that will do, with fewer rights: the handler checks which one the caller has. */
  orScope?: Scope;
  params?: z.ZodObject;
  query?: z.ZodObject;
  /** Optional if the schema accepts undefined. */
  body?: z.ZodType;
  /**
   * Whether the `ETag` of responses begins with the record's version. `changes`: it changes one such record, and
   * accepts `If-Match`. Other operations that change something refuse that header.
   */
  versioned?: 'answers' | 'changes';
  /** A member of the data that differs in every response, and does not belong to what the `ETag` identifies. */
  changesAlways?: string;
  /** How long the response may be delayed at the caller's request, on top of the usual time (ms). */
  waitsMs?: number;
  /** Increases what the company stores, which a quota may forbid. */
  grows?: true;
  /** Served by this request on the bus instead of over HTTP. Such a request only reads, whatever its method. */
  rpc?: keyof typeof RPC;
  /** What a repeat with the same Idempotency-Key gets: the first response, or a refusal if that contained a secret. */
  onRepeat?: 'replay' | 'refuse';
  answer: Answer;
  /** Errors beyond those that every operation of its kind can return. */
  errors?: readonly Refusal[];
  /** The examples by name, in the order in which to send them. */
  examples: Readonly<Record<string, Example>>;
}
export type Declarations = Readonly<Record<string, Declaration>>;

interface Answer {
  /** What each success status means. With more than one, the handler chooses. */
  statuses: Readonly<Partial<Record<200 | 201 | 202, string>>>;
  data: z.ZodType;
  /** `order-created` has an envelope of its own; a list has `page` next to `data`; a stream has neither. */
  form?: 'order-created' | 'list' | 'stream';
  /** What a list says about its page, if more than other lists. */
  page?: z.ZodObject;
  /** The media types of a response without an envelope, by what they are. */
  streams?: Readonly<Record<string, string>>;
}

/** A declaration with what is derived from it. */
export interface Operation<Id extends string = string, Service extends ProcessName = ProcessName> extends Declaration {
  id: Id;
  service: Service;
  tag: Tag;
  /** `path` as the router writes it: `/coupons/:id`. */
  url: string;
}

type Declared<T extends Declarations, Service extends ProcessName> = {
  readonly [Id in keyof T & string]: T[Id] & Operation<Id, Service>;
};

/** The operations that `service` serves, by id. */
export function operations<Service extends ProcessName, T extends Declarations>(
  service: Service,
  tag: Tag,
  declared: T,
): Declared<T, Service> {
  const made = Object.entries(declared).map(([id, declaration]) => {
    const url = declaration.path.replaceAll(/\{(\w+)\}/g, ':$1');
    const onRepeat = declaration.method === 'POST' && declaration.rpc === undefined ? { onRepeat: 'replay' } : {};
    return [id, { ...onRepeat, ...declaration, id, service, tag, url }];
  });
  return Object.fromEntries(made) as Declared<T, Service>;
}

/** Whether a caller who sends the `ETag` of an earlier response as `If-None-Match` gets 304 if nothing changed. */
export function isRevalidated({ method, service, rpc, answer }: Operation): boolean {
  return method === 'GET' && service !== 'gateway' && rpc === undefined && answer.form !== 'stream';
}

/** The ids in a path; `names` says what each identifies. */
export function ids<T extends Readonly<Record<string, string>>>(names: T) {
  const shape = Object.entries(names).map(([name, description]) => [name, pathId.meta({ description, minLength: 1 })]);
  return z.object(Object.fromEntries(shape) as { [Name in keyof T]: typeof pathId });
}

/** The id that the examples use for the `n`th record of a kind: it looks like a real one. */
export function exampleId(prefix: string, n: number): string {
  return `${prefix}_01k9q4m2x7f8vb3t6d5c0h${String(n).padStart(4, '0')}`;
}
