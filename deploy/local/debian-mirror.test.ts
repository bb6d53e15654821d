import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { debianMirror } from './debian-mirror.ts';

let aptDir: string;

beforeEach(async () => {
  aptDir = await mkdtemp(join(tmpdir(), 'apt-'));
  await mkdir(join(aptDir, 'sources.list.d'));
});

afterEach(async () => {
  await rm(aptDir, { recursive: true });
});

test('the mirror is found in a stanza file with comments, other types and disabled stanzas', async () => {
  const stanzas = [
    'Types: deb\nURIs: http://off.invalid/debian\nSuites: stable\nEnabled: no',
    'Types: deb-src\nURIs: http://source.invalid/debian\nSuites: stable',
    'Types: deb\n# http://comment.invalid/debian\nURIs: http://mirror.invalid/debian\nSuites: stable stable-updates\nComponents: main',
    'Types: deb\nURIs: http://mirror.invalid/debian-security\nSuites: stable-security',
  ];
  await writeFile(join(aptDir, 'sources.list.d', 'debian.sources'), stanzas.join('\n\n'));
  expect(await debianMirror(aptDir)).toBe('http://mirror.invalid/debian');
});

test('the mirror is found in a one-line file with options, comments and other archives', async () => {
  const lines = [
    '# deb http://comment.invalid/debian stable main',
    'deb https://tool.invalid/apt stable main',
    'deb [arch=amd64 signed-by=/usr/share/keyrings/k.gpg] https://mirror.invalid/debian/ stable main contrib',
  ];
  await writeFile(join(aptDir, 'sources.list'), lines.join('\n'));
  expect(await debianMirror(aptDir)).toBe('https://mirror.invalid/debian/');
});

test('there is no mirror if no source is a Debian archive', async () => {
  await writeFile(
    join(aptDir, 'sources.list'),
    'deb cdrom:[Debian]/ stable main\ndeb http://mirror.invalid/ubuntu stable main\n',
  );
  await writeFile(
    join(aptDir, 'sources.list.d', 'old.list.disabled'),
    'deb http://mirror.invalid/debian stable main\n',
  );
  expect(await debianMirror(aptDir)).toBeUndefined();
});
