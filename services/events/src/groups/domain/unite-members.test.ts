import type { GroupMember } from '@event-commerce/contracts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { uniteMembers } from './unite-members.ts';

describe('members of two groups', () => {
  test.each([
    ['id', { id: 'a', name: 'Ada' }, { id: 'a', name: 'Other' }, { id: 'a', name: 'Ada' }],
    ['customer id', { customerId: 'c' }, { customerId: 'c', vip: true }, { customerId: 'c' }],
    ['e-mail address', { email: 'Bob@example.com' }, { email: 'bob@EXAMPLE.com' }, { email: 'Bob@example.com' }],
    ['address, though one has an id', { email: 'b@x.de' }, { id: 'b', email: 'B@x.de' }, { email: 'b@x.de', id: 'b' }],
  ])('with the same %s are one person, as the first group knows them', (_what, one, other, united) => {
    expect(uniteMembers([one], [other])).toEqual([united]);
  });

  test('are one person if another member connects them', () => {
    const connected = [{ email: 'ada@example.com' }, { id: 'ada' }];
    const connecting = [
      { customerId: 'c7', id: 'ada' },
      { email: 'ADA@example.com', customerId: 'c7' },
    ];
    expect(uniteMembers(connected, connecting)).toEqual([{ email: 'ada@example.com', id: 'ada', customerId: 'c7' }]);
  });

  test('are two people if the id of one is the customer id of the other', () => {
    expect(uniteMembers([{ id: 'c' }], [{ customerId: 'c' }])).toHaveLength(2);
  });

  test('without any identities are all kept', () => {
    expect(uniteMembers([{ name: 'guest' }], [{ name: 'guest' }, {}])).toHaveLength(3);
  });

  test('become as many people as there are sets of connected members, whatever their order', () => {
    const few = fc.integer({ min: 0, max: 8 }).map(String);
    const someMembers = fc.array(
      fc.record({ id: few, customerId: few, email: few.map((n) => `M${n}@example.com`) }, { requiredKeys: [] }),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(someMembers, someMembers, (first, second) => {
        const members = uniteMembers(first, second);
        expect(members).toHaveLength(connectedSets([...first, ...second]));
        expect(uniteMembers(second, first)).toHaveLength(members.length);
        for (const name of ['id', 'customerId', 'email'] as const) {
          // Nobody counts twice, and nobody is lost.
          const known = members.flatMap((member) => member[name] ?? []);
          expect(new Set(known).size).toBe(known.length);
        }
        expect(uniteMembers(members, [])).toHaveLength(members.length);
      }),
    );
  });
});

/** Counts by merging sets until no two of them share an identity. */
function connectedSets(members: readonly GroupMember[]): number {
  const marks = ({ id, customerId, email }: GroupMember) =>
    [id && `i${id}`, customerId && `c${customerId}`, email && `e${email}`].filter((mark) => mark !== undefined);
  const anonymous = members.filter((member) => marks(member).length === 0).length;
  let sets = members.filter((member) => marks(member).length > 0).map((member) => new Set(marks(member)));
  for (let before = -1; before !== sets.length;) {
    before = sets.length;
    const merged: Set<string>[] = [];
    for (const set of sets) {
      const known = merged.find((other) => !other.isDisjointFrom(set));
      if (known === undefined) merged.push(new Set(set));
      else for (const mark of set) known.add(mark);
    }
    sets = merged;
  }
  return sets.length + anonymous;
}
