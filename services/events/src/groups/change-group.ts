import {
  groupNotFound,
  invalidInput,
  type PurchaseGroup,
  type PurchaseGroupPatch,
  type Tenant,
} from '@event-commerce/contracts';
import { type Caller, changedMembers, type IfMatch, refuseOtherVersion } from '@event-commerce/service-kit';
import type { GroupRecord } from './domain/group-record.ts';
import { refuseMerged } from './domain/merge-purchase-groups.ts';
import { toPurchaseGroup } from './purchase-group.repository.ts';
import type { MergeGroupsDeps } from './merge-groups.ts';

/**
 * Changes a group by a JSON merge patch. Without a size it has as many places as members. A field sent with its present
 * value changes nothing.
 *
 * @throws {PlatformError} PURCHASE_GROUP_NOT_FOUND, VALIDATION_FAILED, also for a merged group, VERSION_CONFLICT
 */
export async function changeGroup(
  { purchaseGroups, clock }: MergeGroupsDeps,
  caller: Caller,
  eventId: string,
  id: string,
  patch: PurchaseGroupPatch,
  ifMatch: IfMatch,
): Promise<PurchaseGroup> {
  const changed = await purchaseGroups.changeInTurn(caller.tenant, id, async () => {
    const current = await find(purchaseGroups, caller.tenant, eventId, id);
    refuseOtherVersion(ifMatch, 'group', current.version);
    const changes = changedMembers(patch, toPurchaseGroup(current));
    if (Object.keys(changes).length === 0) return current;
    refuseMerged(current, 'pgid', 'The group');
    const { name = current.name } = changes;
    const members = changes.members === undefined ? current.members : (changes.members ?? []);
    const size = changes.size === undefined ? current.size : (changes.size ?? members.length);
    if (members.length > size) {
      const path = changes.size === undefined ? 'members' : 'size';
      throw invalidInput(
        path,
        `would leave ${members.length} members in a group of ${size}; raise size, or remove members`,
      );
    }
    return await purchaseGroups.replace(caller, current, { name, size, members }, clock());
  });
  return toPurchaseGroup(changed);
}

/**
 * Deletes a group, even a merged one, and returns it as it was.
 *
 * @throws {PlatformError} PURCHASE_GROUP_NOT_FOUND, VERSION_CONFLICT
 */
export async function deleteGroup(
  { purchaseGroups, clock }: MergeGroupsDeps,
  caller: Caller,
  eventId: string,
  id: string,
  ifMatch: IfMatch,
): Promise<PurchaseGroup> {
  const deleted = await purchaseGroups.changeInTurn(caller.tenant, id, async () => {
    const current = await find(purchaseGroups, caller.tenant, eventId, id);
    refuseOtherVersion(ifMatch, 'group', current.version);
    return await purchaseGroups.delete(caller, current, clock());
  });
  return toPurchaseGroup(deleted);
}

async function find(
  purchaseGroups: MergeGroupsDeps['purchaseGroups'],
  tenant: Tenant,
  eventId: string,
  id: string,
): Promise<GroupRecord> {
  const found = await purchaseGroups.find(tenant, eventId, id);
  if (found === undefined) throw groupNotFound(id);
  return found;
}
