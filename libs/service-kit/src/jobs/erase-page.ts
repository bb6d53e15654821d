import type { EraseCustomerReply } from '@event-commerce/contracts';
import { type WithOutbox, waitingEvents } from '@event-commerce/outbox';
import type { Model } from 'mongoose';

const AT_ONCE = 10;

/**
 * Erases a customer from one page of documents, which are in the order of their ids. `isErased`: an earlier call has
 * changed the document already. `erase` resolves with false if the document has changed since it was read.
 *
 * Documents with unpublished events wait: these events are built from the documents, and are about what was.
 */
export async function erasePage<Doc extends WithOutbox>({
  model,
  place,
  page,
  limit,
  isErased,
  erase,
}: {
  model: Model<Doc>;
  place: string;
  page: readonly Doc[];
  /** How many documents a page has, unless it is the last. */
  limit: number;
  isErased: (document: Doc) => boolean;
  erase: (document: Doc) => Promise<boolean>;
}): Promise<EraseCustomerReply> {
  const left = page.filter((document) => !isErased(document));
  const waiting = await waitingEvents(
    model,
    left.map(({ _id }) => _id),
  );
  const ready = left.filter(({ _id }) => !waiting.has(_id));
  let waits = waiting.size > 0;
  for (let at = 0; at < ready.length; at += AT_ONCE) {
    const erased = await Promise.all(ready.slice(at, at + AT_ONCE).map(erase));
    if (erased.includes(false)) waits = true;
  }
  // The whole page is counted once nothing of it is left.
  if (waits) return { found: 0, next: place, waits: true };
  const last = page.at(-1);
  const isLast = page.length < limit || last === undefined;
  return { found: page.length, ...(isLast ? {} : { next: last._id }) };
}
