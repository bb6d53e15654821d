import { randomUUID } from 'node:crypto';
import { keyOfTenant, type Tenant, tenantOfKey } from '@event-commerce/contracts';
import { collectionOf, isOvertaken, retryLost } from '@event-commerce/service-kit';
import type { mongo } from 'mongoose';
import type { ChangeLogDocument, PricingModels } from '../models.ts';

/** An adjustment or a budget that was written, and its new version. */
export interface Change {
  tenant: Tenant;
  id: string;
  version: number;
}

/** Enough for a replica that receives no notices and reads every 400 ms: more than 600 changes a second. */
export const CHANGES_KEPT = 256;

export type ChangeLogRepository = ReturnType<typeof changeLogRepository>;

/**
 * The adjustments and budgets of all companies that changed last, and the replicas that must learn of it: one document,
 * so that one update gives each change its position and returns the members at that position. No clock is involved.
 */
export function changeLogRepository({ changeLogs }: PricingModels) {
  const collection = collectionOf(changeLogs);
  const update = async (change: mongo.UpdateFilter<ChangeLogDocument>): Promise<ChangeLogDocument> => {
    const options = {
      upsert: true,
      returnDocument: 'after',
      projection: { sequence: 1, members: 1, leaving: 1 },
    } as const;
    const log = await retryLost(async () => collection.findOneAndUpdate(THE_LOG, change, options), isOvertaken);
    return log ?? { ...THE_LOG, sequence: 0 };
  };

  return {
    /**
     * Adds `changes`. Resolves with the members that must learn of them, and with the removals whose members may still
     * be `leaving`: only time guarantees that they no longer respond without them.
     */
    async append(changes: readonly Change[]): Promise<{ members: string[]; leaving: string[] }> {
      const { members = [], leaving = [] } = await update({
        $inc: { sequence: changes.length },
        $push: { recent: { $each: changes.map(encode), $slice: -CHANGES_KEPT } },
      });
      return { members, leaving };
    },

    /** Adds `member` to those whose acknowledgement is awaited. Resolves with the current position of the log. */
    async join(member: string): Promise<number> {
      return (await update({ $addToSet: { members: member }, $inc: { sequence: 0 } })).sequence;
    },

    /** Removes `member`, which no longer responds to requests, so that nothing waits for it. */
    async leave(member: string): Promise<void> {
      await update({ $pull: { members: member } });
    },

    /**
     * Removes `members`, so that nothing waits for them, but they are `leaving` until this removal is forgotten.
     * Resolves with its id: a member that joins again may be removed a second time before the first is forgotten.
     */
    async remove(members: readonly string[]): Promise<string> {
      const removal = randomUUID();
      await update({ $pull: { members: { $in: members } }, $addToSet: { leaving: removal } });
      return removal;
    },

    async forget(removals: readonly string[]): Promise<void> {
      await update({ $pull: { leaving: { $in: removals } } });
    },

    /**
     * What was added after `place`: `changes` is undefined if the log has dropped some of it. Costs one small read if
     * there is nothing.
     */
    async readAfter(place: number): Promise<LogReading> {
      const head = await collection.findOne(THE_LOG, { projection: { sequence: 1, members: 1 } });
      if (head?.sequence === place) return { place, members: head.members ?? [], changes: [] };
      const whole = await collection.findOne(THE_LOG);
      const { sequence = 0, members = [], recent = [] } = whole ?? {};
      const added = sequence - place;
      // A log that is gone or was restored from a backup has another count: it proves nothing about what is known here.
      const changes = added < 0 || added > recent.length ? undefined : recent.slice(recent.length - added).map(decode);
      return { place: sequence, members, changes };
    },
  };
}

export interface LogReading {
  place: number;
  members: readonly string[];
  changes: Change[] | undefined;
}

const THE_LOG = { _id: 'adjustments' } as const;

function encode({ tenant, id, version }: Change): string {
  return `${id} ${version} ${keyOfTenant(tenant)}`;
}

function decode(text: string): Change {
  const [id = '', version = '', ...key] = text.split(' ');
  return { id, version: Number(version), tenant: tenantOfKey(key.join(' ')) };
}
