import { expect, test } from 'vitest';
import { erasedGroup, isErasedGroup } from './erased-group.ts';

const ada = { ids: ['ada-1'], emails: ['ada@example.com'] };
const by = { at: '2027-07-10T10:00:00.000Z', by: 'key_1' };
const merge = { sourceGroupId: 'pg_1', targetGroupId: 'pg_2', sourceSize: 1, targetSize: 1, combinedSize: 2, ...by };
const group = {
  name: 'Choir',
  members: [
    { id: 'seat-1', email: 'ADA@example.com', name: 'Ada Lovelace', voice: 'alto' },
    { customerId: 'ada-1' },
    { id: 'grace', name: 'Grace', email: 'grace@example.com' },
  ],
  notes: [{ text: 'Ada needs a lift', ...by }],
  history: [{ ...merge, note: 'Ada asked for it' }],
};

test('a member who is erased stays under the pseudonym, others stay as they are, and notes lose their text', () => {
  const erased = erasedGroup(group, ada, 'erased_1');
  expect(erased).toEqual({
    name: 'Choir',
    members: [
      { id: 'erased_1', email: 'erased@erased.invalid' },
      { id: 'erased_1', customerId: 'erased_1' },
      group.members[2],
    ],
    notes: [{ text: '', ...by }],
    history: [{ ...merge, note: '' }],
  });
  expect([isErasedGroup(group, ada), isErasedGroup(erased, ada)]).toEqual([false, true]);
});

test.each(['The Lovelaces', 'ada@example.com and friends', "ADA-1's table"])(
  'a group that is named after the member loses that name: %s',
  (name) => {
    const members = [{ id: 'ada-1', name: 'Ada Lovelace', email: 'ada@example.com' }];
    expect(erasedGroup({ ...group, name, members }, ada, 'erased_1').name).toBe('Erased');
  },
);
