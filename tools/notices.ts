import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { readCommandLine } from '@event-commerce/service-kit/command-line';
import { pnpm, REPOSITORY } from './pnpm.ts';

// `npm run notices`: the licences of the libraries that are part of what we distribute, as the lockfile names them.

const USAGE = `Usage: npm run notices

Writes THIRD-PARTY-NOTICES.txt: the name, version and licence of every library in the image. Run it after the lockfile
has changed.
`;

export const NOTICES = path.join(REPOSITORY, 'THIRD-PARTY-NOTICES.txt');
const DISTRIBUTED = [
  '@event-commerce/gateway...',
  './services/**...',
  '@event-commerce/console...',
  '@event-commerce/guide...',
];
/** Licences that ask for no more than their own text. A person must judge any other. */
const PERMISSIVE = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  'MIT/X11',
  'Unlicense',
]);
const SEE_LICENSE = 'Apache License, version 2.0: the text is that of the file LICENSE.';

interface Library {
  name: string;
  versions: string[];
  paths: string[];
  license: string;
  homepage?: string;
}

/** @throws {Error} that names the libraries whose licence is not known to be permissive */
export function notices(): string {
  const filters = DISTRIBUTED.flatMap((name) => ['--filter', name]);
  const listed = execFileSync('npx', ['--yes', pnpm(), ...filters, 'licenses', 'list', '--prod', '--json'], {
    cwd: REPOSITORY,
    encoding: 'utf8',
    maxBuffer: 100e6,
  });
  const libraries = Object.values(JSON.parse(listed) as Record<string, Library[]>)
    .flat()
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const unknown = libraries.filter(({ license }) => !PERMISSIVE.has(license));
  if (unknown.length > 0) {
    const names = unknown.map(({ name, license }) => `${name} (${license})`).join(', ');
    throw new Error(`Read these licences, then add them to PERMISSIVE or replace the library: ${names}.`);
  }
  const alike = Map.groupBy(libraries, ({ license, paths }) => textIn(paths[0] as string) || license);
  const parts = [...alike].map(([text, those]) => {
    const names = those.map(({ name, versions, license, homepage }) =>
      [`${name} ${versions.join(', ')} (${license})`, ...(homepage === undefined ? [] : [homepage])].join('  '),
    );
    return [...names, '', text].join('\n');
  });
  const rule = `\n\n${'-'.repeat(80)}\n\n`;
  return `Event Commerce contains these libraries.${rule}${parts.join(rule)}\n`;
}

/** The text of a library's licence and of its notice; the empty string if the library has neither. */
function textIn(folder: string): string {
  const files = readdirSync(folder).toSorted();
  const read = (name: RegExp) => {
    const file = files.find((each) => name.test(each));
    return file === undefined ? '' : readFileSync(path.join(folder, file), 'utf8').replaceAll('\r', '').trim();
  };
  const licence = read(/^(licen[cs]e|copying|unlicense)/i);
  // Its text is the same everywhere, except for blanks and the appendix.
  const isApache = licence.includes('Apache License') && licence.includes('TERMS AND CONDITIONS');
  return [isApache ? SEE_LICENSE : licence, read(/^notice/i)].filter((text) => text !== '').join('\n\n');
}

if (import.meta.main) {
  readCommandLine(USAGE, {});
  writeFileSync(NOTICES, notices());
}
