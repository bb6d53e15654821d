import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { PlatformError } from '@event-commerce/contracts';
import { DIST, NOT_BUILT } from '@event-commerce/service-kit/dist';
import { type Asset, createAsset } from './asset.ts';
import { once } from './once.ts';

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
};

/**
 * The files of a build folder that pages consist of, by their path in it. The build also has each one compressed. Each
 * is read when it is first requested, and kept. `what`: the folder, for the message if it was not built.
 *
 * @throws {PlatformError} NOT_FOUND if there is no such folder
 */
export function builtFolder(folder: string, what: string): (name: string) => Promise<Asset | undefined> {
  const root = path.join(DIST, folder);
  const names = once(async () => {
    const found = await readdir(root, { recursive: true }).catch((): string[] => []);
    if (!found.includes('index.html')) throw new PlatformError('NOT_FOUND', `${what} was not built: ${NOT_BUILT}.`);
    return new Set(found.filter((name) => path.extname(name) in CONTENT_TYPES));
  });
  const known = new Map<string, () => Promise<Asset>>();
  return async (name) => {
    if (!(await names()).has(name)) return undefined;
    let asset = known.get(name);
    if (asset === undefined) {
      asset = once(async () => await readAsset(path.join(root, name)));
      known.set(name, asset);
    }
    return await asset();
  };
}

async function readAsset(file: string): Promise<Asset> {
  const [content, gzipped, brotli] = await Promise.all([
    readFile(file),
    readFile(`${file}.gz`),
    readFile(`${file}.br`),
  ]);
  return await createAsset(content, CONTENT_TYPES[path.extname(file)] as string, { gzipped, brotli });
}
