import {
  type AdjustmentInput,
  type EvaluateRequest,
  invalidInput,
  isLocal,
  type NamedPlaces,
  targetOf,
  targetPath,
  zonedTime,
} from '@event-commerce/contracts';
import type { Caller, TimeZonesOf } from '@event-commerce/service-kit';

export interface SettleTimesDeps {
  timeZones: TimeZonesOf;
}

const TIMES = ['startsAt', 'endsAt'] as const;

/**
 * `input` with its window in UTC: a time without a zone is in the zone of the events, series, venues and offerings that
 * the targets name. `path`: where the request has the conditions.
 *
 * @throws {PlatformError} VALIDATION_FAILED if these are in different zones, or the window would end before it starts;
 * SERVICE_UNAVAILABLE
 */
export async function settleTimes<Input extends Pick<AdjustmentInput, 'targets' | 'conditions'>>(
  { timeZones }: SettleTimesDeps,
  caller: Caller,
  input: Input,
  path = 'conditions',
): Promise<Input> {
  const { conditions } = input;
  const local = TIMES.filter((time) => conditions[time] !== undefined && isLocal(conditions[time]));
  if (local.length === 0) return input;
  const zones = await timeZones(caller, placesOf(input));
  const settled = { ...conditions };
  for (const time of local) settled[time] = zonedTime(conditions[time] ?? '', zones, `${path}.${time}`);
  const { startsAt, endsAt } = settled;
  if (startsAt !== undefined && endsAt !== undefined && startsAt >= endsAt) {
    throw invalidInput(`${path}.endsAt`, `must be later than startsAt (startsAt is ${startsAt}; endsAt is ${endsAt})`);
  }
  return { ...input, conditions: settled };
}

function placesOf({ targets, conditions }: Pick<AdjustmentInput, 'targets' | 'conditions'>): NamedPlaces {
  const paths = targets.map((target) => targetPath(targetOf('', target)));
  const named = (...kinds: string[]) =>
    paths.flatMap(({ context = '' }) => {
      const kind = kinds.find((one) => context.startsWith(`${one}/`));
      return kind === undefined || context === `${kind}/*` ? [] : [context.slice(kind.length + 1)];
    });
  return {
    eventIds: named('event', 'series'),
    venueIds: named('venue'),
    offeringIds: [...paths.flatMap(({ offeringId }) => offeringId ?? []), ...(conditions.offeringIds ?? [])],
  };
}

/**
 * `request` with its `now` in UTC: without a zone it is local time of the offering's event.
 *
 * @throws {PlatformError} SERVICE_UNAVAILABLE
 */
export async function settleNow(
  { timeZones }: SettleTimesDeps,
  caller: Caller,
  request: EvaluateRequest,
): Promise<EvaluateRequest> {
  const { offering, cartContext } = request;
  const { now } = cartContext;
  if (now === undefined || !isLocal(now)) return request;
  const eventIds = offering.eventId === undefined ? [] : [offering.eventId];
  const zones = await timeZones(caller, { eventIds, venueIds: [], offeringIds: [] });
  return { ...request, cartContext: { ...cartContext, now: zonedTime(now, zones, 'cartContext.now') } };
}
