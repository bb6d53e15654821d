import { outboxEntry } from '@event-commerce/outbox';
import { liveTenant } from '@event-commerce/test-kit';
import { expect, test } from 'vitest';
import { countInShare, countTransitions, type RecordedInShare, type RecordedTransition } from './changes.ts';
import type { Claim, State } from './claim.ts';

const claim: Claim = {
  id: 'rdm_1',
  poolId: 'adj_1',
  companyId: liveTenant('company-1'),
  orderId: 'ord_1',
  quantity: 2,
  status: 'confirmed',
  settledBy: 'commerce',
};
const confirmed: State<'confirmed'> = { status: 'confirmed', quantity: 2 };
const held: State<'held'> = { status: 'held', quantity: 2 };
const made: RecordedTransition & RecordedInShare = {
  poolId: 'adj_1',
  claim,
  transition: { by: 'x', from: confirmed, to: { status: 'released', quantity: 2 } },
  isPending: false,
  first: confirmed,
  made: ['x'],
  entry: undefined,
};

test.each([countTransitions, countInShare])(
  'a transition that a request and a sweep finish at the same time is counted once',
  (change) => {
    const twice = change({ poolId: 'adj_1', members: [made, { ...made }] });
    expect(twice).toEqual(change({ poolId: 'adj_1', members: [made] }));
    expect(twice.update.$inc).toMatchObject({ claimed: -2 });
  },
);

test('a claim that is still pending is counted once as it was entered, however many transitions are counted with it', () => {
  const pending = { ...made, isPending: true, first: held };
  const confirm = { ...pending, transition: { by: 'x', from: held, to: confirmed } };
  const reduce = { ...pending, transition: { by: 'y', from: confirmed, to: { ...confirmed, quantity: 1 } } };
  const { update } = countTransitions({ poolId: 'adj_1', members: [confirm, reduce] });
  expect(update.$inc).toEqual({ claimed: -1, confirmed: 1, version: 1 });
});

test('a share keeps the notes of transitions that are still to be counted when a claim is released', () => {
  const members = [{ ...made, made: ['w', 'x'] }];
  const { update } = countInShare({ poolId: 'adj_1|cus_1', members });
  expect(update.$pull).toMatchObject({ transitions: { id: { $in: ['rdm_1'] }, by: { $nin: ['w'] } } });
});

test.each([true, false].flatMap((isPending) => (['confirmed', 'released'] as const).map((to) => ({ isPending, to }))))(
  'counting a transition updates no field twice, which MongoDB refuses: %o',
  ({ isPending, to }) => {
    const entry = outboxEntry('redemption.confirmed', new Date());
    const member: RecordedTransition = {
      ...made,
      transition: { by: 'x', from: held, to: { status: to, quantity: 1 } },
      isPending,
      entry,
    };
    const { update } = countTransitions({ poolId: 'adj_1', members: [member] });
    const fields = Object.values(update).flatMap((change: object) => Object.keys(change));
    expect(fields).toContain('transitions');
    expect(fields).toEqual([...new Set(fields)]);
  },
);
