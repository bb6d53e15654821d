import { z } from 'zod';
import { refusal } from '../errors/refusal.ts';
import { memberNotes } from '../schema/member-notes.ts';
import { mergePatch } from '../schema/merge-patch.ts';
import { ARRAY_LENGTH_MAX, externalId, localTime, timestamp } from '../schema/primitives.ts';
import { timeOfDay, weekdays } from '../schema/week.ts';
import { eventOverrides, LOCAL_TIME, otherNames, ticketedEvent } from './event.ts';

const day = z.iso.date('must be a day, such as 2027-12-24');

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
      .array(day)
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

/** What an instance can be changed to together with others. Its clock times are on its own days. */
const changeOfDates = z
  .strictObject({
    ...mergePatch(eventOverrides.shape).shape,
    startsAt: timeOfDay.optional().describe('A clock time. Each date stays on its day.'),
    endsAt: timeOfDay
      .nullish()
      .describe(
        'A clock time: the first one after the start, so it may be on the next day. Null: the date lasts as long as the series.',
      ),
  })
  .register(memberNotes, { related: otherNames, isPatch: true })
  .refine((change) => Object.keys(change).length > 0, 'must name at least one field')
  .meta({ id: 'ChangeOfDates' });
export type ChangeOfDates = z.output<typeof changeOfDates>;

/** Why a change of many dates leaves some alone, unless it includes them. */
const INCLUDABLE = ['overridden', 'sold', 'over', 'cancelled'] as const;
/** Why dates are left alone. */
export const LEFT_ALONE = ['existing', 'same', ...INCLUDABLE, 'invalid'] as const;

/** The body of `PATCH /events/{seriesId}/instances`. */
export const changeDatesInput = z
  .strictObject({
    filter: z
      .strictObject({
        from: day.optional().describe('The first day.'),
        to: day.optional().describe('The last day.'),
        weekdays: weekdays.optional(),
      })
      .refine(({ from, to }) => from === undefined || to === undefined || from <= to, {
        path: ['to'],
        message: 'must not be before from',
      })
      .describe(
        'Which dates: those that start on these days, in their time zone. `{}` means all dates of the series. At most 1,200 dates may match. Instances without a `startsAt` are no dates.',
      ),
    change: changeOfDates.describe(
      'What each of them gets: the fields of an instance, as in `PATCH /events/{id}`. Null ends an override.',
    ),
    include: z
      .array(z.enum(INCLUDABLE))
      .max(INCLUDABLE.length)
      .default([])
      .describe('Dates that would be left alone for these reasons are changed too.'),
    dryRun: z.boolean().default(false).describe('Only shows which dates would be changed, and which left alone.'),
  })
  .meta({ id: 'ChangeManyDates' });
export type ChangeDatesInput = z.output<typeof changeDatesInput>;

/** Work on many dates of a series: made by a rule, or changed together. */
export const datesJob = z
  .object({
    id: z
      .string()
      .exactOptional()
      .describe('Read it again under this id while it is `running`. Absent from a dry run.'),
    status: z.enum(['preview', 'running', 'done']),
    total: z.int().describe('How many dates the rule gives, or the filter matches: all of `dates` and `leftAlone`.'),
    dates: z
      .array(
        z.object({
          startsAt: timestamp,
          movedTo: timestamp.exactOptional().describe('The new start, of a date that is moved.'),
          eventId: z.string().exactOptional().describe('Absent until the date is made.'),
        }),
      )
      .describe('The dates that are made or changed, soonest first. While it is `running`, those so far.'),
    leftAlone: z
      .array(
        z.object({
          startsAt: timestamp,
          eventId: z.string(),
          reason: z
            .enum(LEFT_ALONE)
            .describe(
              '`existing`: the series had the date already. `same`: it is so already. `overridden`: a field that would change was set for this date alone. `sold`: tickets are sold or held, and it would be moved to another time or venue, be cancelled, or get a smaller capacity than that. `over`; `cancelled`. `invalid`: it would not be valid, such as an end before the start.',
            ),
          why: z.string().describe('The reason as a sentence.'),
        }),
      )
      .describe('The dates that stay as they are, soonest first. While it is `running`, those so far.'),
    stopped: z.string().exactOptional().describe('Why it stopped before all dates were made.'),
  })
  .meta({ id: 'DatesJob' });
export type DatesJob = z.output<typeof datesJob>;

export const datesJobNotFound = refusal(
  'DATES_NOT_FOUND',
  'The series has no such work on its dates, or it was done more than seven days ago.',
  (seriesId: string, jobId: string) => ({
    message: `Series ${seriesId} has no work ${jobId} on its dates; list its instances with GET /events?seriesId=${seriesId}.`,
  }),
  'evt_1',
  'job_1',
);
