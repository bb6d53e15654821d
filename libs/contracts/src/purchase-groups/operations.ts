import {
  mergeInput,
  purchaseGroup,
  purchaseGroupInput,
  purchaseGroupListQuery,
  purchaseGroupPatch,
} from './purchase-group.ts';
import { changedByOthers, eventNotFound, groupNotFound } from '../errors/refusals.ts';
import { type Declarations, exampleId, ids, operations } from '../operations/operation.ts';
import { EVENT } from '../events/operations.ts';

const TARGET_GROUP = exampleId('pg', 1);
const SOURCE_GROUP = exampleId('pg', 2);

export const PURCHASE_GROUP_OPERATIONS = operations('events', 'Events', {
  createPurchaseGroup: {
    method: 'POST',
    path: '/events/{id}/purchase-groups',
    summary: 'Create a purchase group',
    scope: 'events:write',
    params: ids({ id: 'The event.' }),
    body: purchaseGroupInput,
    grows: true,
    answer: { statuses: { 201: 'The group was created.' }, data: purchaseGroup },
    errors: [eventNotFound],
    examples: {
      choir: {
        summary: 'A group of three, one of them known',
        path: { id: EVENT },
        body: { name: 'The choir', size: 3, members: [{ id: 'cus_ada', name: 'Ada', email: 'ada@example.com' }] },
        makes: { 'data.id': TARGET_GROUP },
      },
      orchestra: {
        summary: 'A group as large as its members',
        path: { id: EVENT },
        body: { name: 'The orchestra', members: [{ id: 'cus_grace' }, { id: 'cus_alan' }] },
        makes: { 'data.id': SOURCE_GROUP },
      },
    },
  },
  listPurchaseGroups: {
    method: 'GET',
    path: '/events/{id}/purchase-groups',
    summary: 'List purchase groups',
    description: 'Newest first.',
    scope: 'events:read',
    params: ids({ id: 'The event.' }),
    query: purchaseGroupListQuery,
    answer: { statuses: { 200: 'One page of groups.' }, data: purchaseGroup, form: 'list' },
    errors: [eventNotFound],
    examples: {
      active: { summary: 'The groups that were not merged', path: { id: EVENT }, query: { status: 'active' } },
    },
  },
  mergePurchaseGroups: {
    method: 'POST',
    path: '/events/{id}/purchase-groups/{pgid}/merge',
    summary: 'Merge two purchase groups',
    description:
      'Merges the source into the target. `combinedSize` must be the sum of both current sizes, so that you merge the groups that you have seen; `If-Match` is about the target. Members with the same `id`, `customerId` or `email` (whatever its case) are one person, also if only a third member connects them: the first record stays, and takes the identities that it lacks from the others. Either both groups change or neither does.',
    scope: 'events:write',
    versioned: 'changes',
    params: ids({ id: 'The event.', pgid: 'The target group.' }),
    body: mergeInput,
    grows: true,
    answer: { statuses: { 200: 'The target group as it is now.' }, data: purchaseGroup },
    errors: [groupNotFound, changedByOthers],
    examples: {
      together: {
        summary: 'Choir and orchestra sit together',
        path: { id: EVENT, pgid: TARGET_GROUP },
        body: { sourceGroupId: SOURCE_GROUP, combinedSize: 5, note: 'They want to sit together.' },
      },
    },
  },
  getPurchaseGroup: {
    method: 'GET',
    path: '/events/{id}/purchase-groups/{pgid}',
    summary: 'Read a purchase group',
    scope: 'events:read',
    versioned: 'answers',
    params: ids({ id: 'The event.', pgid: 'The group.' }),
    answer: { statuses: { 200: 'The group.' }, data: purchaseGroup },
    errors: [groupNotFound],
    examples: { merged: { summary: 'A group that was merged', path: { id: EVENT, pgid: SOURCE_GROUP } } },
  },
  updatePurchaseGroup: {
    method: 'PATCH',
    path: '/events/{id}/purchase-groups/{pgid}',
    summary: 'Change a purchase group',
    description:
      'A JSON merge patch: absent fields stay, `members` replaces them all, and with `size` null the group is as large as its members. A group never has more members than its size, and a merged group is not changed any more.',
    scope: 'events:write',
    versioned: 'changes',
    params: ids({ id: 'The event.', pgid: 'The group.' }),
    body: purchaseGroupPatch,
    grows: true,
    answer: { statuses: { 200: 'The group as it is now.' }, data: purchaseGroup },
    errors: [groupNotFound, changedByOthers],
    examples: {
      larger: { summary: 'One more person', path: { id: EVENT, pgid: TARGET_GROUP }, body: { size: 6 } },
    },
  },
  deletePurchaseGroup: {
    method: 'DELETE',
    path: '/events/{id}/purchase-groups/{pgid}',
    summary: 'Delete a purchase group',
    description: 'The group and what it says of its members are gone for good.',
    scope: 'events:write',
    versioned: 'changes',
    params: ids({ id: 'The event.', pgid: 'The group.' }),
    answer: { statuses: { 200: 'The group as it was.' }, data: purchaseGroup },
    errors: [groupNotFound, changedByOthers],
    examples: { merged: { summary: 'One that was merged', path: { id: EVENT, pgid: SOURCE_GROUP } } },
  },
} satisfies Declarations);
