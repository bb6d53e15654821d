import mongoose from 'mongoose';
import type { WithOutbox } from './outbox.ts';
import type { Waiting } from './published-events.ts';

/** The most that are published at once. */
const ROUND_ENTRIES_MAX = 1_000;
/**
 * The maximum total size of the events in a round, each counted as its document in BSON. As objects and as text they
 * take several times as much memory, and the whole round is in memory at once.
 */
const ROUND_BYTES_MAX = 8_000_000;
/** What was just written and waits in memory for the next rounds; the sweep finds the rest. */
const WRITTEN_ENTRIES_MAX = 5_000;
const WRITTEN_BYTES_MAX = 32_000_000;

/** What waits in `documents`, in rounds. Reads the next document only when a round has room for it. */
export async function* inRounds<Doc extends WithOutbox>(
  documents: AsyncIterable<Doc> | Iterable<Doc>,
  entriesOf: (document: Doc) => Waiting<Doc>[],
): AsyncGenerator<Waiting<Doc>[]> {
  let round: Waiting<Doc>[] = [];
  let roundBytes = 0;
  for await (const document of documents) {
    const entries = entriesOf(document);
    if (entries.length === 0) continue;
    const bytes = bytesOf(document);
    for (const entry of entries) {
      if (round.length > 0 && (round.length === ROUND_ENTRIES_MAX || roundBytes + bytes > ROUND_BYTES_MAX)) {
        yield round;
        round = [];
        roundBytes = 0;
      }
      round.push(entry);
      roundBytes += bytes;
    }
  }
  if (round.length > 0) yield round;
}

/** The events of documents that were just written, in rounds. */
export function writtenEvents<Doc extends WithOutbox>() {
  const waiting: { one: Waiting<Doc>; bytes: number }[] = [];
  let waitingBytes = 0;
  return {
    isEmpty: () => waiting.length === 0,

    /** Returns whether there was room for them. */
    add(document: Doc, entries: readonly Waiting<Doc>[]): boolean {
      const bytes = bytesOf(document);
      const bytesOfAll = bytes * entries.length;
      if (waiting.length >= WRITTEN_ENTRIES_MAX || waitingBytes + bytesOfAll > WRITTEN_BYTES_MAX) return false;
      waitingBytes += bytesOfAll;
      waiting.push(...entries.map((one) => ({ one, bytes })));
      return true;
    },

    takeRound(): Waiting<Doc>[] {
      let roundBytes = 0;
      const end = waiting.findIndex(({ bytes }, place) => {
        roundBytes += bytes;
        return place > 0 && (place === ROUND_ENTRIES_MAX || roundBytes > ROUND_BYTES_MAX);
      });
      const round = waiting.splice(0, end < 0 ? waiting.length : end);
      for (const { bytes } of round) waitingBytes -= bytes;
      return round.map(({ one }) => one);
    },
  };
}

function bytesOf(document: WithOutbox): number {
  return mongoose.mongo.BSON.calculateObjectSize({ ...document, outbox: undefined }, { ignoreUndefined: true });
}
