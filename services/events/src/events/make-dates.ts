import {
  dateJobNotFound,
  type DatesInput,
  hasCode,
  invalidInput,
  type RuleDates,
  type Tenant,
} from '@event-commerce/contracts';
import {
  type Caller,
  jobsOn,
  type JobState,
  type JobStep,
  type Logger,
  newId,
  type Writer,
} from '@event-commerce/service-kit';
import type { DatesToMake, EventsModels, MadeDate, MadeDates } from '../models.ts';
import { type ChangeOfferingDeps, copyOffering } from '../offerings/change-offering.ts';
import { DEFAULT_ZONE, movedAlong } from './domain/clock-times.ts';
import { datesByRule } from './domain/dates-by-rule.ts';
import type { EventRecord } from './domain/event-record.ts';
import { moveInstance, type WriteEventDeps } from './move-instance.ts';
import { findSeries } from './read-events.ts';

/** How many dates one step makes. */
const DATES_AT_ONCE = 50;
const OFFERINGS_MAX = 500;
/** How long a request waits for its dates; with more, it is told where to look. */
const WAIT_MS = 3_000;
const KEPT_MS = 7 * 24 * 60 * 60 * 1_000;

type Deps = WriteEventDeps & Pick<ChangeOfferingDeps, 'offerings'>;

export type DateMaker = ReturnType<typeof dateMaker>;

/** Makes the dates of series by rules: a job of a few dates at a time, which survives the process that began it. */
export function dateMaker(deps: Deps, { dateJobs: model }: Pick<EventsModels, 'dateJobs'>, logger: Logger) {
  const step = async ({
    tenant,
    input,
    place,
    progress,
  }: JobState<DatesToMake, MadeDates>): Promise<JobStep<MadeDates, { stopped?: string }>> => {
    const from = Number(place);
    const until = from + DATES_AT_ONCE;
    try {
      const made = await makeDates(deps, { tenant, ...input.cause }, input, input.dates.slice(from, until));
      const all = { ...progress, dates: [...progress.dates, ...made] };
      return until < input.dates.length ? { place: String(until), progress: all } : { result: {}, progress: all };
    } catch (error) {
      // It would be refused again and again.
      if (hasCode(error, 'QUOTA_EXCEEDED')) return { result: { stopped: error.message }, progress };
      throw error;
    }
  };
  // A job has no events of its own: each date has one.
  const relay = { publish: () => undefined };
  const { clock } = deps;
  const jobs = jobsOn({ name: 'making dates', model, relay, step, keptMs: KEPT_MS, clock, logger });

  const shown = (job: Awaited<ReturnType<typeof jobs.find>>, seriesId: string, id: string): RuleDates => {
    if (job?.progress.seriesId !== seriesId) throw dateJobNotFound(seriesId, id);
    const { status, progress, result } = job;
    const { total, dates } = progress;
    const made = dates.filter(({ existed }) => !existed).length;
    return { id, status, total, made, dates, ...(result?.stopped === undefined ? {} : { stopped: result.stopped }) };
  };

  return {
    loop: jobs.loop,

    /**
     * Makes the dates of a rule, or only shows them; it may still run when this returns.
     *
     * @throws {PlatformError} SERIES_NOT_FOUND, VALIDATION_FAILED
     */
    async make(caller: Caller, seriesId: string, input: DatesInput): Promise<RuleDates> {
      const { tenant, attempt, keyId, keyName, requestId, traceparent } = caller;
      const series = await findSeries(deps, tenant, seriesId);
      const { timezone: zone } = series.own;
      const dates = datesByRule(input, zone ?? DEFAULT_ZONE);
      const offeringIds = await offeringsToCopy(deps, tenant, series, input.offerings);
      if (input.dryRun) {
        const has = await deps.events.datesOf(tenant, series.id, dates);
        const shownDates = dates.map((startsAt) => {
          const eventId = has.get(startsAt)?.eventId;
          return { startsAt, ...(eventId === undefined ? {} : { eventId }), existed: eventId !== undefined };
        });
        return { status: 'preview', total: dates.length, made: 0, dates: shownDates };
      }
      const id = attempt === undefined ? newId('job') : `job_${attempt.idSuffix}`;
      const cause = {
        keyId,
        requestId,
        ...(keyName === undefined ? {} : { keyName }),
        ...(traceparent === undefined ? {} : { traceparent }),
      };
      const { capacity } = input;
      const toMake = {
        seriesId: series.id,
        dates,
        offeringIds,
        cause,
        ...(zone === undefined ? {} : { zone }),
        ...(capacity === undefined ? {} : { capacity }),
      };
      await jobs.start(id, tenant, {
        input: toMake,
        progress: { seriesId: series.id, total: dates.length, dates: [] },
      });
      return shown(await jobs.settled(tenant, id, WAIT_MS), series.id, id);
    },

    /** @throws {PlatformError} SERIES_NOT_FOUND, DATES_NOT_FOUND */
    async find(tenant: Tenant, seriesId: string, id: string): Promise<RuleDates> {
      const series = await findSeries(deps, tenant, seriesId);
      return shown(await jobs.find(tenant, id), series.id, id);
    },
  };
}

/** @throws {PlatformError} VALIDATION_FAILED for an offering that the series does not have */
async function offeringsToCopy(
  { offerings }: Deps,
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
async function makeDates(
  deps: Deps,
  writer: Writer,
  { seriesId, zone, capacity, offeringIds }: DatesToMake,
  dates: readonly string[],
): Promise<MadeDate[]> {
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
    if (series.own.timezone !== zone) await moveInstance(deps, writer, seriesId, eventId);
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
  return made.map(({ isByRule: _isByRule, ...date }) => date);
}
