import {
  type CustomerIdentity,
  emailKey,
  ERASED_EMAIL,
  type GroupMember,
  type PurchaseGroup,
} from '@event-commerce/contracts';

/** Shorter words may be a part of any name. */
const NAME_LENGTH_MIN = 3;
const ERASED_NAME = 'Erased';

type Erasable = Pick<PurchaseGroup, 'name' | 'members' | 'notes' | 'history'>;

/** Whether a member is the customer. */
export function isCustomer({ id, customerId, email }: GroupMember, { ids, emails }: CustomerIdentity): boolean {
  return (
    [id, customerId].some((one) => one !== undefined && ids.includes(one)) ||
    (email !== undefined && emails.includes(emailKey(email)))
  );
}

/** Whether nothing is left in a group that is or may be about the customer. */
export function isErasedGroup({ members, notes, history }: Erasable, customer: CustomerIdentity): boolean {
  return (
    !members.some((member) => isCustomer(member, customer)) &&
    notes.every(({ text }) => text === '') &&
    history.every(({ note }) => note === '')
  );
}

/**
 * A group after a member of it, or of a group merged with it, is erased: the member stays, under the pseudonym; notes,
 * which may be about anybody in the group, lose their text; a group name that contains the member's goes.
 */
export function erasedGroup(
  { name, members, notes, history }: Erasable,
  customer: CustomerIdentity,
  pseudonym: string,
) {
  const erased = members.filter((member) => isCustomer(member, customer));
  return {
    name: erased.some((member) => isNamedAfter(name, member)) ? ERASED_NAME : name,
    members: members.map((member): GroupMember => {
      if (!erased.includes(member)) return member;
      return {
        id: pseudonym,
        ...(member.customerId === undefined ? {} : { customerId: pseudonym }),
        ...(member.email === undefined ? {} : { email: ERASED_EMAIL }),
      };
    }),
    notes: notes.map((note) => ({ ...note, text: '' })),
    history: history.map((merge) => ({ ...merge, note: '' })),
  };
}

function isNamedAfter(group: string, { id, customerId, name = '', email = '' }: GroupMember): boolean {
  const text = group.toLowerCase();
  const words = [id ?? '', customerId ?? '', email, ...name.split(/\s+/u), email.slice(0, email.lastIndexOf('@'))];
  return words.some((word) => word.length >= NAME_LENGTH_MIN && text.includes(word.toLowerCase()));
}
