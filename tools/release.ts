import { execFileSync } from 'node:child_process';
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { readCommandLine, refuseCommandLine } from '@event-commerce/service-kit/command-line';
import { DIST } from '@event-commerce/service-kit/dist';
import { pnpm, REPOSITORY } from './pnpm.ts';

// `npm run release`: makes a release of what is on `main`. docs/operating/upgrades.md says what happens then.

const USAGE = `Usage: npm run release -- VERSION
       npm run release -- --pack

With a VERSION, such as 0.2.0: writes it into every package, dates the changelog's "Unreleased" section, commits and tags.
It pushes nothing.

  --pack   writes what belongs to the current version into dist/release: the client's package and the release notes
`;

const CHANGELOG = path.join(REPOSITORY, 'CHANGELOG.md');
const CHART = path.join(REPOSITORY, 'deploy/helm/Chart.yaml');
const UNRELEASED = '## [Unreleased]\n';

/**
 * The changelog with its unreleased changes under `version`.
 *
 * @throws {Error} if there are none, or the version is in it already
 */
export function released(changelog: string, version: string, day: string): string {
  if (changelog.includes(`## [${version}]`)) throw new Error(`CHANGELOG.md has ${version} already.`);
  if (notesOf(changelog, 'Unreleased') === '') throw new Error('CHANGELOG.md has nothing under "Unreleased".');
  return changelog.replace(UNRELEASED, `${UNRELEASED}\n## [${version}] - ${day}\n`);
}

/** What the changelog says about a version; the empty string if that is nothing. */
export function notesOf(changelog: string, version: string): string {
  const [, ...sections] = changelog.split(/^## /m);
  const own = sections.find((section) => section.startsWith(`[${version}]`)) ?? '';
  return own.split('\n').slice(1).join('\n').trim();
}

function release(version: string): void {
  if (git('status', '--porcelain') !== '') throw new Error('There are changes that are not committed.');
  const changelog = released(readFileSync(CHANGELOG, 'utf8'), version, new Date().toISOString().slice(0, 10));
  const former = `"version": "${currentVersion()}"`;
  // The recorded answer of /healthz contains the version.
  for (const file of git('ls-files', '*package.json', '*recorded-answers.json').split('\n')) {
    const absolute = path.join(REPOSITORY, file);
    writeFileSync(absolute, readFileSync(absolute, 'utf8').replace(former, `"version": "${version}"`));
  }
  const chart = readFileSync(CHART, 'utf8').replaceAll(/^(version|appVersion): .*$/gm, `$1: ${version}`);
  writeFileSync(CHART, chart);
  writeFileSync(CHANGELOG, changelog);
  git('commit', '--all', '--quiet', '--message', `release: ${version}`);
  git('tag', '--annotate', `v${version}`, '--message', notesOf(changelog, version));
  process.stdout.write(`Tagged v${version}. To publish it: git push --follow-tags\n`);
}

function pack(): void {
  const folder = path.join(DIST, 'release');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  execFileSync('npx', ['--yes', pnpm(), '--filter', '@event-commerce/client', 'pack', '--pack-destination', folder], {
    cwd: REPOSITORY,
    stdio: 'inherit',
  });
  writeFileSync(path.join(folder, 'notes.md'), `${notesOf(readFileSync(CHANGELOG, 'utf8'), currentVersion())}\n`);
  process.stdout.write(`${globSync('*', { cwd: folder }).toSorted().join('\n')}\n`);
}

function currentVersion(): string {
  const { version } = JSON.parse(readFileSync(path.join(REPOSITORY, 'package.json'), 'utf8')) as { version: string };
  return version;
}

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: REPOSITORY, encoding: 'utf8' }).trim();
}

if (import.meta.main) {
  const { values, positionals } = readCommandLine(USAGE, {
    options: { pack: { type: 'boolean', default: false } },
    allowPositionals: true,
  });
  const [version] = positionals;
  if (values.pack) pack();
  else if (version === undefined || !/^\d+\.\d+\.\d+$/.test(version))
    refuseCommandLine(USAGE, 'Name a version, such as 0.2.0.');
  else release(version);
}
