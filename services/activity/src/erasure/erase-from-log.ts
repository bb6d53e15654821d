import { type BusConnection, eventStreamState } from '@event-commerce/bus';
import type { EraseCustomerReply, Tenant } from '@event-commerce/contracts';
import type { DeliveryRepository } from '../webhooks/delivery.repository.ts';
import { epochOf, type Position, positionOf } from '../log/domain/position.ts';
import { term } from '../log/domain/terms.ts';
import type { LogRepository } from '../log/log.repository.ts';
import { erasedEntry } from './erased-entry.ts';

const PAGE = 200;

/** Erases a customer from the log of a company, and from what endpoints responded to messages about the customer. */
export function logEraser(deps: { bus: BusConnection; log: LogRepository; deliveries: DeliveryRepository }) {
  const { bus, log, deliveries } = deps;

  /** Where the stream ends now; undefined while the log does not follow it. */
  const endOfStream = async (): Promise<Position | undefined> => {
    const [{ created, lastSeq }, head] = await Promise.all([eventStreamState(bus), log.head()]);
    return head?.streamCreated === created ? positionOf(epochOf(head.position), lastSeq) : undefined;
  };

  /**
   * Erases one page. By then nothing publishes further events that name the customer, so no entry after the end of the
   * stream does. `place`: that end, and how far it has got. Entries up to `startedAt` count even if an earlier call has
   * changed them.
   */
  return async (
    tenant: Tenant,
    { ids, pseudonym, startedAt }: { ids: readonly string[]; pseudonym: string; startedAt: Position },
    place: string,
  ): Promise<EraseCustomerReply> => {
    if (place === '') {
      const end = await endOfStream();
      return end === undefined ? { found: 0, next: '', waits: true } : { found: 0, next: `${end} 0` };
    }
    const [upTo = 0, after = 0] = place.split(' ').map(Number);
    if (((await log.head())?.position ?? 0) < upTo) return { found: 0, next: place, waits: true };
    const named = [...ids, pseudonym].map(term.related);
    const page = await log.read(
      tenant,
      { terms: [named] },
      { after, upTo },
      { limit: PAGE, direction: 'oldest-first' },
    );
    const changes = page.flatMap((entry) => {
      const erased = erasedEntry(entry, ids, pseudonym);
      return erased === undefined ? [] : [{ entry, erased }];
    });
    await deliveries.forgetResponses(tenant, page);
    await log.replace(tenant, changes);
    const changed = new Set(changes.map(({ entry }) => entry._id));
    const found = page.filter(({ _id, position }) => changed.has(_id) || position <= startedAt).length;
    const last = page.at(-1);
    return page.length < PAGE || last === undefined ? { found } : { found, next: `${upTo} ${last.position}` };
  };
}

export type LogEraser = ReturnType<typeof logEraser>;
