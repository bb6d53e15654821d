import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { NOTICES, notices } from './notices.ts';

test('the notices name the libraries of the lockfile, all under permissive licences', () => {
  expect(readFileSync(NOTICES, 'utf8'), 'run npm run notices').toBe(notices());
}, 60_000);
