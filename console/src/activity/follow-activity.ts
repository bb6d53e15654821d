import { ApiError, type Client, type components } from '@event-commerce/client';
import { listOf } from '../data/list-of.ts';
import { readStream } from './read-stream.ts';

export type Entry = components['schemas']['ActivityEntry'];

/** What is followed. */
export interface Filter {
  type?: string;
  subject?: string;
  actor?: string;
}

/** Entries that came, oldest first, and how: `live` as they happen, otherwise every few seconds. */
export interface News {
  entries: readonly Entry[];
  live: boolean;
  /** Why it is not up to date. */
  problem?: unknown;
}

const POLL_MS = 2_000;
/** The platform sends something every five seconds: a stream that is silent for longer is broken. */
const SILENT_MAX_MS = 12_000;
const READ_AT_ONCE = 200;

/**
 * Reports everything that happens after `start`, each entry once. Whenever the stream ends or fails, it asks for what
 * came meanwhile, and reconnects: where there is no stream, it polls. A tab out of sight keeps no stream open.
 *
 * @throws {ApiError} if the platform refuses it
 */
export async function followActivity(
  client: Client,
  filter: Filter,
  start: string,
  onNews: (news: News) => void,
  signal: AbortSignal,
): Promise<void> {
  let cursor = start;
  while (!signal.aborted) {
    await inSight(signal);
    try {
      for await (const { id = cursor, data } of streamAfter(client, filter, cursor, signal)) {
        cursor = id;
        onNews({ entries: data === undefined ? [] : [JSON.parse(data) as Entry], live: true });
      }
    } catch {
      // The request below says what is wrong, if anything is.
    }
    try {
      const query = { ...filter, after: cursor, limit: READ_AT_ONCE };
      const { items, next } = await listOf(client.GET('/v1/activity', { params: { query }, signal }));
      cursor = next ?? cursor;
      onNews({ entries: items, live: false });
    } catch (problem) {
      if (signal.aborted) return;
      if (problem instanceof ApiError && problem.status < 500 && problem.status !== 429) throw problem;
      onNews({ entries: [], live: false, problem });
    }
    await pause(POLL_MS, signal);
  }
}

async function* streamAfter(client: Client, filter: Filter, cursor: string, signal: AbortSignal) {
  const cut = new AbortController();
  const abort = () => cut.abort();
  let timer = setTimeout(abort, SILENT_MAX_MS);
  signal.addEventListener('abort', abort, { signal: cut.signal });
  document.addEventListener('visibilitychange', abort, { signal: cut.signal });
  try {
    const { data, error, response } = await client.GET('/v1/activity/stream', {
      params: { query: filter },
      headers: { 'Last-Event-ID': cursor },
      parseAs: 'stream',
      signal: cut.signal,
    });
    if (data === undefined || data === null) throw new ApiError(response.status, error);
    yield* readStream(data, () => {
      clearTimeout(timer);
      timer = setTimeout(abort, SILENT_MAX_MS);
    });
  } finally {
    clearTimeout(timer);
    abort();
  }
}

async function inSight(signal: AbortSignal): Promise<void> {
  while (document.visibilityState !== 'visible' && !signal.aborted) {
    await new Promise((resolve) => {
      document.addEventListener('visibilitychange', resolve, { once: true, signal });
      signal.addEventListener('abort', resolve, { once: true });
    });
  }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
}
