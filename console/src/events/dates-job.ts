import { type Client, type components, dataOf } from '@event-commerce/client';

type DatesJob = components['schemas']['DatesJob'];

const POLL_MS = 1_000;

/** Follows work on many dates until it is done, and tells `onStep` how far it is. */
export async function followDatesJob(
  client: Client,
  seriesId: string,
  begun: DatesJob,
  onStep: (job: DatesJob) => void,
): Promise<DatesJob> {
  let job = begun;
  onStep(job);
  while (job.status === 'running' && job.id !== undefined) {
    const params = { path: { seriesId, jobId: job.id } };
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    job = await dataOf(client.GET('/v1/events/{seriesId}/date-jobs/{jobId}', { params }));
    onStep(job);
  }
  return job;
}

/** How many dates the work has dealt with so far. */
export function doneOf({ dates, leftAlone }: DatesJob): number {
  return dates.length + leftAlone.length;
}
