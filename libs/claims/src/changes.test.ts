import { outboxEntry } from '@event-commerce/outbox';
import { liveTenant } from '@event-commerce/test-kit';
import { expect, test } from 'vitest';
import { countReleases, countTransitions, type RecordedTransition } from './changes.ts';
import type { Claim } from './claim.ts';

const claim: Claim = {
  id: 'rdm_1',
  poolId: 'adj_1',
  companyId: liveTenant('company-1'),
  orderId: 'ord_1',
  quantity: 2,
  status: 'confirmed',
  settledBy: 'commerce',
};
const made: RecordedTransition = {
  poolId: 'adj_1',
  claim,
  transition: { by: 'x', from: 'confirmed', to: 'released' },
  isPending: false,
  first: 'confirmed',
  entry: undefined,
};

test.each([countTransitions, countReleases])(
  'a transition that a request and a sweep finish at the same time is counted once',
  (change) => {
    const twice = change({ poolId: 'adj_1', members: [made, { ...made }] });
    expect(twice).toEqual(change({ poolId: 'adj_1', members: [made] }));
    expect(twice.update.$inc).toMatchObject({ claimed: -2 });
  },
);

test.each([true, false].flatMap((isPending) => (['confirmed', 'released'] as const).map((to) => ({ isPending, to }))))(
  'counting a transition updates no field twice, which MongoDB refuses: %o',
  ({ isPending, to }) => {
    const entry = outboxEntry('redemption.confirmed', new Date());
    const member: RecordedTransition = {
      ...made,
      transition: { by: 'x', from: 'held', to },
      isPending,
      entry,
    };
    const { update } = countTransitions({ poolId: 'adj_1', members: [member] });
    const fields = Object.values(update).flatMap((change: object) => Object.keys(change));
    expect(fields).toContain('transitions');
    expect(fields).toEqual([...new Set(fields)]);
  },
);
