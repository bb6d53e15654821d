import type { EventOverrides } from '@event-commerce/contracts';
import { keepClock } from './clock-times.ts';
import { type EventRecord, zoneOf } from './event-record.ts';

/** An event's own fields, with its own times at the same clock times in the zone `to` as in `from`. */
export function keepOwnClock(own: EventOverrides, from: string | undefined, to: string | undefined): EventOverrides {
  const { startsAt, endsAt, ...fields } = own;
  return { ...fields, ...keepClock({ ...(startsAt && { startsAt }), ...(endsAt && { endsAt }) }, from, to) };
}

/**
 * `own`, the own fields of `event` with a new time zone, with its times at their previous clock times. An instance that
 * gets a zone of its own also gets times of its own: the clock times that it inherited are now other instants.
 */
export function changeZone(
  event: Pick<EventRecord, 'kind' | 'own' | 'timesZone'>,
  own: EventOverrides,
  series?: EventOverrides,
): EventOverrides {
  const to = zoneOf(own, series);
  const moved = keepOwnClock(own, event.kind === 'instance' ? event.timesZone : event.own.timezone, to);
  if (series === undefined || own.timezone === undefined || own.timezone === event.own.timezone) return moved;
  const { startsAt, endsAt } = series;
  // An end that is computed from the start still is.
  const inherited = startsAt === undefined ? { ...(endsAt && { endsAt }) } : { startsAt };
  const shown = Object.entries(keepClock(inherited, zoneOf(event.own, series), to));
  const others = shown.filter(([name, time]) => time !== series[name as 'startsAt' | 'endsAt']);
  return { ...Object.fromEntries(others), ...moved };
}
