import { hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';

const root = import.meta.dirname;
const dist = path.join(root, 'dist');
/** Inside the build, so that it goes with it: what it was built from. */
const BUILT_FROM = 'built-from';
/** What a build depends on, besides the versions of its libraries, which the lockfile holds. */
const SOURCES = [
  'src',
  'index.html',
  'build.ts',
  'vite.config.ts',
  'tsconfig.json',
  '../tsconfig.json',
  '../libs/client/src',
  '../libs/money/src',
  '../pnpm-lock.yaml',
];

/** Builds the console into `dist`, unless what is there was built from the same sources. True if it built. */
export async function buildConsole(): Promise<boolean> {
  const sources = await hashOfSources();
  const builtFrom = await readFile(path.join(dist, BUILT_FROM), 'utf8').catch(() => undefined);
  if (builtFrom === sources) return false;

  // Only now: loading Vite takes longer than finding out that nothing has changed.
  const { build } = await import('vite');
  const made = path.join(root, `dist.${process.pid}`);
  await build({ root, logLevel: 'warn', build: { outDir: made, emptyOutDir: true } });
  for (const file of await filesBelow(made)) await compress(file);
  await writeFile(path.join(made, BUILT_FROM), sources);

  // A gateway that starts meanwhile finds a whole build or none.
  await rm(dist, { recursive: true, force: true });
  await rename(made, dist);
  return true;
}

async function compress(file: string): Promise<void> {
  const content = await readFile(file);
  const [gzipped, brotli] = await Promise.all([
    promisify(gzip)(content, { level: 9 }),
    promisify(brotliCompress)(content),
  ]);
  await Promise.all([writeFile(`${file}.gz`, gzipped), writeFile(`${file}.br`, brotli)]);
}

async function hashOfSources(): Promise<string> {
  const files = (await Promise.all(SOURCES.map(async (source) => filesBelow(path.join(root, source))))).flat();
  const parts = await Promise.all(
    files.map(async (file) => `${path.relative(root, file)}\n${await readFile(file, 'utf8')}`),
  );
  return hash('sha256', parts.join('\0'));
}

/** All files below a folder, in one order; the file itself if it is one. A path that does not exist has none. */
async function filesBelow(place: string): Promise<string[]> {
  if (!existsSync(place)) return [];
  const entries = await readdir(place, { recursive: true, withFileTypes: true }).catch(() => undefined);
  if (entries === undefined) return [place];
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .toSorted();
}

if (import.meta.main) await buildConsole();
