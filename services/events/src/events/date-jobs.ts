import {
  type ChangeDatesInput,
  type DatesInput,
  type DatesJob,
  datesJobNotFound,
  hasCode,
  type Tenant,
} from '@event-commerce/contracts';
import { type Caller, jobsOn, type JobState, type JobStep, type Logger, newId } from '@event-commerce/service-kit';
import type { DatesOutcome, DatesProgress, DatesToChange, DatesToMake, EventsModels } from '../models.ts';
import { changeDates, type ChangeDatesDeps, datesToChange, previewChange } from './change-dates.ts';
import { datesToMake, makeDates, type MakeDatesDeps, previewDates } from './make-dates.ts';
import { findSeries } from './read-events.ts';

/** How many dates one step deals with. */
const DATES_AT_ONCE = 50;
/** How long a request waits for its dates; after that, it is told where to look. */
const WAIT_MS = 3_000;
const KEPT_MS = 7 * 24 * 60 * 60 * 1_000;

interface DateJobsDeps extends MakeDatesDeps, ChangeDatesDeps {
  logger: Logger;
}

type Work = DatesToMake | DatesToChange;
type WithoutCause<W> = W extends Work ? Omit<W, 'cause'> : never;

export type DateJobs = ReturnType<typeof dateJobs>;

/**
 * Makes or changes many dates of a series, in a job that does a few at a time and survives the process that began it.
 */
export function dateJobs(deps: DateJobsDeps, { dateJobs: model }: Pick<EventsModels, 'dateJobs'>) {
  const { clock, logger } = deps;

  const step = async ({
    id,
    tenant,
    input,
    place,
    progress,
  }: JobState<Work, DatesProgress>): Promise<JobStep<DatesProgress, { stopped?: string }>> => {
    // What it writes tells the next holder of the job that it was this job.
    const writer = { tenant, ...input.cause, attempt: { idSuffix: id, repeated: true } };
    const from = Number(place);
    const until = from + DATES_AT_ONCE;
    let outcome: DatesOutcome;
    try {
      outcome =
        input.kind === 'make'
          ? await makeDates(deps, writer, input, input.dates.slice(from, until))
          : await changeDates(deps, writer, input, input.dates.slice(from, until));
    } catch (error) {
      // It would be refused again and again.
      if (hasCode(error, 'QUOTA_EXCEEDED')) return { result: { stopped: error.message }, progress };
      throw error;
    }
    const all = {
      ...progress,
      dates: [...progress.dates, ...outcome.dates],
      leftAlone: [...progress.leftAlone, ...outcome.leftAlone],
    };
    return until < input.dates.length ? { place: String(until), progress: all } : { result: {}, progress: all };
  };
  // A job has no events of its own: each date has one.
  const relay = { publish: () => undefined };
  const jobs = jobsOn({ name: 'dates of series', model, relay, step, keptMs: KEPT_MS, clock, logger });

  const shown = (job: Awaited<ReturnType<typeof jobs.find>>, seriesId: string, id: string): DatesJob => {
    if (job?.progress.seriesId !== seriesId) throw datesJobNotFound(seriesId, id);
    const { status, progress, result } = job;
    const { seriesId: _seriesId, ...soFar } = progress;
    return { id, status, ...soFar, ...(result?.stopped === undefined ? {} : { stopped: result.stopped }) };
  };

  const preview = (outcome: DatesOutcome): DatesJob => ({
    status: 'preview',
    total: outcome.dates.length + outcome.leftAlone.length,
    ...outcome,
  });

  const run = async (caller: Caller, work: WithoutCause<Work>): Promise<DatesJob> => {
    const { tenant, attempt, keyId, keyName, requestId, traceparent } = caller;
    const id = attempt === undefined ? newId('job') : `job_${attempt.idSuffix}`;
    const cause = {
      keyId,
      requestId,
      ...(keyName === undefined ? {} : { keyName }),
      ...(traceparent === undefined ? {} : { traceparent }),
    };
    const { seriesId, dates } = work;
    const progress = { seriesId, total: dates.length, dates: [], leftAlone: [] };
    await jobs.start(id, tenant, { input: { ...work, cause }, progress });
    return shown(await jobs.settled(tenant, id, WAIT_MS), seriesId, id);
  };

  return {
    loop: jobs.loop,

    /**
     * Makes the dates of a rule, or only shows them; the job may still run when this returns.
     *
     * @throws {PlatformError} SERIES_NOT_FOUND, VALIDATION_FAILED
     */
    async make(caller: Caller, seriesId: string, input: DatesInput): Promise<DatesJob> {
      const series = await findSeries(deps, caller.tenant, seriesId);
      const work = await datesToMake(deps, caller.tenant, series, input);
      if (input.dryRun) return preview(await previewDates(deps, caller.tenant, work));
      return await run(caller, work);
    },

    /**
     * Changes the dates that a filter matches, or only shows what would become of them; the job may still run when this
     * returns.
     *
     * @throws {PlatformError} SERIES_NOT_FOUND, VALIDATION_FAILED
     */
    async change(caller: Caller, seriesId: string, input: ChangeDatesInput): Promise<DatesJob> {
      const { filter, change, include, dryRun } = input;
      const series = await findSeries(deps, caller.tenant, seriesId);
      const dates = await datesToChange(deps, caller.tenant, series, filter);
      if (dryRun) return preview(await previewChange(deps, caller.tenant, series, { change, include }, dates));
      return await run(caller, { kind: 'change', seriesId: series.id, dates, change, include });
    },

    /** @throws {PlatformError} SERIES_NOT_FOUND, DATES_NOT_FOUND */
    async find(tenant: Tenant, seriesId: string, id: string): Promise<DatesJob> {
      const series = await findSeries(deps, tenant, seriesId);
      return shown(await jobs.find(tenant, id), series.id, id);
    },
  };
}
