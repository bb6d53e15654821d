import { type GroupMerge, invalidInput, type MergeInput, PlatformError } from '@event-commerce/contracts';
import type { GroupRecord } from './group-record.ts';
import { uniteMembers } from './unite-members.ts';

/** Limits of one group, so that it always fits into one document, however many groups were merged into it. */
export const MEMBERS_MAX = 2_000;
export const NOTES_MAX = 200;

/**
 * Both groups after `source` was merged into `target`. The target gets the members of both, each once, the sum of the
 * sizes, the notes of both and the merge's note. The source keeps its fields and names its target. Both record the
 * merge.
 *
 * @throws {PlatformError} VALIDATION_FAILED if one was merged before, the size is not the current sum of the sizes, or
 * the result would be too large
 */
export function mergePurchaseGroups(
  target: GroupRecord,
  source: GroupRecord,
  asked: MergeInput,
  by: { keyId: string; at: string },
): { target: GroupRecord; source: GroupRecord; merge: GroupMerge } {
  refuseMerged(target, 'pgid', 'The target');
  refuseMerged(source, 'sourceGroupId', 'The source');

  const sum = source.size + target.size;
  if (asked.combinedSize !== sum) {
    const sizes = `the source has ${source.size}, the target ${target.size}`;
    const message = `must be ${sum}: ${sizes} (got ${asked.combinedSize})`;
    throw invalidInput('combinedSize', message, { sourceSize: source.size, targetSize: target.size });
  }

  const merge: GroupMerge = {
    sourceGroupId: source.id,
    targetGroupId: target.id,
    sourceSize: source.size,
    targetSize: target.size,
    combinedSize: sum,
    note: asked.note,
    at: by.at,
    by: by.keyId,
  };
  const note = { text: asked.note, at: by.at, by: by.keyId, sourceGroupId: source.id };
  const merged: GroupRecord = {
    ...target,
    size: sum,
    members: uniteMembers(target.members, source.members),
    notes: [...target.notes, ...source.notes, note],
    history: [...target.history, merge],
    version: target.version + 1,
    changed: by.at,
  };
  refuseOverfull(merged);
  return {
    target: merged,
    source: {
      ...source,
      status: 'merged',
      mergedInto: target.id,
      history: [...source.history, merge],
      version: source.version + 1,
      changed: by.at,
    },
    merge,
  };
}

/** @throws {PlatformError} VALIDATION_FAILED for a merged group: it stays as it was at the merge */
export function refuseMerged(group: GroupRecord, path: string, role: string): void {
  if (group.status !== 'merged') return;
  const message = `${group.id} was already merged into ${group.mergedInto ?? 'another group'}; use that one`;
  throw new PlatformError('VALIDATION_FAILED', `${role} ${message}.`, { details: [{ path, message }] });
}

function refuseOverfull(group: GroupRecord): void {
  const tooMany =
    group.members.length > MEMBERS_MAX
      ? `more than ${MEMBERS_MAX} members`
      : group.notes.length > NOTES_MAX
        ? `more than ${NOTES_MAX} notes`
        : undefined;
  if (tooMany === undefined) return;
  throw invalidInput('sourceGroupId', `cannot be merged: the group would have ${tooMany}`);
}
