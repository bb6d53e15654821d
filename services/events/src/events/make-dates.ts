import { type DatesInput, invalidInput, type Tenant } from '@event-commerce/contracts';
import type { DatesOutcome, DatesToMake } from '../models.ts';
import { type ChangeOfferingDeps, copyOffering } from '../offerings/change-offering.ts';
import { DEFAULT_ZONE, movedAlong } from './domain/clock-times.ts';
import { datesByRule } from './domain/dates-by-rule.ts';
import type { EventRecord } from './domain/event-record.ts';
import type { EventWriter } from './event.repository.ts';
import { moveInstance, type WriteEventDeps } from './move-instance.ts';
import { findSeries } from './read-events.ts';

const OFFERINGS_MAX = 500;

export type MakeDatesDeps = WriteEventDeps & Pick<ChangeOfferingDeps, 'offerings'>;

/**
 * The dates that a rule gives a series.
 *
 * @throws {PlatformError} VALIDATION_FAILED
 */
export async function datesToMake(
  deps: MakeDatesDeps,
  tenant: Tenant,
  series: EventRecord,
  input: DatesInput,
): Promise<Omit<DatesToMake, 'cause'>> {
  const { timezone: zone } = series.own;
  const { capacity } = input;
  return {
    kind: 'make',
    seriesId: series.id,
    dates: datesByRule(input, zone ?? DEFAULT_ZONE),
    offeringIds: await offeringsToCopy(deps, tenant, series, input.offerings),
    ...(zone === undefined ? {} : { zone }),
    ...(capacity === undefined ? {} : { capacity }),
  };
}

/** What would become of the dates. */
export async function previewDates(
  { events }: Pick<MakeDatesDeps, 'events'>,
  tenant: Tenant,
  { seriesId, dates }: Pick<DatesToMake, 'seriesId' | 'dates'>,
): Promise<DatesOutcome> {
  const has = await events.datesOf(tenant, seriesId, dates);
  return outcomeOf(dates.map((startsAt) => ({ startsAt, existing: has.get(startsAt)?.eventId })));
}

/** @throws {PlatformError} VALIDATION_FAILED for an offering that the series does not have */
async function offeringsToCopy(
  { offerings }: MakeDatesDeps,
  tenant: Tenant,
  series: EventRecord,
  asked: DatesInput['offerings'],
): Promise<string[]> {
  if (asked === undefined) return [];
  if (asked === 'copy') return await offerings.idsOf(tenant, series.id, OFFERINGS_MAX);
  const found = await offerings.findAll(tenant, asked);
  const theirs = new Set(found.filter(({ eventId }) => eventId === series.id).map(({ id }) => id));
  for (const [index, id] of asked.entries()) {
    if (!theirs.has(id)) throw invalidInput(`offerings[${index}]`, `is ${id}, which is no offering of the series`);
  }
  return [...theirs];
}

/** Makes some dates with their offerings. Safe to repeat: what is there stays. */
export async function makeDates(
  deps: MakeDatesDeps,
  writer: EventWriter,
  { seriesId, zone, capacity, offeringIds }: DatesToMake,
  dates: readonly string[],
): Promise<DatesOutcome> {
  const { attempt: _attempt, ...mover } = writer;
  const { tenant } = writer;
  const made = await deps.events.createDates(writer, seriesId, dates, { capacity, timesZone: zone }, deps.clock());
  const [series, sources] = await Promise.all([
    findSeries(deps, tenant, seriesId),
    deps.offerings.findAll(tenant, offeringIds),
  ]);
  for (const { eventId, startsAt, isByRule } of made) {
    // A date that somebody made by hand is left as it is.
    if (!isByRule) continue;
    // The zone of the series may have changed since the rule was read.
    if (series.own.timezone !== zone) await moveInstance(deps, mover, seriesId, eventId);
    const from = series.own.startsAt;
    await Promise.all(
      sources.map(async (source) => {
        const { onSaleUntil } = source;
        const until =
          onSaleUntil !== undefined && from !== undefined ? movedAlong(onSaleUntil, from, startsAt, zone) : onSaleUntil;
        await copyOffering(deps, writer, source, {
          eventId,
          seriesId,
          ...(until === undefined ? {} : { onSaleUntil: until }),
        });
      }),
    );
  }
  return outcomeOf(
    made.map(({ startsAt, eventId, existed }) => ({ startsAt, ...(existed ? { existing: eventId } : { eventId }) })),
  );
}

function outcomeOf(
  all: readonly { startsAt: string; eventId?: string; existing?: string | undefined }[],
): DatesOutcome {
  const why = { reason: 'existing', why: 'The series has this date already.' } as const;
  return {
    dates: all.flatMap(({ existing, ...date }) => (existing === undefined ? [date] : [])),
    leftAlone: all.flatMap(({ startsAt, existing }) =>
      existing === undefined ? [] : [{ startsAt, eventId: existing, ...why }],
    ),
  };
}
