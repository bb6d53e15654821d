import { expect, test } from 'vitest';
import { eventPatch } from './event.ts';
import { instantIn } from '../schema/primitives.ts';

test.each(['Europe/Berlin', 'europe/berlin', 'UTC', 'EST5EDT', 'Etc/GMT+5'])(
  '%s is a time zone, and local times can be read in it',
  (zone) => {
    expect(eventPatch.safeParse({ timezone: zone }).success).toBe(true);
    expect(instantIn('2027-05-01T18:00:00', zone)).toMatch(/Z$/);
  },
);

test.each(['PST', 'BST', 'JST', 'SystemV/EST5', 'Canada/East-Saskatchewan', '+02:00', 'Z', '', 'Mars/Olympus'])(
  '%j is not a time zone',
  (zone) => expect(eventPatch.safeParse({ timezone: zone }).success).toBe(false),
);

test.each(['2027-05-01T18:00Z', '2027-05-01[America/Toronto]'])('a time, such as %s, is not a time zone', (time) => {
  expect(eventPatch.safeParse({ timezone: time }).success).toBe(false);
});

test('tags are stored as they are sent, each once, without surrounding blanks', () => {
  const tags = [' early bird', 'x'.repeat(256), 'für alle', 'für alle '];
  expect(eventPatch.parse({ tags }).tags).toEqual(['early bird', 'x'.repeat(256), 'für alle']);
});

test.each(['', 'x'.repeat(257), 'a\u0000b', 'a\nb', '\ud800'])('%j is not a tag', (tag) => {
  expect(eventPatch.safeParse({ tags: [tag] }).success).toBe(false);
});
