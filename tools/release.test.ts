import { expect, test } from 'vitest';
import { notesOf, released } from './release.ts';

const CHANGELOG = `# Changelog

## [Unreleased]

### Added

- Windows.

## [0.1.0] - 2027-01-01

### Added

- Doors.
`;

test('a release dates what was unreleased, and begins a new section', () => {
  const dated = released(CHANGELOG, '0.2.0', '2027-02-03');
  expect(dated).toContain('## [Unreleased]\n\n## [0.2.0] - 2027-02-03\n\n### Added\n\n- Windows.\n');
  expect(notesOf(dated, '0.2.0')).toBe('### Added\n\n- Windows.');
  expect(notesOf(dated, '0.1.0')).toBe('### Added\n\n- Doors.');
  expect(notesOf(dated, 'Unreleased')).toBe('');
});

test('a version is released once, and not without changes', () => {
  expect(() => released(CHANGELOG, '0.1.0', '2027-02-03')).toThrow('CHANGELOG.md has 0.1.0 already.');
  const dated = released(CHANGELOG, '0.2.0', '2027-02-03');
  expect(() => released(dated, '0.3.0', '2027-02-04')).toThrow('CHANGELOG.md has nothing under "Unreleased".');
});
