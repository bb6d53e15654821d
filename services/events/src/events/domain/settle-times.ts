import { type EventOverrides, instantIn, invalidInput } from '@event-commerce/contracts';
import { mergedFields } from './event-record.ts';

const TIMES = ['startsAt', 'endsAt'] as const;

/**
 * An event's fields after a change, `own`. Times that were `given` without a zone are read in the time zone of the
 * event or its series, or else in UTC. An event must end after it starts. But a change that touches neither time always
 * passes: a series that moves, or a revert, is never refused because of an instance, so an instance may stay
 * inconsistent until its times are set.
 *
 * @throws {PlatformError} VALIDATION_FAILED
 */
export function settleTimes<Own extends EventOverrides>(given: object, own: Own, series?: EventOverrides): Own {
  if (!TIMES.some((time) => time in given)) return own;
  const zone = own.timezone ?? series?.timezone ?? 'UTC';
  const times = TIMES.flatMap((time) => (own[time] === undefined ? [] : [[time, instantIn(own[time], zone)]]));
  const settled: Own = { ...own, ...Object.fromEntries(times) };

  const { startsAt, endsAt } = mergedFields(settled, series);
  if (startsAt === undefined || endsAt === undefined || startsAt < endsAt) return settled;
  const from = (time: (typeof TIMES)[number]) => (own[time] === undefined ? ', inherited from the series' : '');
  const message = `must be after startsAt (startsAt is ${startsAt}${from('startsAt')}; endsAt is ${endsAt}${from('endsAt')})`;
  throw invalidInput('endsAt', message);
}
