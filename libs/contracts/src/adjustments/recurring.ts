import { z } from 'zod';
import { timezone } from '../schema/primitives.ts';

/** The days of a week, in their order. */
export const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type Weekday = (typeof WEEKDAYS)[number];

const WINDOWS_MAX = 20;

const timeOfDay = z
  .string()
  .trim()
  .regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'must be a time of day, such as 17:00');
const endOfDay = z
  .string()
  .trim()
  .regex(/^(?:(?:[01]\d|2[0-3]):[0-5]\d|24:00)$/, 'must be a time of day, such as 19:00, or 24:00 for its end');

const window = z
  .strictObject({
    days: z
      .array(z.enum(WEEKDAYS))
      .min(1)
      .max(WEEKDAYS.length)
      .refine((days) => new Set(days).size === days.length, 'must name each day once'),
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
