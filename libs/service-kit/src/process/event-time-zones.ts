import { type BusConnection, call } from '@event-commerce/bus';
import { type NamedPlaces, RPC } from '@event-commerce/contracts';
import type { Caller } from '../http/http-app.ts';

export type TimeZonesOf = ReturnType<typeof eventTimeZones>;

/**
 * Asks the events service for the time zones of what a record names, each once.
 *
 * The returned function throws {PlatformError} SERVICE_UNAVAILABLE
 */
export function eventTimeZones(bus: BusConnection) {
  const unanswered =
    'The time zone of the events cannot be read now; try again shortly, or write the time with a zone.';
  return async (caller: Caller, places: NamedPlaces): Promise<string[]> => {
    if (Object.values(places).every((ids) => ids.length === 0)) return [];
    return (await call(bus, RPC.timeZones, places, caller, unanswered)).zones;
  };
}
