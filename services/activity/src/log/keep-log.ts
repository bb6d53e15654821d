import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type BusConnection, eventStreamState, readEvents, type StoredEvent } from '@event-commerce/bus';
import { environmentOf, GAP, tenantOfKey } from '@event-commerce/contracts';
import { type Logger, RENEW_EVERY_MS } from '@event-commerce/service-kit';
import { counter } from '@event-commerce/telemetry';
import type { HeadFollower } from '../feed/follow-head.ts';
import type { EntryDocument, HeadDocument } from '../models.ts';
import { entryOfEvent } from './entry-of-event.ts';
import { cursorOf, epochOf, type Position, positionOf, seqOf } from './domain/position.ts';
import { termsOf } from './domain/terms.ts';
import type { LogRepository } from './log.repository.ts';

const countEntries = counter('activity.entries', 'Entries added to the activity log.');
const countGaps = counter('activity.gaps', 'Times that events were gone before the activity log had read them.');
const countUnreadable = counter('activity.unreadable', 'Messages in the event stream that are not events.');

/**
 * Events of one moment are added together: any number of them takes the same few commands. Many at once show that more
 * are waiting.
 */
const TOGETHER_MS = 200;
const MANY = 100;

interface KeepLogDeps {
  bus: BusConnection;
  log: LogRepository;
  holdsLease: () => Promise<boolean>;
  clock: () => Date;
  logger: Logger;
  head: Pick<HeadFollower, 'grownTo' | 'setKeeper'>;
}

/**
 * Copies the broker's event stream into the log, from where the log ends: the place is kept with the log, so that a
 * database that is restored from a backup reads what it lacks. One replica does it; if for a moment two do, both write
 * the same.
 */
export async function keepLog(deps: KeepLogDeps, stopped: AbortSignal): Promise<void> {
  const { logger, holdsLease, head } = deps;
  while (!stopped.aborted) {
    if (!(await holdsLease())) {
      await delay(RENEW_EVERY_MS, undefined, { signal: stopped }).catch(() => {});
      continue;
    }
    const lost = new AbortController();
    const renewing = setInterval(() => {
      holdsLease().then(
        (held) => (held ? undefined : lost.abort()),
        (err: unknown) => logger.warn({ err }, 'the lease of the activity log could not be renewed'),
      );
    }, RENEW_EVERY_MS);
    head.setKeeper(true);
    try {
      await copyEvents(deps, AbortSignal.any([stopped, lost.signal]));
    } finally {
      head.setKeeper(false);
      clearInterval(renewing);
    }
  }
}

async function copyEvents(deps: KeepLogDeps, stopping: AbortSignal): Promise<void> {
  const { bus, log, clock, logger, head } = deps;
  const { position: end, streamCreated } = await currentHead(deps);
  const epoch = epochOf(end);
  for await (const batch of readEvents(bus, 'activity', seqOf(end) + 1, stopping)) {
    const last = batch.at(-1);
    if (last === undefined) continue;
    const position = positionOf(epoch, last.seq);
    const entries = entriesOf(batch, epoch, logger);
    await log.append(entries, { position, streamCreated }, clock());
    countEntries(entries.length);
    head.grownTo(position);
    if (batch.length < MANY) await delay(TOGETHER_MS, undefined, { signal: stopping }).catch(() => undefined);
  }
}

function entriesOf(batch: readonly StoredEvent[], epoch: number, logger: Logger): EntryDocument[] {
  return batch.flatMap(({ seq, bytes }) => {
    try {
      return [entryOfEvent(bytes, positionOf(epoch, seq))];
    } catch (err) {
      countUnreadable(1);
      logger.warn({ err, sequence: seq }, 'a message in the event stream is not an event');
      return [];
    }
  });
}

/**
 * Where the log ends, in the stream as it is now. A stream that was created again, or that ends before the log does, is
 * read from its start in another epoch. If the stream no longer has what comes next, every company's log says so.
 */
async function currentHead({ bus, log, clock, logger, head }: KeepLogDeps): Promise<Omit<HeadDocument, '_id'>> {
  const { created: streamCreated, firstSeq, lastSeq } = await eventStreamState(bus);
  const known = await log.head();
  if (known === undefined) {
    const first = { position: positionOf(1, Math.max(0, firstSeq - 1)), streamCreated };
    await log.setHead(first);
    return first;
  }
  const isOther = known.streamCreated !== streamCreated || lastSeq < seqOf(known.position);
  if (!isOther && firstSeq <= seqOf(known.position) + 1) return known;
  const epoch = isOther ? epochOf(known.position) + 1 : epochOf(known.position);
  const gap = { position: positionOf(epoch, Math.max(0, firstSeq - 1)), streamCreated };
  countGaps(1);
  logger.error({ after: known, from: gap }, 'events are gone that the activity log had not read');
  await log.append(await gapEntries(log, known.position, gap.position, clock()), gap, clock());
  await log.setHead(gap);
  head.grownTo(gap.position);
  return gap;
}

/** The entry in each company's log that says that events after `after` may be missing. */
async function gapEntries(
  log: LogRepository,
  after: Position,
  position: Position,
  now: Date,
): Promise<EntryDocument[]> {
  const data = JSON.stringify({ after: cursorOf(after) });
  return (await log.companies()).map(({ _id }) => {
    const companyId = tenantOfKey(_id);
    const about = { type: GAP, subject: cursorOf(position), related: [] };
    return {
      ...about,
      // If two replicas notice it, there is one entry: a second one could be added behind readers.
      _id: `gap_${createHash('sha256').update(`${_id} ${position}`).digest('hex').slice(0, 32)}`,
      companyId,
      environment: environmentOf(companyId),
      position,
      terms: termsOf(about),
      at: now,
      data,
      bytes: data.length,
    };
  });
}
