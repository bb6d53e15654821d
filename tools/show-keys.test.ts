import { stripVTControlCharacters } from 'node:util';
import { describe as group, expect, it } from 'vitest';
import { describe, type KeyRecord, table } from './show-keys.ts';

const record: KeyRecord = {
  id: 'key_1',
  companyId: 'acme\u009b31m',
  name: 'till\u001b[2J\u202egnp\n1',
  scopes: ['*'],
  environment: 'live',
  rateLimit: null,
  status: 'active',
  created: '2027-01-01T00:00:00.000Z',
  createdBy: 'root',
  lastUsed: null,
  expires: null,
  revoked: null,
  rotatedTo: null,
};

group('what npm run keys prints', () => {
  it.each([
    ['a key', describe(record)],
    ['a table of keys', table([record])],
  ])('does not act on the terminal: %s', (_what, printed) => {
    const text = stripVTControlCharacters(printed);
    expect(text).toContain(String.raw`acme\u009b31m`);
    expect(text).toContain(String.raw`till\u001b[2J\u202egnp\u000a1`);
  });
});
