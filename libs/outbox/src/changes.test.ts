import { describe, expect, test } from 'vitest';
import { changesOf } from './changes.ts';

describe('changesOf', () => {
  test('names each member that changed, with its values, and none that every write changes', () => {
    const before = { version: 1, changed: '2027-07-10', percentOff: 10, tags: ['a'], conditions: { minQuantity: 2 } };
    const after = { ...before, version: 2, changed: '2027-07-11', percentOff: 15, tags: ['a', 'b'], conditions: {} };
    expect(changesOf(before, after)).toEqual([
      { path: 'percentOff', before: 10, after: 15 },
      { path: 'tags', before: ['a'], after: ['a', 'b'] },
      { path: 'conditions.minQuantity', before: 2 },
    ]);
  });

  test('compares a date with the text that the API shows', () => {
    const endsAt = new Date(0);
    expect(changesOf({ endsAt }, { endsAt: endsAt.toISOString() })).toEqual([]);
  });

  test.each(['customer', 'members', 'notes', 'answers', 'agreements', 'meta', 'forwarded'])(
    'only says that %s changed, wherever it is',
    (name) => {
      const before = { [name]: { email: 'ada@example.com' }, order: { [name]: ['Ada'] } };
      const changes = changesOf(before, { order: { [name]: ['Grace'] } });
      expect(changes).toEqual([
        { path: name, redacted: true },
        { path: `order.${name}`, redacted: true },
      ]);
    },
  );

  test('hides the values of a member that its record keeps to itself, but not those of nested members with its name', () => {
    const changes = changesOf({ name: 'Ada', venue: { name: 'A' } }, { name: 'Grace', venue: { name: 'B' } }, ['name']);
    expect(changes).toEqual([
      { path: 'name', redacted: true },
      { path: 'venue.name', before: 'A', after: 'B' },
    ]);
  });

  test('leaves out values of more than 1 KiB', () => {
    const changes = changesOf({ description: 'x'.repeat(1_100) }, { description: 'short' });
    expect(changes).toEqual([{ path: 'description', truncated: true }]);
  });

  test('has at most 50 members and 8 KiB of values, and says so', () => {
    const many = Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`member${n}`, n]));
    const changes = changesOf({}, many);
    expect([changes.length, changes.at(-1)]).toEqual([50, { path: '*', truncated: true }]);
    const large = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`member${n}`, 'x'.repeat(1_000)]));
    const values = changesOf({}, large).filter(({ truncated }) => truncated !== true);
    expect(values).toHaveLength(8);
  });
});
