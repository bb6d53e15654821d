import {
  type CallOffInput,
  companyIdOf,
  type EventAvailability,
  type EventKind,
  type EventOverrides,
  type EventStatus,
  OVERRIDABLE_FIELDS,
  type OverridableField,
  type TicketedEvent,
  type Tenant,
  timestampOf,
} from '@event-commerce/contracts';
import { endAfterSameTime, LASTS_WITHOUT_END_MS } from './clock-times.ts';

/** Why an event is cancelled. */
export interface StoredCallOff extends CallOffInput {
  id: string;
  created: string;
  /** The event's own status before; absent if it had none. */
  statusBefore?: EventStatus;
}

/** An event as it is stored. An instance is sparse: `own` contains only its overrides. */
export interface EventRecord {
  id: string;
  tenant: Tenant;
  kind: EventKind;
  /** The series of an instance. */
  seriesId?: string;
  own: EventOverrides;
  /** For an instance with times of its own: the time zone in which they were set. */
  timesZone?: string;
  /** For a date of a series: see `asGiven`. */
  given?: EventOverrides;
  /** The version that changed its time zone, until its instances and offerings are updated. */
  zoneChange?: number;
  /** While it is cancelled because it was called off. */
  callOff?: StoredCallOff;
  /** The ids of the request attempts that reverted it last. */
  attempts: readonly string[];
  version: number;
  created: string;
  changed: string;
}

/** The zone of an event's clock times: its own, or that of its series. */
export function zoneOf(own: EventOverrides, series?: EventOverrides): string | undefined {
  return own.timezone ?? series?.timezone;
}

/** The zone in which the own times of an instance are set: undefined if it has none of its own. */
export function zoneOfTimes(own: EventOverrides, series?: EventOverrides): string | undefined {
  return own.startsAt === undefined && own.endsAt === undefined ? undefined : zoneOf(own, series);
}

/** The fields that `own` overrides, in the order of the API. */
export function overridesOf(own: EventOverrides): OverridableField[] {
  return OVERRIDABLE_FIELDS.filter((field) => own[field] !== undefined);
}

/** `own` without the overrides of `fields`; other fields stay as they are. */
export function revertFields(own: EventOverrides, fields: readonly OverridableField[]): EventOverrides {
  const reverted = new Set<string>(fields);
  return Object.fromEntries(Object.entries(own).filter(([field]) => !reverted.has(field)));
}

/**
 * An event's visible fields: its own, and for an instance every other field from its series as it is now. An instance
 * with a start of its own and no end of its own lasts as long as its series, measured on the clock.
 */
export function mergedFields(own: EventOverrides, series?: EventOverrides): EventOverrides {
  const merged = { ...series, ...own };
  if (own.startsAt === undefined || own.endsAt !== undefined) return merged;
  if (series?.startsAt === undefined || series.endsAt === undefined) return merged;
  const lasts = { startsAt: series.startsAt, endsAt: series.endsAt, timezone: series.timezone };
  return { ...merged, endsAt: endAfterSameTime(own.startsAt, merged.timezone, lasts) };
}

/** When an event with these times is over. */
export function overAt({ startsAt, endsAt }: Pick<EventOverrides, 'startsAt' | 'endsAt'>): string | undefined {
  if (endsAt !== undefined || startsAt === undefined) return endsAt;
  return timestampOf(Temporal.Instant.from(startsAt).add({ milliseconds: LASTS_WITHOUT_END_MS }));
}

/** `record` as the API returns it; an instance needs its `series`. */
export function showEvent(record: EventRecord, series?: EventRecord, availability?: EventAvailability): TicketedEvent {
  const { id, tenant, kind, seriesId, callOff, version, created, changed } = record;
  return {
    id,
    companyId: companyIdOf(tenant),
    kind,
    ...(seriesId === undefined ? {} : { seriesId }),
    ...mergedFields(record.own, series?.own),
    ...(kind === 'instance' ? { overrides: overridesOf(record.own) } : {}),
    ...(callOff === undefined ? {} : { callOff: shownCallOff(callOff) }),
    version,
    created,
    changed: series !== undefined && series.changed > changed ? series.changed : changed,
    ...(availability === undefined ? {} : { availability }),
  };
}

/** A call-off as its event shows it. */
export function shownCallOff({ id, reason, created }: StoredCallOff) {
  return { id, reason, created };
}
