import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { SETTINGS_FILE, settingsDocument } from './settings.ts';

test('docs/settings.md is up to date: npm run settings writes it', () => {
  expect(readFileSync(SETTINGS_FILE, 'utf8')).toBe(settingsDocument());
});

test('every setting has a description', () => {
  const rows = settingsDocument()
    .split('\n')
    .filter((line) => line.startsWith('| `'));
  expect(rows.length).toBeGreaterThan(40);
  expect(rows.filter((row) => !/ [A-Z`].*\.\s*\|$/.test(row))).toEqual([]);
});
