import { z } from 'zod';
import { refusal } from '../errors/refusal.ts';
import { memberNotes } from '../schema/member-notes.ts';
import { ARRAY_LENGTH_MAX, externalId, localTime, timestamp } from '../schema/primitives.ts';
import { eventOverrides, LOCAL_TIME, ticketedEvent } from './event.ts';

/** The body of `POST /events/{seriesId}/instances/by-rule`. */
export const datesInput = z
  .object({
    rule: z
      .string()
      .trim()
      .max(500)
      .describe(
        'A recurrence rule of RFC 5545, such as `FREQ=WEEKLY;BYDAY=FR,SA;UNTIL=20271231`. It must end, with `UNTIL` or `COUNT`, and gives at most 1,200 dates. It is about clock times in the time zone of the series: 20:00 stays 20:00 when the clocks change.',
      ),
    startsAt: localTime.describe(
      `The first date begins then, or at the first time of the rule after it. ${LOCAL_TIME}`,
    ),
    exclude: z
      .array(z.iso.date('must be a day, such as 2027-12-24'))
      .max(ARRAY_LENGTH_MAX)
      .optional()
      .describe('Days without a date, such as holidays. Those that the rule does not have anyway do no harm.'),
    capacity: eventOverrides.shape.capacity.describe('The capacity of each date. Absent: that of the series.'),
    offerings: z
      .union(
        [z.literal('copy'), z.array(externalId).max(ARRAY_LENGTH_MAX)],
        'must be "copy", or ids of offerings of the series',
      )
      .optional()
      .describe(
        '`copy` gives each date the offerings of the series, each with a count of its own; a list of ids only those. The end of a sale moves along: two hours before the series starts becomes two hours before the date.',
      ),
    dryRun: z.boolean().default(false).describe('Only shows the dates.'),
  })
  .register(memberNotes, {
    answer: () => ticketedEvent.shape,
    related: () => ({ rrule: 'rule', dtstart: 'startsAt', exdate: 'exclude', timezone: 'timezone of the series' }),
  })
  .meta({ id: 'DatesByRule' });
export type DatesInput = z.output<typeof datesInput>;

/** The dates that a rule makes of a series. */
export const ruleDates = z
  .object({
    id: z
      .string()
      .exactOptional()
      .describe('Read it again under this id while it is `running`. Absent from a dry run.'),
    status: z.enum(['preview', 'running', 'done']),
    total: z.int().describe('How many dates the rule gives.'),
    made: z.int(),
    stopped: z.string().exactOptional().describe('Why it stopped before all dates were made.'),
    dates: z
      .array(
        z.object({
          startsAt: timestamp,
          eventId: z.string().exactOptional().describe('Absent until the date is made.'),
          existed: z.boolean().describe('Whether the series had the date already; it is left as it is.'),
        }),
      )
      .describe('Soonest first. While it is `running`, those that are made so far.'),
  })
  .meta({ id: 'RuleDates' });
export type RuleDates = z.output<typeof ruleDates>;

export const dateJobNotFound = refusal(
  'DATES_NOT_FOUND',
  'The series has no such work on its dates, or it was done more than seven days ago.',
  (seriesId: string, jobId: string) => ({
    message: `Series ${seriesId} has no dates that are being made as ${jobId}; list its instances with GET /events?seriesId=${seriesId}.`,
  }),
  'evt_1',
  'job_1',
);
