import { z } from 'zod';
import { timezone } from '../schema/primitives.ts';
import { timeOfDay, weekdays } from '../schema/week.ts';

const WINDOWS_MAX = 20;

const endOfDay = z
  .string()
  .trim()
  .regex(/^(?:(?:[01]\d|2[0-3]):[0-5]\d|24:00)$/, 'must be a time of day, such as 19:00, or 24:00 for its end');

const window = z
  .strictObject({
    days: weekdays,
    from: timeOfDay,
    to: endOfDay.describe('Before `from`, it is on the next day.'),
    timezone: timezone.describe('An IANA time zone: the clock there decides.'),
  })
  .refine(({ from, to }) => from !== to, {
    path: ['to'],
    message: 'must not be the same as from: for the whole day, send 00:00 and 24:00',
  });
export type RecurringWindow = z.output<typeof window>;

/** Times of the week, in local time: from `from` up to, not including, `to`. */
export const recurring = z.array(window).min(1).max(WINDOWS_MAX);
