import { z } from 'zod';
import { email } from '../schema/email.ts';
import { memberNotes } from '../schema/member-notes.ts';
import { mergePatch } from '../schema/merge-patch.ts';
import { ARRAY_LENGTH_MAX, externalId, listQuery, name, recordVersion, text, timestamp } from '../schema/primitives.ts';

const PURCHASE_GROUP_STATUSES = ['active', 'merged'] as const;
export type PurchaseGroupStatus = (typeof PURCHASE_GROUP_STATUSES)[number];

const GROUP_SIZE_MAX = 10_000_000;

/** A group that many others were merged into must still fit into one document. */
const MEMBER_JSON_LENGTH_MAX = 1024;

export function fitsMember(member: object): boolean {
  return JSON.stringify(member).length <= MEMBER_JSON_LENGTH_MAX;
}

/** Someone in a group, with the caller's other data about them. */
const groupMember = z
  .looseObject({
    id: externalId.optional(),
    customerId: externalId.optional(),
    name: name.optional(),
    email: email.optional(),
  })
  .refine(fitsMember, `must have at most ${MEMBER_JSON_LENGTH_MAX} characters as JSON`)
  .meta({ id: 'GroupMember' });
export type GroupMember = z.output<typeof groupMember>;

/** An id alone may be written as a string. */
const memberInput = z.union(
  [externalId.transform((id): GroupMember => ({ id })), groupMember],
  'must be an object or an id',
);

const fields = {
  name,
  /** How many people; if absent, as many as there are members. */
  size: z.int().min(0).max(GROUP_SIZE_MAX).optional(),
  members: z.array(memberInput).max(ARRAY_LENGTH_MAX).default([]),
};

/** The body of `POST /events/{id}/purchase-groups`. */
export const purchaseGroupInput = z
  .object(fields)
  .register(memberNotes, { answer: () => purchaseGroup.shape })
  .refine(({ size, members }) => size === undefined || members.length <= size, {
    path: ['size'],
    message: 'must be at least the number of members',
  })
  .meta({ id: 'PurchaseGroupInput' });
export type PurchaseGroupInput = z.output<typeof purchaseGroupInput>;

/** The body of `PATCH /events/{id}/purchase-groups/{pgid}`. The members are replaced as a whole. */
export const purchaseGroupPatch = mergePatch(fields, { answer: () => purchaseGroup.shape }).meta({
  id: 'PurchaseGroupPatch',
});
export type PurchaseGroupPatch = z.output<typeof purchaseGroupPatch>;

export const purchaseGroupListQuery = listQuery(
  { status: z.enum(PURCHASE_GROUP_STATUSES).optional() },
  () => purchaseGroup,
);

/** The body of `POST /events/{id}/purchase-groups/{pgid}/merge`. */
export const mergeInput = z
  .object({
    sourceGroupId: externalId,
    combinedSize: z.int().min(0),
    note: text.refine((written) => written.trim() !== '', 'must explain the merge'),
  })
  .meta({ id: 'MergePurchaseGroups' });
export type MergeInput = z.output<typeof mergeInput>;

/** A remark on a group. The note of a merge names the group that was merged. */
const groupNote = z
  .object({
    text: z.string(),
    at: timestamp,
    by: z.string().describe('The API key that wrote it.'),
    sourceGroupId: z.string().exactOptional(),
  })
  .meta({ id: 'GroupNote' });

/** A merge as recorded in each of its two groups. Sizes are those before the merge. */
const groupMerge = z
  .object({
    sourceGroupId: z.string(),
    targetGroupId: z.string(),
    sourceSize: z.int(),
    targetSize: z.int(),
    combinedSize: z.int(),
    note: z.string(),
    at: timestamp,
    by: z.string().describe('The API key that merged them.'),
  })
  .meta({ id: 'GroupMerge' });
export type GroupMerge = z.output<typeof groupMerge>;

/** A purchase group as the API returns it. */
export const purchaseGroup = z
  .object({
    id: z.string(),
    companyId: z.string(),
    eventId: z.string(),
    name: z.string(),
    size: z.int(),
    members: z.array(groupMember),
    status: z.enum(PURCHASE_GROUP_STATUSES),
    mergedInto: z
      .string()
      .exactOptional()
      .describe('The group that it was merged into. It keeps its own size, members and notes.'),
    notes: z.array(groupNote),
    history: z.array(groupMerge),
    version: recordVersion,
    created: timestamp,
    changed: timestamp,
  })
  .meta({ id: 'PurchaseGroup' });
export type PurchaseGroup = z.output<typeof purchaseGroup>;
