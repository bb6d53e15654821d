import { emailKey, fitsMember, type GroupMember } from '@event-commerce/contracts';

const IDENTITIES = ['id', 'customerId', 'email'] as const;

/**
 * The members of both groups, those of the first before those of the second, each person once. Members are the same
 * person if they have the same id, customer id or e-mail address, or if other members connect them (one group may know
 * somebody by an id, the other by an address). The first record of a person is kept, and gets the identities that it
 * lacks from the others. A member without any of these stays separate.
 */
export function uniteMembers(first: readonly GroupMember[], second: readonly GroupMember[]): GroupMember[] {
  const all = [...first, ...second];
  const persons = personsOf(all);
  const united = new Map<number, GroupMember>();
  for (const [index, member] of all.entries()) {
    const person = persons(index);
    const known = united.get(person);
    united.set(person, known === undefined ? member : identified(known, member));
  }
  return [...united.values()];
}

/** Union-find: for the index of a member, the index of the first member that is the same person. */
function personsOf(members: readonly GroupMember[]): (index: number) => number {
  const parents = members.map((_, index) => index);
  const rootOf = (index: number): number => {
    let root = index;
    while (parents[root] !== root) root = parents[root] as number;
    // Every member on the path is linked there directly, so that long chains stay fast.
    for (let at = index; at !== root;) [at, parents[at]] = [parents[at] as number, root];
    return root;
  };
  const firstWith = new Map<string, number>();
  for (const [index, member] of members.entries()) {
    for (const key of identitiesOf(member)) {
      const [one, other] = [rootOf(firstWith.get(key) ?? index), rootOf(index)];
      parents[Math.max(one, other)] = Math.min(one, other);
      if (!firstWith.has(key)) firstWith.set(key, index);
    }
  }
  return rootOf;
}

function identitiesOf(member: GroupMember): string[] {
  return IDENTITIES.flatMap((name) => {
    const value = member[name];
    return value === undefined ? [] : [`${name} ${name === 'email' ? emailKey(value) : value}`];
  });
}

/** `member` with the identities of `other` that it lacks, as far as they fit into one member. */
function identified(member: GroupMember, other: GroupMember): GroupMember {
  let result = member;
  for (const name of IDENTITIES) {
    if (result[name] !== undefined || other[name] === undefined) continue;
    const more = { ...result, [name]: other[name] };
    if (fitsMember(more)) result = more;
  }
  return result;
}
