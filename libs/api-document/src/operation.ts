import type { ErrorCode, Scope } from '@event-commerce/contracts';
import type { z } from 'zod';

export const TAGS = {
  Events: 'Events, series with their sparse instances, and the groups that buy together.',
  Offerings: 'What can be bought for an event, and what it costs before adjustments.',
  Pricing: 'Rules that change a price, what they make of an offering, and how often they were redeemed.',
  Coupons: 'Codes for buyers. A coupon with a code and a discount is a price adjustment too.',
  Carts: 'Cart sessions, priced at every change, and table commitments that sessions join.',
  Orders: 'Placing an order redeems its coupons: all of them, or there is no order.',
  'API keys': 'Issue, rotate and revoke keys.',
  Usage: 'What the company keeps of each kind, and how much it may.',
  Health: 'Whether the platform is alive and ready.',
} as const;
export type Tag = keyof typeof TAGS;

/** One request that really works, when the examples before it were sent. */
export interface Example {
  summary: string;
  /** What takes the place of the path's parameters. */
  path?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, string>>;
  body?: unknown;
  /** Ids that the answer brings into being: the dotted place in the answer, and the id that the examples use for it. */
  makes?: Readonly<Record<string, string>>;
}

/** One operation of the interface. What every operation has (keys, limits, envelope, general errors) is not repeated here. */
export interface Operation {
  id: string;
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Canonical: `/v1/coupons/{id}`. */
  path: string;
  tag: Tag;
  summary: string;
  description?: string;
  /** What the key must be allowed to; `any` where every key of a company may, absent where no key is needed. */
  scope?: Scope | 'any';
  /** What each path parameter identifies. */
  pathParameters?: Readonly<Record<string, string>>;
  query?: z.ZodObject;
  /** Takes `If-Match` and answers `ETag`. */
  versioned?: 'answers' | 'changes';
  body?: { schema: z.ZodType; optional?: true };
  /** Makes the company keep more, which a quota may forbid. */
  grows?: true;
  answer: Answer;
  /** Errors of this operation beside those that every operation of its kind can answer, and when they occur. */
  errors?: Partial<Record<ErrorCode, string>>;
  /** In the order in which they are to be sent. */
  examples: Readonly<Record<string, Example>>;
}

interface Answer {
  /** Keyed by status, what that success means. */
  statuses: Readonly<Partial<Record<200 | 201, string>>>;
  data: z.ZodType;
  /** Order creation has its own envelope; a list has its page beside its data. */
  form?: 'order-created' | 'list';
}

/** The id that the examples use for the `n`th record of a kind: the form is that of a real one. */
export function exampleId(prefix: string, n: number): string {
  return `${prefix}_01k9q4m2x7f8vb3t6d5c0h${String(n).padStart(4, '0')}`;
}
