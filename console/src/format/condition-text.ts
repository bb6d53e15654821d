import type { components } from '@event-commerce/client';
import { money } from './format.ts';
import { WEEKDAYS } from './weekdays.ts';

type Conditions = components['schemas']['Conditions'];
type RecurringWindow = NonNullable<Conditions['recurring']>[number];

/** The times of the week at which an adjustment counts: `Mon–Fri 17:00–19:00 (Europe/Berlin)`. */
export function weekText({ recurring = [] }: Pick<Conditions, 'recurring'>): string {
  return recurring.map(({ days, from, to, timezone }) => `${daysText(days)} ${from}–${to} (${timezone})`).join(', ');
}

function daysText(days: RecurringWindow['days']): string {
  if (days.length === WEEKDAYS.length) return 'daily';
  const inOrder = WEEKDAYS.filter((day) => days.includes(day));
  const [first, last] = [inOrder[0], inOrder.at(-1)];
  const isRun =
    first !== undefined && last !== undefined && WEEKDAYS.indexOf(last) - WEEKDAYS.indexOf(first) === days.length - 1;
  return isRun && days.length > 2 ? `${nameOf(first)}–${nameOf(last)}` : inOrder.map(nameOf).join(', ');
}

function nameOf(day: string): string {
  return day.charAt(0).toUpperCase() + day.slice(1);
}

/** What the tickets that an adjustment applies to must cost: `from €100.00 of its tickets`. */
export function eligibleTotalText({ minEligibleTotal }: Pick<Conditions, 'minEligibleTotal'>): string {
  if (minEligibleTotal === undefined) return '';
  return `from ${money(minEligibleTotal.amount, minEligibleTotal.currency)} of its tickets`;
}
