import { z } from 'zod';
import { ARRAY_LENGTH_MAX, externalId, name, text } from './primitives.ts';

export const PURCHASE_GROUP_STATUSES = ['active', 'merged'] as const;
export type PurchaseGroupStatus = (typeof PURCHASE_GROUP_STATUSES)[number];

export const GROUP_SIZE_MAX = 10_000_000;

/** A group that took in many others must still fit into one document. */
const MEMBER_JSON_LENGTH_MAX = 1024;

/** Someone in a group, with whatever else the caller keeps about them. An id alone may be written as a string. */
const groupMember = z.preprocess(
  (given) => (typeof given === 'string' ? { id: given } : given),
  z
    .looseObject({
      id: externalId.optional(),
      customerId: externalId.optional(),
      name: name.optional(),
      email: z.email().max(254).optional(),
    })
    .refine(
      (member) => JSON.stringify(member).length <= MEMBER_JSON_LENGTH_MAX,
      `may have at most ${MEMBER_JSON_LENGTH_MAX} characters as JSON`,
    ),
);
export type GroupMember = z.output<typeof groupMember>;

/** The body of `POST /events/{id}/purchase-groups`. */
export const purchaseGroupInput = z.object({
  name,
  /** How many people; absent, as many as there are members. */
  size: z.int().min(0).max(GROUP_SIZE_MAX).optional(),
  members: z.array(groupMember).max(ARRAY_LENGTH_MAX).default([]),
});
export type PurchaseGroupInput = z.output<typeof purchaseGroupInput>;

/** The body of `POST /events/{id}/purchase-groups/{pgid}/merge`. */
export const mergeInput = z.object({
  sourceGroupId: externalId,
  combinedSize: z.int().min(0),
  note: text.refine((written) => written.trim() !== '', 'must explain the merge'),
});
export type MergeInput = z.output<typeof mergeInput>;

/** A remark on a group. The note of a merge names the group that was merged. */
export interface GroupNote {
  text: string;
  at: string;
  /** The API key it was written with. */
  by: string;
  sourceGroupId?: string;
}

/** A merge as each of its two groups remembers it. */
export interface GroupMerge {
  sourceGroupId: string;
  targetGroupId: string;
  /** Both sizes before the merge. */
  sourceSize: number;
  targetSize: number;
  combinedSize: number;
  note: string;
  at: string;
  by: string;
}

/** A purchase group as the API answers it. */
export interface PurchaseGroup {
  id: string;
  companyId: string;
  eventId: string;
  name: string;
  size: number;
  members: GroupMember[];
  status: PurchaseGroupStatus;
  /** Of a merged group: the group it was merged into. It keeps its own size, members and notes as they were. */
  mergedInto?: string;
  notes: GroupNote[];
  history: GroupMerge[];
  created: string;
  changed: string;
}
