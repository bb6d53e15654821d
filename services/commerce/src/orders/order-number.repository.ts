import { type RedemptionClaim, recordKey, type Tenant, type TicketClaim } from '@event-commerce/contracts';
import {
  batched,
  changeDocuments,
  collectionOf,
  type DocumentChange,
  insertEach,
  retryLost,
} from '@event-commerce/service-kit';
import type { CommerceModels, OrderNumberDocument } from '../models.ts';

/** What attempts at an order hold at other services. */
export interface HeldForOrder {
  redemptions: readonly RedemptionClaim[];
  tickets: readonly TicketClaim[];
  /** Cart sessions, by their ids. */
  sessions: readonly string[];
}

/**
 * An attempt to place or reopen an order under a number. `fingerprint`: what all copies of the order have in common.
 */
export interface NumberedAttempt {
  id: string;
  tenant: Tenant;
  orderId: string;
  fingerprint: string;
  attempt: string;
}

/**
 * What an attempt finds. `entered`: its order has this id. `abandoned`: all attempts at the order with this id have
 * failed, and what they held may not be released yet. `taken`: an order with other content has the number.
 */
type Entered =
  | { kind: 'entered'; orderId: string }
  | { kind: 'abandoned'; orderId: string; left: HeldForOrder }
  | { kind: 'taken'; orderId: string; since: Date };

export type OrderNumbers = ReturnType<typeof orderNumbers>;

/** The number of a new order. */
export function numberOf(tenant: Tenant, orderNumber: string): string {
  return recordKey(tenant, orderNumber);
}

/** The key used instead of a number for a revision of an order: no number has two line breaks. */
export function numberOfRevision(tenant: Tenant, orderId: string, revision: number): string {
  return `${recordKey(tenant, orderId)}\n${revision}`;
}

/**
 * The attempts to place an order under a number. All copies of the order enter before they claim anything, and so have
 * one order id; a copy that fails leaves. Until all have left, even if one was killed, what is held for the order stays
 * held; the last one to leave abandons the order. An abandoned order can no longer be entered.
 */
export function orderNumbers({ orderNumbers: model }: CommerceModels) {
  const numbers = collectionOf(model);
  const insert = batched(async (documents: readonly OrderNumberDocument[]) => insertEach(numbers, documents));
  const changeShared = changeDocuments(numbers);
  const change = async (one: DocumentChange<OrderNumberDocument>): Promise<OrderNumberDocument | undefined> =>
    await retryLost(async () => changeShared(one));
  /** Removes documents that contain only one attempt. Resolves with true only if the document was certainly there. */
  const removeAlone = batched(async (leaving: readonly NumberedAttempt[]) => {
    const operations = leaving.map(({ id: _id, orderId, attempt }) => ({
      deleteOne: { filter: { _id, orderId, attempts: [attempt], left: { $exists: false } } },
    }));
    const { deletedCount } = await retryLost(async () => numbers.bulkWrite(operations, { ordered: false }));
    return leaving.map(() => deletedCount === leaving.length);
  });

  const remove = async (id: string, orderId: string): Promise<void> => {
    await retryLost(async () => numbers.deleteOne({ _id: id, orderId }));
  };

  return {
    /**
     * Enters an attempt: the first one decides the order's id. No attempt with an id before `oldest` is still running.
     * Retry if this resolves with undefined.
     */
    async enter(
      { id, tenant, orderId, fingerprint, attempt }: NumberedAttempt,
      oldest: string,
    ): Promise<Entered | undefined> {
      const changedAt = new Date();
      const document = { _id: id, companyId: tenant, orderId, fingerprint, attempts: [attempt], changedAt };
      if (await retryLost(async () => insert(document))) return { kind: 'entered', orderId };
      const entered = await change({
        id,
        where: { fingerprint, 'attempts.0': { $exists: true }, orderId: { $gte: oldest } },
        update: { $addToSet: { attempts: attempt }, $set: { changedAt } },
        isMadeIn: ({ attempts }) => attempts.includes(attempt),
      });
      if (entered !== undefined) return { kind: 'entered', orderId: entered.orderId };
      const found = await numbers.findOne({ _id: id });
      // Removed in between.
      if (found === null) return undefined;
      if (found.attempts.length === 0) return { kind: 'abandoned', orderId: found.orderId, left: leftIn(found) };
      if (found.orderId < oldest) {
        await remove(id, found.orderId);
        return undefined;
      }
      // The document that this attempt could not enter was replaced.
      if (found.fingerprint === fingerprint) return undefined;
      return { kind: 'taken', orderId: found.orderId, since: found.changedAt };
    },

    /**
     * Ends an attempt that holds `held`. Resolves with all that is held for the order if no other attempt is left: then
     * the order is abandoned, and the caller releases it all.
     */
    async leave(leaving: NumberedAttempt, held: HeldForOrder): Promise<HeldForOrder | undefined> {
      const holdsNothing = Object.values(held).every(({ length }) => length === 0);
      if (holdsNothing && (await removeAlone(leaving))) return undefined;
      const { id, orderId, attempt } = leaving;
      const left = await change({
        id,
        where: { orderId },
        update: {
          $pull: { attempts: attempt },
          ...(holdsNothing
            ? {}
            : {
                $addToSet: {
                  'left.redemptions': { $each: [...held.redemptions] },
                  'left.tickets': { $each: [...held.tickets] },
                  'left.sessions': { $each: [...held.sessions] },
                },
              }),
        },
        isMadeIn: (found) => found.orderId === orderId && !found.attempts.includes(attempt),
      });
      return left === undefined || left.attempts.length > 0 ? undefined : leftIn(left);
    },

    /** Removes the number of an order that was abandoned, once nothing is held for it, or that cannot be written. */
    remove,
  };
}

function leftIn({ left }: OrderNumberDocument): HeldForOrder {
  return left ?? { redemptions: [], tickets: [], sessions: [] };
}
