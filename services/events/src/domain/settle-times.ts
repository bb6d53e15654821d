import { type EventOverrides, instantIn, invalidInput } from '@event-commerce/contracts';

const TIMES = ['startsAt', 'endsAt'] as const;

/**
 * An event's fields after a change, `own`, with times that were `given` without a zone read in the event's, its series' included,
 * or in UTC. An event that would not end later than it starts is refused; but a change that leaves both times alone passes, whatever
 * they are: a series that moves, or a revert, is never refused for the sake of an instance, so an instance may stand wrong until
 * somebody sets its times.
 *
 * @throws {PlatformError} VALIDATION_FAILED
 */
export function settleTimes<Own extends EventOverrides>(given: object, own: Own, series?: EventOverrides): Own {
  if (!TIMES.some((time) => time in given)) return own;
  const zone = own.timezone ?? series?.timezone ?? 'UTC';
  const times = TIMES.flatMap((time) => (own[time] === undefined ? [] : [[time, instantIn(own[time], zone)]]));
  const settled: Own = { ...own, ...Object.fromEntries(times) };

  const { startsAt, endsAt } = { ...series, ...settled };
  if (startsAt === undefined || endsAt === undefined || startsAt < endsAt) return settled;
  const from = (time: (typeof TIMES)[number]) => (own[time] === undefined ? ', inherited from the series' : '');
  const message = `must be after startsAt (startsAt is ${startsAt}${from('startsAt')}; endsAt is ${endsAt}${from('endsAt')})`;
  throw invalidInput('endsAt', message);
}
