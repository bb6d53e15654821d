import { type Client, type components, dataOf } from '@event-commerce/client';
import { useState } from 'preact/hooks';
import { useResource } from '../data/resource.ts';
import { useSettled } from '../data/use-settled.ts';
import { useSession } from '../shell/session.tsx';

type DatesJob = components['schemas']['DatesJob'];

const POLL_MS = 1_000;

/**
 * Work on many dates of a series: a preview of `body` as it is typed, and the work itself. `send` requests it, or with
 * `dryRun` only previews it. Without a body there is nothing to ask.
 */
export function useDatesWork<Body extends object>(
  seriesId: string,
  body: Body | undefined,
  send: (client: Client, body: Body & { dryRun?: boolean }, signal?: AbortSignal) => Promise<DatesJob>,
) {
  const { client } = useSession();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const [work, setWork] = useState<DatesJob>();
  const wanted = JSON.stringify(body) ?? '';
  const asked = useSettled(wanted);
  const preview = useResource(
    async (signal) => {
      if (asked === '') return undefined;
      return { asked, job: await send(client, { ...(JSON.parse(asked) as Body), dryRun: true }, signal) };
    },
    [client, seriesId, asked, work?.status],
  );
  const isCurrent = body !== undefined && preview.value?.asked === wanted && preview.error === undefined;

  /** Does the work, and calls `onStep` after each step. */
  const run = async (onStep: () => void): Promise<void> => {
    if (body === undefined || busy) return;
    setBusy(true);
    setError(undefined);
    setWork(undefined);
    try {
      await follow(client, seriesId, await send(client, body), (job) => {
        setWork(job);
        onStep();
      });
    } catch (refusal) {
      setError(refusal);
    } finally {
      setBusy(false);
    }
  };

  return {
    /** What the body would do, once that is known. */
    plan: isCurrent ? preview.value?.job : undefined,
    /** What is done so far. */
    work,
    forget: () => setWork(undefined),
    run,
    busy,
    error: error ?? (body === undefined ? undefined : preview.error),
    isAsking: body !== undefined && !isCurrent && preview.error === undefined,
  };
}

/** Follows a job until it is done, and reports its progress to `onStep`. */
async function follow(client: Client, seriesId: string, begun: DatesJob, onStep: (job: DatesJob) => void) {
  let job = begun;
  onStep(job);
  while (job.status === 'running' && job.id !== undefined) {
    const params = { path: { seriesId, jobId: job.id } };
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    job = await dataOf(client.GET('/v1/events/{seriesId}/date-jobs/{jobId}', { params }));
    onStep(job);
  }
}

/** How many dates the work has dealt with so far. */
export function doneOf({ dates, leftAlone }: DatesJob): number {
  return dates.length + leftAlone.length;
}
