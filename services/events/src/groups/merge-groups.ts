import {
  type GroupMerge,
  groupNotFound,
  invalidInput,
  type MergeInput,
  type PurchaseGroup,
} from '@event-commerce/contracts';
import { type Caller, type IfMatch, makeOnce, refuseOtherVersion } from '@event-commerce/service-kit';
import { mergePurchaseGroups } from './domain/merge-purchase-groups.ts';
import { type PurchaseGroupRepository, toPurchaseGroup } from './purchase-group.repository.ts';

export interface MergeGroupsDeps {
  purchaseGroups: PurchaseGroupRepository;
  clock: () => Date;
}

/**
 * Merges the source group into group `targetId` of the same event, and returns the target. `ifMatch` is about the
 * target.
 *
 * @throws {PlatformError} VALIDATION_FAILED, PURCHASE_GROUP_NOT_FOUND, VERSION_CONFLICT
 */
export async function mergeGroups(
  deps: MergeGroupsDeps,
  caller: Caller,
  eventId: string,
  targetId: string,
  asked: MergeInput,
  ifMatch: IfMatch,
): Promise<PurchaseGroup> {
  const { sourceGroupId } = asked;
  if (sourceGroupId === targetId) {
    throw invalidInput('sourceGroupId', 'must name another group than the one it is merged into');
  }
  const now = deps.clock();
  const merged = await makeOnce(caller, 'pg', {
    // A group can be merged into another only once.
    find: async () => {
      const target = await deps.purchaseGroups.find(caller.tenant, eventId, targetId);
      return target?.history.some((merge) => isSameMerge(merge, asked)) ? target : undefined;
    },
    make: () =>
      deps.purchaseGroups.merge(
        caller,
        eventId,
        { target: targetId, source: sourceGroupId },
        (target, source) => {
          if (target === undefined) throw groupNotFound(targetId);
          if (source === undefined) throw groupNotFound(sourceGroupId);
          refuseOtherVersion(ifMatch, 'target group', target.version);
          return mergePurchaseGroups(target, source, asked, { keyId: caller.keyId, at: now.toISOString() });
        },
        now,
      ),
  });
  return toPurchaseGroup(merged);
}

function isSameMerge(merge: GroupMerge, { sourceGroupId, combinedSize, note }: MergeInput): boolean {
  return merge.sourceGroupId === sourceGroupId && merge.combinedSize === combinedSize && merge.note === note;
}
