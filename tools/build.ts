import { hash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { readCommandLine } from '@event-commerce/service-kit/command-line';
import { DIST } from '@event-commerce/service-kit/dist';
import { exclusively } from '../deploy/local/exclusive.ts';
import { MARKDOWN } from '@event-commerce/guide/sections';

// `npm run build`: what production runs, in `dist`. Each part is built only if its sources have changed.

const USAGE = `Usage: npm run build

Builds into dist what npm start, the tests and the image run: the processes, the repair commands, the API's documents,
the console and the guide. Does nothing if the build is up to date.
`;

const root = path.resolve(import.meta.dirname, '..');
const CONSOLE = path.join(DIST, 'console');
const GUIDE = path.join(DIST, 'guide');
/** A file inside the build, so that they are deleted together. It records what the build was made from. */
const BUILT_FROM = 'built-from';

const workspace = (folder: string) => readdirSync(path.join(root, folder)).map((name) => `${folder}/${name}`);
/** What a build depends on. The lockfile stands for the versions of its libraries. */
const sourcesOfServices = () => [
  ...['gateway', ...workspace('services'), ...workspace('libs')].flatMap((one) => [
    `${one}/src`,
    `${one}/package.json`,
  ]),
  'package.json',
  'tools/build.ts',
  'tools/build-services.ts',
  'pnpm-lock.yaml',
];
const sourcesOfConsole = () => [
  ...['src', 'index.html', 'build.ts', 'vite.config.ts', 'tsconfig.json'].map((name) => `console/${name}`),
  'tsconfig.json',
  'libs/client/src',
  'libs/money/src',
  'pnpm-lock.yaml',
];
const sourcesOfGuide = () => [...MARKDOWN, 'guide/src', 'gateway/src/docs/page/icon.svg', 'pnpm-lock.yaml'];
const NOT_BUILT_IN = /\.test(-d)?\.ts$|\/test-kit\//;

/** Builds what is not up to date. */
export async function build(): Promise<void> {
  await buildServices();
  await buildConsole();
  await buildGuide();
}

/** The bundles, the API's documents and the page that shows them. */
export async function buildServices(): Promise<void> {
  await unlessCurrent(DIST, sourcesOfServices, async (made) => {
    const services = await import('./build-services.ts');
    await services.buildServices(root, made);
    // Unchanged: they have their own sources.
    for (const part of [CONSOLE, GUIDE]) {
      if (existsSync(part)) await rename(part, path.join(made, path.basename(part)));
    }
  });
}

/** The console, into the build of the services. */
export async function buildConsole(): Promise<void> {
  await unlessCurrent(CONSOLE, sourcesOfConsole, async (made) => {
    const console = await import('@event-commerce/console/build');
    await console.buildConsole(made);
  });
}

/** The pages of the guide, into the build of the services. */
export async function buildGuide(): Promise<void> {
  await unlessCurrent(GUIDE, sourcesOfGuide, async (made) => {
    const guide = await import('@event-commerce/guide/build');
    await guide.buildGuide(root, made);
  });
}

/** Calls `make` with a new folder that then replaces `folder`, unless that was built from the current sources. */
async function unlessCurrent(
  folder: string,
  sources: () => string[],
  make: (made: string) => Promise<void>,
): Promise<void> {
  const isCurrent = () => builtFrom(folder) === hashOf(sources());
  if (isCurrent()) return;
  await exclusively(DIST, async () => {
    // Another process may have built it meanwhile.
    if (isCurrent()) return;
    const made = `${folder}.new`;
    const old = `${folder}.old`;
    for (const rest of [made, old]) await rm(rest, { recursive: true, force: true });
    await mkdir(made, { recursive: true });
    const from = hashOf(sources());
    await make(made);
    await writeFile(path.join(made, BUILT_FROM), from);
    // A process that starts meanwhile finds a whole build, or for an instant none.
    if (existsSync(folder)) await rename(folder, old);
    await rename(made, folder);
    await rm(old, { recursive: true, force: true });
  });
}

function builtFrom(folder: string): string | undefined {
  const note = path.join(folder, BUILT_FROM);
  return existsSync(note) ? readFileSync(note, 'utf8') : undefined;
}

function hashOf(sources: readonly string[]): string {
  const files = sources.flatMap(filesBelow).filter((file) => !NOT_BUILT_IN.test(file));
  const parts = files.map((file) => `${file}\n${readFileSync(path.join(root, file), 'utf8')}`);
  return hash('sha256', parts.join('\0'));
}

/** All files below a folder, in one order; the file itself if it is one. A path that does not exist has none. */
function filesBelow(place: string): string[] {
  const absolute = path.join(root, place);
  if (!existsSync(absolute)) return [];
  if (path.extname(place) !== '') return [place];
  const entries = readdirSync(absolute, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)))
    .toSorted();
}

if (import.meta.main) {
  readCommandLine(USAGE, {});
  await build();
}
