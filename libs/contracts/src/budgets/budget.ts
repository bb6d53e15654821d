import { z } from 'zod';
import type { Modifier } from '../adjustments/evaluation.ts';
import { memberNotes } from '../schema/member-notes.ts';
import { mergePatch } from '../schema/merge-patch.ts';
import {
  externalId,
  listQuery,
  name,
  recordVersion,
  strictMoney,
  SUBTOTAL_MAX,
  timestamp,
  timezone,
} from '../schema/primitives.ts';
import { searchText } from '../schema/words.ts';

/** How many budgets one order may draw on. */
export const BUDGETS_OF_ORDER_MAX = 20;

const limit = strictMoney
  .refine(({ amount }) => amount <= SUBTOTAL_MAX, {
    path: ['amount'],
    message: `must not be above ${SUBTOTAL_MAX} minor units`,
  })
  .describe('How much its adjustments may take off, in all, for each customer or on each day, as `per` says.');

const members = {
  name,
  limit,
  per: z
    .enum(['total', 'customer', 'day'])
    .default('total')
    .describe('Whether the limit is for all orders together, for those of each customer, or for those of each day.'),
  timezone: timezone.default('UTC').describe('Where a day of a budget `per: day` begins and ends.'),
  onExhausted: z
    .enum(['drop', 'partial'])
    .default('drop')
    .describe(
      'What an adjustment does that would take off more than is left: it does not apply (`drop`), or takes off what is left (`partial`): to the cent for an effect per order, and for as many whole tickets as it pays for with an effect per unit.',
    ),
};

const notes = {
  answer: () => budget.shape,
  related: () => ({ amount: 'limit.amount', currency: 'limit.currency', max: 'limit', zone: 'timezone' }),
};

/** The body of `POST /v1/pricing/budgets`. */
export const budgetInput = z.object(members).register(memberNotes, notes).meta({ id: 'BudgetInput' });
export type BudgetInput = z.output<typeof budgetInput>;

/** The body of `PATCH /v1/pricing/budgets/{budgetId}`. */
export const budgetPatch = mergePatch(members, notes).meta({ id: 'BudgetPatch' });
export type BudgetPatch = z.output<typeof budgetPatch>;

const day = z.iso.date('must be a day such as 2027-07-05').describe('For a budget `per: day`: its day. Absent: today.');

/** Whose part of a budget is read. */
export const budgetQuery = z.object({
  customerId: externalId
    .optional()
    .describe('For a budget `per: customer`: whose. Without it, `usage` is that of all customers together.'),
  day: day.optional(),
});
export type BudgetQuery = z.output<typeof budgetQuery>;

export const budgetListQuery = listQuery({ q: searchText('the name') }, () => budget);
export type BudgetListQuery = z.output<typeof budgetListQuery>;

const usage = z
  .object({
    spent: z.int().describe('What placed orders took.'),
    held: z.int().describe('What orders hold that are pending or being placed.'),
    left: z.int().nullable().describe('Null for a budget `per: customer` that is read for all customers together.'),
  })
  .meta({ id: 'BudgetUsage', description: 'Minor units of its currency.' });
export type BudgetUsage = z.output<typeof usage>;

/** A budget as its events have it. */
export const budgetDefinition = z.object({
  id: z.string(),
  companyId: z.string(),
  name: z.string(),
  limit: z.object({ amount: z.int(), currency: z.string() }),
  per: members.per.unwrap(),
  timezone: z.string(),
  onExhausted: members.onExhausted.unwrap(),
  version: recordVersion,
  created: timestamp,
  changed: timestamp,
});

/** A budget as the API returns it. */
export const budget = budgetDefinition.extend({ usage }).meta({ id: 'Budget' });
export type Budget = z.output<typeof budget>;

/** What modifiers take from each budget, in minor units. */
export function drawnBy(modifiers: Iterable<Pick<Modifier, 'budgetId' | 'total'>>): Map<string, number> {
  const drawn = new Map<string, number>();
  for (const { budgetId, total } of modifiers) {
    if (budgetId !== undefined && total < 0) drawn.set(budgetId, (drawn.get(budgetId) ?? 0) - total);
  }
  return drawn;
}
