import { z } from 'zod';
import { adjustmentInput, adjustmentPatch } from '../adjustments/adjustment.ts';
import { refusal } from '../errors/refusal.ts';
import { memberNotes } from '../schema/member-notes.ts';
import { externalId, instant, timestamp } from '../schema/primitives.ts';

/** More than any campaign needs; each is judged for every order. */
const CHANGES_MAX = 10;
/** How many orders one rehearsal replays. */
export const REHEARSED_ORDERS_MAX = 10_000;
/** How many orders a report shows in detail. */
export const SAMPLES_MAX = 20;

const id = externalId.describe('A stored adjustment. That of a coupon is its `adjustmentId`.');

const change = z
  .object({
    create: adjustmentInput.optional().describe('An adjustment that there was not.'),
    patch: adjustmentPatch.safeExtend({ id }).optional().describe('A stored adjustment, changed by this merge patch.'),
    archive: z.object({ id }).optional().describe('A stored adjustment that did not count.'),
  })
  .refine((one) => Object.values(one).filter((kind) => kind !== undefined).length === 1, {
    message: 'must have exactly one of create, patch and archive',
  });

/** The body of `POST /v1/pricing/rehearsals`. */
export const rehearsalInput = z
  .object({
    from: instant.describe('Orders that were created from then on.'),
    to: instant.describe('Orders that were created before then.'),
    changes: z
      .array(change)
      .max(CHANGES_MAX)
      .describe('What would have been different, from `from` on. Without any, the report says what there was.'),
  })
  .register(memberNotes, { answer: () => rehearsal.shape })
  .refine(({ from, to }) => Date.parse(from) < Date.parse(to), { path: ['to'], message: 'must be after from' })
  .meta({ id: 'RehearsalInput' });
export type RehearsalInput = z.output<typeof rehearsalInput>;

const money = z.object({
  revenue: z.int().describe('The totals of the orders, with fees and tax.'),
  discounts: z.int().describe('What discounts took off. Positive.'),
});

const someOrders = z.object({
  orders: z.int(),
  amount: z.int().describe('Minor units, of all of them together. Positive.'),
});

const modifierTotal = z.object({
  adjustmentId: z.string(),
  name: z.string(),
  code: z.string().exactOptional(),
  total: z.int(),
});

const sample = z.object({
  orderId: z.string(),
  orderNumber: z.string(),
  createdAt: timestamp,
  currency: z.string(),
  subtotal: z.int().describe('Before adjustments.'),
  charges: z.int().describe('Fees and tax.'),
  before: z.object({ total: z.int(), modifiers: z.array(modifierTotal) }),
  after: z
    .object({ total: z.int(), modifiers: z.array(modifierTotal) })
    .exactOptional()
    .describe('Absent if the order would have been refused.'),
  refusal: z.string().exactOptional().describe('Why it would have been refused.'),
});
export type RehearsalSample = z.output<typeof sample>;

const ranOut = z.object({
  pool: z.enum(['redemptions', 'tickets', 'budget']),
  adjustmentId: z.string().exactOptional(),
  budgetId: z.string().exactOptional(),
  day: z.string().exactOptional().describe('Of a budget per day: which one.'),
  name: z.string(),
  before: timestamp.exactOptional().describe('When nothing was left. Absent: there was something left at the end.'),
  after: timestamp.exactOptional().describe('When nothing would have been left.'),
});
export type RanOut = z.output<typeof ranOut>;

const inCurrency = z.object({
  currency: z.string(),
  orders: z.int().describe('Those that stand: pending and placed ones.'),
  before: money,
  after: money,
  winners: someOrders.describe('Orders that would have cost less, and how much less.'),
  losers: someOrders.describe('Orders that would have cost more, and how much more.'),
  refused: someOrders.describe(
    'Orders that would have been refused because a code of theirs would not have counted, and what they cost. They are missing in `after`; their buyers may have bought without the code.',
  ),
});

const report = z
  .object({
    orders: z.int().describe('How many orders of the period stand, in all currencies.'),
    touched: z.int().describe('How many of them would have cost something else, or would have been refused.'),
    currencies: z.array(inCurrency),
    ranOut: z.array(ranOut).describe('Caps and budgets of which nothing was left, before or after.'),
    samples: z
      .array(sample)
      .describe(`Up to ${SAMPLES_MAX} touched orders: refused ones first, then those that differ most.`),
    kept: z
      .object({
        amended: z.int().describe('They were changed after they were placed.'),
        stated: z.int().describe('Their prices were stated by the caller.'),
        unexplained: z
          .int()
          .describe('The platform does not find the price that they had: something was changed that it does not keep.'),
      })
      .describe('Orders that count before and after as they were.'),
    notModelled: z.array(z.string()).describe('What a rehearsal does not know.'),
  })
  .meta({ id: 'RehearsalReport' });
export type RehearsalReport = z.output<typeof report>;

export const rehearsal = z
  .object({
    id: z.string(),
    from: timestamp,
    to: timestamp,
    status: z.enum(['running', 'done']),
    progress: z.object({
      orders: z.int().describe('How many orders of the period it has replayed, of all states.'),
      of: z.int(),
    }),
    created: timestamp,
    report: report.exactOptional().describe('Once it is done.'),
  })
  .meta({ id: 'Rehearsal' });
export type Rehearsal = z.output<typeof rehearsal>;

export const rehearsalNotFound = refusal(
  'REHEARSAL_NOT_FOUND',
  'The company has no rehearsal of this id, or its report was deleted after seven days.',
  (rehearsalId: string) => ({
    message: `There is no rehearsal ${rehearsalId}. Reports are kept for seven days: start another with POST /v1/pricing/rehearsals.`,
  }),
  'reh_unknown',
);

export const rehearsalRunning = refusal(
  'REHEARSAL_RUNNING',
  'Another rehearsal of the company is running.',
  (rehearsalId: string) => ({
    message: `Rehearsal ${rehearsalId} is running. Wait until GET /v1/pricing/rehearsals/${rehearsalId} says done, then start another.`,
    details: [{ path: 'body', message: `another rehearsal is running: ${rehearsalId}`, rehearsalId }],
  }),
  'reh_01k9q4m2x7f8vb3t6d5c0h0001',
);
