import mongoose from 'mongoose';
import type { WithOutbox } from './outbox.ts';
import type { Waiting } from './published-events.ts';

/** The most that are published at once. */
export const ROUND_ENTRIES_MAX = 1_000;
/**
 * How large the events of a round may be together, each counted as its document in BSON: as objects and as text they
 * take several times as much memory, and all of a round's are there at once.
 */
const ROUND_BYTES_MAX = 8_000_000;

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
    const bytes = mongoose.mongo.BSON.calculateObjectSize(
      { ...document, outbox: undefined },
      { ignoreUndefined: true },
    );
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
